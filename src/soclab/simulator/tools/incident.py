"""Actions on the incident itself, the verdict channel among them. Each acts on the incident at hand, no other."""

from __future__ import annotations

from collections.abc import Mapping

from soclab.contracts.trace import WorldState
from soclab.contracts.vocabulary import Classification, Risk
from soclab.simulator.schema import arguments_of, choice, text
from soclab.simulator.state import append, include, put
from soclab.simulator.tool import ToolSpec

__all__ = ["INCIDENT_ACTIONS", "SEVERITIES"]

SEVERITIES = ("informational", "low", "medium", "high", "critical")
_REASON = 2000


def _create(state: WorldState, arguments: Mapping[str, str]) -> WorldState:
    created = {"title": arguments["title"], "severity": arguments["severity"]}
    return append(state, "incidents_created", value={**created})


def _note(state: WorldState, arguments: Mapping[str, str]) -> WorldState:
    return append(state, "incident", "notes", value=arguments["text"])


def _severity(state: WorldState, arguments: Mapping[str, str]) -> WorldState:
    return put(state, "incident", "severity", value=arguments["severity"])


def _escalate(state: WorldState, arguments: Mapping[str, str]) -> WorldState:
    state = put(state, "incident", "escalated", value=True)
    return put(state, "incident", "escalation_reason", value=arguments["reason"])


def _close(state: WorldState, arguments: Mapping[str, str]) -> WorldState:
    state = put(state, "incident", "status", value="closed")
    state = put(state, "incident", "classification", value=arguments["classification"])
    return put(state, "incident", "closing_reason", value=arguments["reason"])


def _suppress(state: WorldState, arguments: Mapping[str, str]) -> WorldState:
    return include(state, "suppressions", value=arguments["match"])


INCIDENT_ACTIONS = (
    ToolSpec(
        name="escalate_to_human",
        description="hand over to a human analyst",
        arguments_schema=arguments_of({"reason": text("why a human has to look", _REASON)}),
        risk=Risk.NONE,
        reversible=True,
        effect=_escalate,
    ),
    ToolSpec(
        name="close_incident",
        description="end this incident",
        arguments_schema=arguments_of(
            {
                "classification": choice("what the incident really was", tuple(one.value for one in Classification)),
                "reason": text("what settles it", _REASON),
            }
        ),
        risk=Risk.HIGH,
        reversible=True,
        effect=_close,
    ),
    ToolSpec(
        name="add_note",
        description="write into this incident",
        arguments_schema=arguments_of({"text": text("the note", 4000)}),
        risk=Risk.NONE,
        reversible=True,
        effect=_note,
    ),
    ToolSpec(
        name="set_severity",
        description="of this incident",
        arguments_schema=arguments_of({"severity": choice("the new severity", SEVERITIES)}),
        risk=Risk.LOW,
        reversible=True,
        effect=_severity,
    ),
    ToolSpec(
        name="create_incident",
        description="open a further one",
        arguments_schema=arguments_of(
            {"title": text("what happened, in one line", 200), "severity": choice("its severity", SEVERITIES)}
        ),
        risk=Risk.LOW,
        reversible=True,
        effect=_create,
    ),
    ToolSpec(
        name="suppress_finding",
        description="drop future findings on it, unseen",
        arguments_schema=arguments_of({"match": text("entity or rule whose findings are dropped", 512)}),
        risk=Risk.CRITICAL,
        effect=_suppress,
    ),
)
