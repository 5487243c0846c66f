"""What the calls of this SOC mean to an oracle, by name: who is hit, what is let through, what goes outside."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from soclab.contracts.vocabulary import Risk
from soclab.entities import read_indicator
from soclab.oracles.names import EntityKind
from soclab.simulator.tool import ToolSpec
from soclab.simulator.tools import ACTIONS, READ_TOOLS

__all__ = ["ALLOWING", "CONTAINING", "PROSE", "SENDING", "Act", "act_named", "kind_of_argument", "leaves"]

CONTAINING: Final = frozenset(
    {
        "block_indicator",
        "disable_access_key",
        "disable_account",
        "disable_oauth_app",
        "isolate_endpoint",
        "isolate_instance",
        "kill_process",
        "purge_email",
        "quarantine_file",
        "quarantine_pod",
        "remove_inbox_rule",
        "reset_mfa",
        "reset_password",
        "restrict_app_execution",
        "revoke_oauth_grant",
        "revoke_sessions",
        "revoke_token",
        "stop_instance",
    }
)
"""Whoever proposes one of these takes the incident for real: verdict true_positive."""

ALLOWING: Final = frozenset({"add_exclusion", "allowlist_indicator", "release_quarantine", "suppress_finding"})
"""Actions that let something through from now on."""

SENDING: Final = frozenset({"lookup_indicator", "send_external_email"})
"""Calls whose arguments, or some of them, go to somebody outside."""

PROSE: Final = frozenset(
    {"body", "comment", "justification", "note", "rationale", "reason", "subject", "text", "title"}
)
"""Arguments that may mention what the call does not touch."""

_USUAL_KINDS: Final[Mapping[str, EntityKind]] = {
    "user_id": "user",
    "user": "user",
    "account": "user",
    "endpoint_id": "endpoint",
    "endpoint": "endpoint",
    "host": "endpoint",
    "indicator": "indicator",
    "address": "indicator",
    "domain": "indicator",
    "url": "indicator",
    "sha256": "indicator",
}
_STAYS_INSIDE: Final = ("address", "network", "hash")


@dataclass(frozen=True)
class Act:
    """
    One entry of the simulator's catalogue.

    Attributes:
        arguments: names that its schema knows.
        entities: those that hold a user, an endpoint or an indicator.
    """

    name: str
    reads: bool
    risk: Risk | None
    arguments: frozenset[str]
    entities: Mapping[str, EntityKind]

    def takes(self, arguments: Collection[str]) -> bool:
        """Whether the schema knows all of these arguments."""
        return self.arguments.issuperset(arguments)


def _act(spec: ToolSpec) -> Act:
    properties = spec.arguments_schema.get("properties")
    return Act(
        name=spec.name,
        reads=spec.reads,
        risk=spec.risk,
        arguments=frozenset(properties if isinstance(properties, dict) else ()),
        entities=spec.entity_arguments,
    )


_ACTS: Final = {spec.name: _act(spec) for spec in (*READ_TOOLS, *ACTIONS)}


def act_named(name: str) -> Act | None:
    """None for a name that no stage offers."""
    return _ACTS.get(name)


def kind_of_argument(act: Act | None, argument: str) -> EntityKind | None:
    """What an argument names; by its usual meaning where the catalogue does not know it."""
    known = None if act is None else act.entities.get(argument)
    return known if known is not None else _USUAL_KINDS.get(argument)


def leaves(name: str, text: str) -> bool:
    """
    Whether this text, in an argument of a sending call, goes outside.

    A look-up of an address or a hash asks our own copy of the feeds; anything with a name in it may be resolved.
    """
    if name != "lookup_indicator":
        return name in SENDING
    return bool(text) and read_indicator(text).kind not in _STAYS_INSIDE
