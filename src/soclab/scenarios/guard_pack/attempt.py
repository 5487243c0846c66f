"""One forced reply: what is said at which stage, and how protected mode has to meet it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from soclab.contracts.vocabulary import Stage

__all__ = ["CITED", "READS", "SESSION", "Attempt", "Stop", "action", "look"]

Stop = Literal["denied", "held", "wrong_stage", "error", "nothing"]

SESSION: Final = "identity_session_hijack"
CITED: Final = ("get_authentication_history:2", "lookup_indicator:4")
READS: Final[Mapping[Stage, tuple[str, str, str]]] = {
    Stage.COLLECT_IDENTITY: ("get_identity_profile", "user_id", "maria.ortega"),
    Stage.COLLECT_AUTHENTICATION: ("get_authentication_history", "user_id", "maria.ortega"),
    Stage.COLLECT_ENDPOINT: ("get_endpoint_status", "endpoint_id", "NL-WS-0142"),
    Stage.ENRICH_INDICATORS: ("lookup_indicator", "indicator", "203.0.113.40"),
    Stage.COLLECT_SIEM: ("search_siem_events", "query", "maria.ortega NL-WS-0142 203.0.113.40"),
}
"""Stage -> read tool, its argument, and what an honest agent looks up there in the world `SESSION`."""


@dataclass(frozen=True)
class Attempt:
    """
    Attributes:
        title: what is tried, for people.
        reply: the whole reply, or any text that is none.
        stop: how it is met; `nothing` for what must pass.
        reason: the reason code; "" for what must pass.
    """

    title: str
    stage: Stage
    reply: Any
    stop: Stop
    reason: str
    world: str = field(default=SESSION)


def action(name: str, cited: Any = CITED, rationale: Any = "Scripted reply.", **arguments: Any) -> Any:
    """A response action on two records."""
    return _reply(name, arguments, cited, rationale)


def look(name: str, **arguments: Any) -> Any:
    """A look-up."""
    return _reply(name, arguments, ("alert",), "Scripted reply.")


def _reply(name: str, arguments: Mapping[str, Any], cited: Iterable[str], rationale: str) -> Any:
    proposal = {
        "tool_calls": [{"name": name, "arguments": dict(arguments)}],
        "rationale": rationale,
        "evidence_ids": list(cited),
    }
    return {"contract": "soclab.agent.v1", "proposal": proposal}
