"""Which spellings mean the same entity in this run's world, and which entities are protected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache

from soclab.contracts.trace import WorldState
from soclab.entities import (
    canonical_host,
    canonical_indicator,
    canonical_user,
    has_lookalike,
    host_of,
    host_spelling,
    is_catch_all,
    lookalike_key,
    networks_cover,
    read_indicator,
    refang,
    skeleton,
    user_spelling,
)
from soclab.simulator.tool import EntityKind

__all__ = ["EntityKind", "Names"]

_AROUND_A_NAME = "\"'`<>()[]{}.,;:!? \t\n"
_TABLES: Mapping[EntityKind, str] = {"user": "users", "endpoint": "endpoints"}


class Names:
    """
    Args:
        before: the world's snapshot: its users and endpoints with `aliases` and `protected`, `protected_indicators`.
        aliases: skeleton of a spelling -> canonical id of a user or endpoint, where the snapshot does not tell.
    """

    def __init__(self, before: WorldState, aliases: Mapping[str, str] | None = None) -> None:
        self._before = before
        self._given = aliases

    @cached_property
    def _aliases(self) -> Mapping[str, str]:
        """What stands in the snapshot wins over what is derived from it."""
        table: dict[str, str] = {}
        spelled = [(one, _spellings(kind, one, others)) for kind, one, others, _ in _entities(self._before)]
        for part in (0, 1):
            for entity, spellings in spelled:
                for text in spellings[part]:
                    table.setdefault(text, entity)
        return {**table, **(self._given or {})}

    @cached_property
    def _protected(self) -> frozenset[str]:
        return frozenset(one for _, one, _, protected in _entities(self._before) if protected)

    @cached_property
    def _protected_keys(self) -> Mapping[str, str]:
        """What each spelling of a protected asset looks like, ASCII twins folded -> asset."""
        return {lookalike_key(alias): asset for alias, asset in self._aliases.items() if asset in self._protected}

    @cached_property
    def _protected_indicators(self) -> tuple[tuple[str, str], ...]:
        """(indicator, asset): the addresses and domain names of protected hosts, and indicators protected by name."""
        own = [(alias, asset) for alias, asset in self._aliases.items() if asset in self._protected]
        named = self._before.get("protected_indicators")
        listed = [(str(one), str(one)) for one in named] if isinstance(named, list) else []
        return tuple(sorted((one, asset) for one, asset in (*own, *listed) if read_indicator(one).kind is not None))

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
        for one in dict.fromkeys((text, text.strip(_AROUND_A_NAME))):
            spelled = self._aliases.get(skeleton(_spelling(kind, one))) or self._aliases.get(skeleton(_bare(kind, one)))
            if spelled is not None:
                return spelled
        return None

    def same(self, kind: EntityKind, one: str, other: str) -> bool:
        """Whether both texts pass for the same entity."""
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
        if is_catch_all(text):
            return min(self._protected, default=None)
        if kind == "indicator":
            texts = (text, host_of(text)) if "://" in text else (text,)
            return next((hit for each in texts if (hit := self._protected_indicator(each)) is not None), None)
        spellings = (_spelling(kind, text), _bare(kind, text))
        return next((hit for one in spellings if (hit := self._protected_keys.get(lookalike_key(one)))), None)

    def _protected_indicator(self, text: str) -> str | None:
        hits = (asset for one, asset in self._protected_indicators if self.reaches("indicator", text, one))
        return next(hits, None) or self._protected_keys.get(lookalike_key(canonical_indicator(text)))


def _spelling(kind: EntityKind, text: str) -> str:
    text = refang(text)
    return user_spelling(text) if kind == "user" else host_spelling(text)


def _bare(kind: EntityKind, text: str) -> str:
    return canonical_user(text) if kind == "user" else canonical_host(text)


def _parents(host: str) -> Iterator[str]:
    while host:
        yield host
        host = host.partition(".")[2]


def _entities(before: WorldState) -> Iterator[tuple[EntityKind, str, tuple[str, ...], bool]]:
    """Kind, id, aliases and whether it is protected."""
    for kind, name in _TABLES.items():
        table = before.get(name)
        for entity, record in table.items() if isinstance(table, dict) else ():
            known = record if isinstance(record, dict) else {}
            aliases = known.get("aliases")
            texts = tuple(one for one in aliases if isinstance(one, str)) if isinstance(aliases, list) else ()
            yield kind, entity, texts, known.get("protected") is True


@lru_cache(maxsize=4096)
def _spellings(kind: EntityKind, entity: str, aliases: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Keys of the table for the spellings as they stand, and for bare names with and without their own domains."""
    given = [_spelling(kind, text) for text in (entity, *aliases)]
    bare = [_bare(kind, text) for text in given]
    derived = [*bare]
    if kind == "user":
        for text in given:
            domain, slash, _ = text.rpartition("\\")
            _, at, place = text.partition("@")
            derived += [f"{domain}\\{name}" for name in bare if slash]
            derived += [f"{name}@{place}" for name in bare if at]
    return tuple(map(skeleton, given)), tuple(map(skeleton, derived))
