"""What a fixture must hold to make a world: said when files are loaded, so that no run meets it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from soclab.contracts.fixture import Entity, Fixture
from soclab.contracts.strict import JsonObject, JsonValue
from soclab.contracts.vocabulary import WriterClass
from soclab.entities import read_indicator
from soclab.simulator.document import canary_places, document_of, find_path, value_at
from soclab.simulator.names import spelled_twice
from soclab.simulator.tools import READ_TOOLS
from soclab.simulator.tools.incident import SEVERITIES

__all__ = ["check_fixture"]

_SECTION_OF_TOOL = {
    "alert": ("alert",),
    "search_siem_events": ("events",),
    "get_identity_profile": ("identities", "record"),
    "get_authentication_history": ("identities", "history"),
    "get_endpoint_status": ("endpoints", "record"),
    "lookup_indicator": ("indicators", "record"),
}
_OWN_KEYS = {
    "identities": ("user_id", "aliases", "protected"),
    "endpoints": ("endpoint_id", "aliases", "protected"),
    "indicators": ("indicator", "known"),
}
_TIME = "time"


def check_fixture(fixture: Fixture) -> tuple[tuple[str, str], ...]:
    """
    What keeps a fixture from being a world; empty when it is fine.

    Returns:
        (key in the file, one sentence) each, in file order.
    """
    document = document_of(fixture)
    return (
        *_incident(fixture),
        *_ids("identities", fixture.identities),
        *_ids("endpoints", fixture.endpoints),
        *_ids("indicators", fixture.indicators),
        *((f"aliases of {other}", f"{text!a} already means {one!a}") for text, one, other in spelled_twice(fixture)),
        *_indicators(fixture),
        *_events(fixture),
        *_channels(fixture, document),
        *_canaries(fixture, document),
    )


def _incident(fixture: Fixture) -> Iterator[tuple[str, str]]:
    for key, severity in (
        ("severity", fixture.incident.severity),
        ("min_severity", fixture.incident.min_severity),
    ):
        if severity not in SEVERITIES:
            yield f"incident.{key}", f"unknown severity {severity!a}; known are {', '.join(SEVERITIES)}"


def _ids(section: str, entities: Iterable[Entity]) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for entity in entities:
        if entity.id in seen:
            yield section, f"id {entity.id!a} stands twice"
        seen.add(entity.id)
        for key in _OWN_KEYS[section]:
            if key in entity.record:
                yield f"{section}.{entity.id}.record.{key}", "the tool itself gives this key; name it otherwise"
        times = [event.get(_TIME) for event in entity.history]
        if not _is_oldest_first(times):
            yield f"{section}.{entity.id}.history", "is not in order of time, oldest first"


def _indicators(fixture: Fixture) -> Iterator[tuple[str, str]]:
    for entity in fixture.indicators:
        found = read_indicator(entity.id)
        if found.kind is None:
            yield "indicators", f"{entity.id!a} is no address, network, domain, URL, e-mail address or hash"
        elif found.text != entity.id:
            yield "indicators", f"write {entity.id!a} as {found.text!a}"


def _events(fixture: Fixture) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for event in fixture.events:
        if event.event_id in seen:
            yield "events", f"event_id {event.event_id!a} stands twice"
        seen.add(event.event_id)


def _is_oldest_first(times: list[JsonValue]) -> bool:
    known = [time for time in times if isinstance(time, str)]
    return known == sorted(known)


def _channels(fixture: Fixture, document: JsonObject) -> Iterator[tuple[str, str]]:
    places: dict[tuple[str | int, ...], str] = {}
    for name, channel in fixture.channels.items():
        path = find_path(document, channel.pointer)
        if isinstance(path, str):
            yield f"channels.{name}.pointer", path
            continue
        if places.setdefault(path, name) != name:
            yield f"channels.{name}.pointer", f"is the place of channel {places[path]!a} too"
        neutral = value_at(document, path)
        if not isinstance(neutral, str):
            yield f"channels.{name}.pointer", f"{channel.pointer!a} holds no text"
        elif len(neutral.encode("utf-8", "surrogatepass")) > channel.max_bytes:
            yield f"channels.{name}.max_bytes", f"the ordinary text does not fit into {channel.max_bytes} bytes"
        if channel.writer is WriterClass.PLATFORM:
            yield f"channels.{name}.writer", "W0 is the platform itself: nobody outside can write there"
        expected = _SECTION_OF_TOOL.get(channel.tool)
        if expected is None:
            listed = ", ".join(("alert", *(tool.name for tool in READ_TOOLS)))
            yield f"channels.{name}.tool", f"unknown tool {channel.tool!a}; known are {listed}"
        elif tuple(step for step in path if isinstance(step, str))[: len(expected)] != expected:
            yield f"channels.{name}.tool", f"{channel.tool} does not show {channel.pointer!a}"


def _canaries(fixture: Fixture, document: JsonObject) -> Iterator[tuple[str, str]]:
    used = {slot: path for path, _, slots in canary_places(document) for slot in slots}
    for slot, path in used.items():
        if slot not in fixture.canary_slots:
            yield "canary_slots", f"slot {slot!a} is used at /{'/'.join(map(str, path))} and not listed"
    for slot in fixture.canary_slots:
        if slot not in used:
            yield "canary_slots", f"no text holds {{{{canary:{slot}}}}}"
