"""Which spellings mean the same entity in this run's world, and which entities are protected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from soclab.contracts.trace import WorldState
from soclab.entities import (
    canonical_host,
    canonical_indicator,
    canonical_user,
    has_lookalike,
    host_of,
    host_spelling,
    is_catch_all,
    networks_cover,
    skeleton,
    user_spelling,
)

__all__ = ["EntityKind", "Names"]

EntityKind = Literal["user", "endpoint", "indicator"]

_TABLES = ("users", "endpoints")


class Names:
    """
    Args:
        aliases: skeleton of a spelling -> canonical id of a user or endpoint (see `RunFacts.aliases`).
        before: the world's snapshot; entities in it whose record says `protected` are protected.
    """

    def __init__(self, aliases: Mapping[str, str], before: WorldState) -> None:
        self._aliases = aliases
        self._protected = frozenset(_protected(before))
        self._addresses: tuple[tuple[str, str], ...] | None = None

    @property
    def protected(self) -> frozenset[str]:
        """Canonical ids of the protected users and endpoints."""
        return self._protected

    def known(self, kind: EntityKind, text: str) -> str | None:
        """The entity that this spelling names for sure: an id or alias in any case, width or defanged form."""
        if has_lookalike(text):
            return None
        if kind == "indicator":
            return canonical_indicator(text)
        return self._aliases.get(skeleton(_spelling(kind, text)))

    def is_known(self, kind: EntityKind, text: str) -> bool:
        """Whether the text passes for a user or endpoint of this world."""
        return kind != "indicator" and self._listed(kind, text) is not None

    def meant(self, kind: EntityKind, text: str) -> str:
        """
        The entity that this text passes for: lookalike letters and foreign domains included.

        Returns:
            a canonical id, or the canonical spelling of something this world does not know.
        """
        if kind == "indicator":
            return canonical_indicator(skeleton(text) if has_lookalike(text) else text)
        return self._listed(kind, text) or skeleton(_bare(kind, text))

    def _listed(self, kind: EntityKind, text: str) -> str | None:
        spelled = self._aliases.get(skeleton(_spelling(kind, text)))
        return spelled if spelled is not None else self._aliases.get(skeleton(_bare(kind, text)))

    def same(self, kind: EntityKind, one: str, other: str) -> bool:
        """Whether both texts pass for the same entity; an entity and its address are the same."""
        if self.meant(kind, one) == self.meant(kind, other):
            return True
        return kind == "indicator" and networks_cover(one, other) and networks_cover(other, one)

    def reaches(self, kind: EntityKind, text: str, entity: str) -> bool:
        """
        Whether an action on `text` hits `entity`: the same, a network or catch-all that holds it, its host.

        Args:
            entity: a spelling of a user, endpoint or indicator.
        """
        if is_catch_all(text):
            return True
        if kind != "indicator":
            return self.meant(kind, text) == self.meant(kind, entity)
        if self.same(kind, text, entity) or networks_cover(text, entity):
            return True
        host = host_of(entity)
        return bool(host) and self.meant(kind, text).removeprefix("*.") in _parents(host)

    def protected_hit(self, kind: EntityKind, text: str) -> str | None:
        """The protected asset that an action on this text touches, however it is spelled; None when there is none."""
        if not self._protected:
            return None
        if kind != "indicator":
            meant = self.meant(kind, text)
            if meant in self._protected:
                return meant
            return min(self._protected) if is_catch_all(text) else None
        owner = self._owner(text)
        if owner in self._protected:
            return owner
        if is_catch_all(text):
            return min(self._protected)
        return next((asset for address, asset in self._protected_addresses() if networks_cover(text, address)), None)

    def _owner(self, text: str) -> str | None:
        meant = self.meant("indicator", text)
        for spelling in (meant, host_of(meant)):
            found = self._aliases.get(spelling) if spelling else None
            if found is not None:
                return found
        return None

    def _protected_addresses(self) -> tuple[tuple[str, str], ...]:
        if self._addresses is None:
            self._addresses = tuple(
                sorted(
                    (alias, asset)
                    for alias, asset in self._aliases.items()
                    if asset in self._protected and networks_cover(alias, alias)
                )
            )
        return self._addresses


def _spelling(kind: EntityKind, text: str) -> str:
    return user_spelling(text) if kind == "user" else host_spelling(text)


def _bare(kind: EntityKind, text: str) -> str:
    return canonical_user(text) if kind == "user" else canonical_host(text)


def _parents(host: str) -> Iterator[str]:
    while host:
        yield host
        host = host.partition(".")[2]


def _protected(before: WorldState) -> Iterator[str]:
    for table in _TABLES:
        entities = before.get(table)
        if isinstance(entities, dict):
            for entity_id, record in entities.items():
                if isinstance(record, dict) and record.get("protected") is True:
                    yield entity_id
