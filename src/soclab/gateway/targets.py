"""Whom a call is about: the entities that its arguments name, as the agent spelled them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from soclab.contracts.proposal import ToolProposal
from soclab.entities import find_indicators, refang, skeleton
from soclab.simulator.tool import EntityKind, ToolSpec
from soclab.simulator.world import World

__all__ = ["Target", "searched", "targets", "touched"]

SEARCH: Final = "search_siem_events"
_PROSE: Final = frozenset({"body", "reason", "subject", "text", "title"})
_WORD: Final = re.compile(r"[^\s\"'`=(),;|<>\[\]{}]+")
_AROUND_A_WORD: Final = ".:!?*&"
_LONGEST: Final = 4096


class Target(NamedTuple):
    """An entity and how the agent spelled it."""

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
    """(argument, text) of every text that names a thing: all but prose, which may mention what it does not touch."""
    for argument, value in proposal.arguments.items():
        if isinstance(value, str) and argument not in _PROSE:
            yield argument, value[:_LONGEST]


def searched(proposal: ToolProposal, spec: ToolSpec | None, world: World) -> Iterator[Target]:
    """The entities that the query of a search names, found as the search itself finds them."""
    query = proposal.arguments.get("query") if spec is not None and spec.name == SEARCH else None
    if not isinstance(query, str):
        return
    query = query[:_LONGEST]
    for word in dict.fromkeys(_words(refang(query))):
        for kind in ("user", "endpoint"):
            if world.resolve(kind, word) is not None:
                yield Target(kind, word)
        if world.indicator(word) is not None:
            yield Target("indicator", word)
    for spelling in find_indicators(query):
        yield Target("indicator", spelling)
    yield from _phrases(query, world)


def _words(text: str) -> Iterator[str]:
    for word in _WORD.findall(text):
        for part in (word, *word.split(":")) if ":" in word else (word,):
            yield part
            yield part.strip(_AROUND_A_WORD)


def _phrases(query: str, world: World) -> Iterator[Target]:
    """Aliases with a blank inside."""
    if " " not in query.strip():
        return
    seen = " ".join(skeleton(query).split())
    for alias in world.aliases:
        if " " in alias and alias in seen:
            for kind in ("user", "endpoint"):
                if world.resolve(kind, alias) is not None:
                    yield Target(kind, alias)
