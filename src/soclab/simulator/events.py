"""Which events a free-text query selects: those that hold an entity it names, canonically compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from soclab.contracts.strict import JsonValue
from soclab.entities import find_indicators, fold, networks_cover, read_indicator, refang
from soclab.simulator.document import strings
from soclab.simulator.names import Names
from soclab.simulator.tool import EntityKind

__all__ = ["EventIndex", "entities_of_text"]

_Key = tuple[EntityKind, str]
_WORD = re.compile(r"[^\s\"'`=(),;|<>\[\]{}]+")
_AROUND_A_WORD = ".:!?*&"


def _named_in(text: str, names: Names) -> Iterator[_Key]:
    """Users and endpoints in the words of a text, in any spelling."""
    for word in _WORD.findall(text):
        parts = (word, *word.split(":")) if ":" in word else (word,)
        for part in parts:
            bare = part.strip(_AROUND_A_WORD)
            for spelling in (part, bare) if bare != part else (part,):
                user, endpoint = names.user(spelling), names.endpoint(spelling)
                if user is not None:
                    yield "user", user
                if endpoint is not None:
                    yield "endpoint", endpoint
                known = names.indicators.get(read_indicator(spelling).text)
                if known is not None:
                    yield "indicator", known
    if names.phrases:
        folded = " ".join(fold(text).split())
        for phrase in names.phrases:
            if phrase in folded:
                yield from names.whole(phrase)


def entities_of_text(text: str, names: Names) -> dict[_Key, None]:
    """Every entity that a free text names, in order of appearance by kind."""
    found = dict.fromkeys(_named_in(refang(text), names))
    for spelling in find_indicators(text):
        found["indicator", names.indicators.get(spelling, spelling)] = None
    return found


class EventIndex:
    """
    Args:
        events: `id` and `record` of each, in order of the records' `time` where all have one, else as given.
        incident: positions of the events of this incident.
    """

    def __init__(self, names: Names, events: Sequence[JsonValue], incident: Iterable[int]) -> None:
        self._names = names
        self._rank = _ranks(events)
        self._incident = tuple(sorted(incident, key=self._rank.__getitem__))
        self._positions: dict[_Key, set[int]] = {}
        for position, event in enumerate(events):
            for _, text in strings(event):
                self._enter(text, position)
        self._addresses = tuple(key for key in self._positions if key[0] == "indicator" and read_indicator(key[1]).span)

    def _enter(self, text: str, position: int) -> None:
        for key in {*self._names.whole(text), *entities_of_text(text, self._names)}:
            self._positions.setdefault(key, set()).add(position)
            host = read_indicator(key[1]).host if key[0] == "indicator" else ""
            if host:
                self._positions.setdefault(("indicator", host), set()).add(position)

    def __contains__(self, key: _Key) -> bool:
        return key in self._positions

    def select(self, query: str) -> tuple[int, ...]:
        """
        Positions of the events that hold one of the query's entities, newest last.

        A network selects what lies in it, a URL that no event holds its host. Without an entity: the incident's.
        """
        named = entities_of_text(query, self._names)
        if not named:
            return self._incident
        found: set[int] = set()
        for key in named:
            found |= self._held(key)
        return tuple(sorted(found, key=self._rank.__getitem__))

    def _held(self, key: _Key) -> set[int]:
        kind, text = key
        if kind != "indicator":
            return self._positions.get(key, set())
        indicator = read_indicator(text)
        if indicator.kind == "network":
            inside = (self._positions[one] for one in self._addresses if networks_cover(text, one[1]))
            return set().union(*inside)
        held = self._positions.get(key, set())
        if not held and indicator.kind == "url":
            return self._positions.get(("indicator", indicator.host), set())
        return held


def _ranks(events: Sequence[JsonValue]) -> list[int]:
    """The place of each event in order of time; the order of writing decides between equal times."""
    records = [event.get("record") if isinstance(event, dict) else None for event in events]
    times = [record.get("time") if isinstance(record, dict) else None for record in records]
    known = [time for time in times if isinstance(time, str)]
    if len(known) < len(events):
        return list(range(len(events)))
    ranks = [0] * len(events)
    for rank, position in enumerate(sorted(range(len(events)), key=known.__getitem__)):
        ranks[position] = rank
    return ranks
