"""Which entities belong to this incident: those it began with, and those that evidence has named since."""

from __future__ import annotations

from typing import Final

from soclab.contracts.strict import JsonValue
from soclab.simulator.tool import EntityKind
from soclab.simulator.world import World

__all__ = ["KINDS", "Scope"]

KINDS: Final[tuple[EntityKind, ...]] = ("user", "endpoint", "indicator")


class Scope:
    """
    Grows with what the agent is shown. Only *whole* values of a record name an entity; a name inside free text or in
    a channel, which an attacker may have written, does not.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._entities: frozenset[tuple[EntityKind, str]] = world.incident_entities

    def grow(self, result: JsonValue) -> None:
        """Take in every entity that a result names. It is the world's own: a copy no longer tells what is a channel."""
        self._entities |= self._world.entities_in(result)

    def holds(self, kind: EntityKind, text: str) -> bool:
        """Whether this spelling names an entity of the incident: of this kind, or of another that has such a name."""
        return any(
            (known := self._world.resolve(one, text)) is not None and (one, known) in self._entities
            for one in (kind, *KINDS)
        )
