"""
A world made ready once for each fixture and injection; thousands of runs share it and never change it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from soclab.contracts.fixture import Fixture
from soclab.contracts.scenario_v1 import Injection
from soclab.contracts.strict import JsonObject, JsonValue
from soclab.entities import fold
from soclab.errors import LabFault
from soclab.simulator.document import (
    ChannelText,
    Path,
    canary_places,
    document_of,
    find_path,
    replaced,
    strings,
    value_at,
)
from soclab.simulator.events import EventIndex
from soclab.simulator.injection import check_injection, encoded_payload, injected_text, injection_place
from soclab.simulator.names import Names
from soclab.simulator.protection import Protection
from soclab.simulator.state import initial_state
from soclab.simulator.tool import EntityKind

__all__ = ["PreparedWorld", "prepared"]

_LONGEST_NAME = 1024
_MEMORY = 4096
_KEPT = 256


class PreparedWorld:
    """
    Attributes:
        document: readable part, payload in its place, canaries still as `{{canary:SLOT}}`.
        payload: the hostile text as it stands there, encoded, without prefix and suffix; None in a clean world.
        places: where canaries go: path, text, slots.
        names, protection, state: what the world starts with.
    """

    def __init__(self, fixture: Fixture, injection: Injection | None) -> None:
        self.fixture = fixture
        self.document = document_of(fixture)
        self.payload: str | None = None
        if injection is not None:
            wrong = (*_pointer_problem(fixture, injection), *check_injection(fixture, injection))
            if wrong:
                raise LabFault(f"injection does not fit world {fixture.name!a}: {wrong[0][0]}: {wrong[0][1]}")
            place = injection_place(self.document, fixture, injection)
            self.document = replaced(self.document, [(place, injected_text(injection))])
            self.payload = encoded_payload(injection)
        self.document = replaced(self.document, list(_channel_texts(self.document, fixture)))
        self.places = canary_places(self.document)
        self.names = Names(fixture)
        self.aliases = self.names.aliases()
        self.positions = {
            "user": {entity.id: place for place, entity in enumerate(fixture.identities)},
            "endpoint": {entity.id: place for place, entity in enumerate(fixture.endpoints)},
            "indicator": {entity.id: place for place, entity in enumerate(fixture.indicators)},
        }
        self.protection = Protection(fixture, self.names)
        self.state = initial_state(fixture)
        self._named: dict[str, frozenset[tuple[EntityKind, str]]] = {}

    @cached_property
    def events(self) -> EventIndex:
        """Which events a query selects: no agent asks at once, and most worlds of a short session are never asked."""
        incident = [place for place, event in enumerate(self.fixture.events) if event.incident]
        return EventIndex(self.names, _list(self.document["events"]), incident)

    @cached_property
    def incident_entities(self) -> frozenset[tuple[EntityKind, str]]:
        """Those the fixture marks, and those that whole values of the alert name."""
        fixture = self.fixture
        kinds: tuple[tuple[EntityKind, tuple[str, ...]], ...] = (
            ("user", tuple(entity.id for entity in fixture.identities if entity.in_incident)),
            ("endpoint", tuple(entity.id for entity in fixture.endpoints if entity.in_incident)),
            ("indicator", tuple(entity.id for entity in fixture.indicators if entity.in_incident)),
        )
        marked = {(kind, entity_id) for kind, ids in kinds for entity_id in ids}
        return frozenset(marked) | self.entities_in(self.document["alert"])

    @cached_property
    def mentioned(self) -> frozenset[tuple[EntityKind, str]]:
        """Every entity that a whole value anywhere in the readable part names."""
        return self._named_by(_texts(self.document))

    @cached_property
    def _all_text(self) -> str:
        return "\x00".join(fold(text) for _, text in strings(self.document))

    def occurs(self, text: str) -> bool:
        """Whether the text stands anywhere in the readable part, case folded, also inside a longer text."""
        folded = fold(text)
        return bool(folded) and folded in self._all_text

    def entities_in(self, value: JsonValue) -> frozenset[tuple[EntityKind, str]]:
        """The entities that whole text values inside a JSON value name; never free text, never a channel's text."""
        return self._named_by(text for text in _texts(value) if type(text) is not ChannelText)

    def _named_by(self, texts: Iterable[str]) -> frozenset[tuple[EntityKind, str]]:
        found: set[tuple[EntityKind, str]] = set()
        for text in texts:
            found |= self._whole(text)
        return frozenset(found)

    def _whole(self, text: str) -> frozenset[tuple[EntityKind, str]]:
        known = self._named.get(text)
        if known is None:
            if len(text) > _LONGEST_NAME:
                return frozenset()
            known = self.names.whole(text)
            if len(self._named) < _MEMORY:
                self._named[text] = known
        return known


def _texts(value: JsonValue) -> Iterator[str]:
    """Every text value, in no special order; deep values cost no recursion."""
    open_values = [value]
    while open_values:
        current = open_values.pop()
        if isinstance(current, str):
            yield current
        elif isinstance(current, dict):
            open_values += current.values()
        elif isinstance(current, list):
            open_values += current


def _channel_texts(document: JsonObject, fixture: Fixture) -> Iterator[tuple[Path, ChannelText]]:
    for channel in fixture.channels.values():
        path = find_path(document, channel.pointer)
        text = None if isinstance(path, str) else value_at(document, path)
        if isinstance(path, tuple) and isinstance(text, str):
            yield path, ChannelText(text)


def _list(value: JsonValue) -> list[JsonValue]:
    assert isinstance(value, list)
    return value


def _pointer_problem(fixture: Fixture, injection: Injection) -> Iterator[tuple[str, str]]:
    channel = fixture.channels.get(injection.channel)
    path = None if channel is None else find_path(document_of(fixture), channel.pointer)
    if isinstance(path, str):
        yield "channel", path


_READY: dict[tuple[int, Injection | None], PreparedWorld] = {}


def prepared(fixture: Fixture, injection: Injection | None) -> PreparedWorld:
    """
    The world made ready; the same object for the same fixture object and an equal injection.

    Raises:
        LabFault: the injection does not fit; scenario loading should have said so.
    """
    key = (id(fixture), injection)
    ready = _READY.get(key)
    if ready is None or ready.fixture is not fixture:
        if len(_READY) >= _KEPT:
            _READY.pop(next(iter(_READY)), None)
        ready = _READY[key] = PreparedWorld(fixture, injection)
    return ready
