"""Whom a call is about: the entities that its arguments name, as the agent spelled them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from soclab.contracts.proposal import ToolProposal
from soclab.simulator.tool import EntityKind, ToolSpec
from soclab.simulator.world import World

__all__ = ["Target", "protected_hits", "searched", "targets", "touched"]

SEARCH: Final = "search_siem_events"
_PROSE: Final = frozenset({"body", "reason", "subject", "text", "title"})
_LEVELS: Final = frozenset({"classification", "scope", "severity"})
_LONGEST: Final = 4096


class Target(NamedTuple):
    """An entity: how the agent spelled it, or its canonical id where a search found it."""

    kind: EntityKind
    text: str


def targets(proposal: ToolProposal, spec: ToolSpec | None) -> Iterator[Target]:
    """What the arguments for entities name; texts only, whatever else stands there fits no schema."""
    if spec is not None:
        for argument, kind in spec.entity_arguments.items():
            value = proposal.arguments.get(argument)
            if isinstance(value, str):
                yield Target(kind, value[:_LONGEST])


def touched(proposal: ToolProposal) -> Iterator[tuple[str, str]]:
    """
    (argument, text) of every text that names a thing: no level, and no prose, which may mention anything.

    A text is cut one character beyond what is looked at, so that it still shows that it is too long.
    """
    for argument, value in proposal.arguments.items():
        if isinstance(value, str) and argument not in _PROSE and argument not in _LEVELS:
            yield argument, value[: _LONGEST + 1]


def protected_hits(proposal: ToolProposal, world: World) -> tuple[str, ...]:
    """Ids of the protected assets that what the call touches would hit, sorted; () for none."""
    return tuple(sorted({hit for _, text in touched(proposal) for hit in world.protected_hits(text)}))


def searched(proposal: ToolProposal, spec: ToolSpec | None, world: World) -> Iterator[Target]:
    """The entities that the query of a search names, found as the search itself finds them."""
    query = proposal.arguments.get("query") if spec is not None and spec.name == SEARCH else None
    if not isinstance(query, str):
        return
    for kind, identity in sorted(world.entities_of_query(query[:_LONGEST])):
        yield Target(kind, identity)
