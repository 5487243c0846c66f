"""
The readable part of a world as one plain document, addressed by JSON pointers, changed by copying along a path.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from soclab.contracts.fixture import Entity, Fixture
from soclab.contracts.strict import JsonObject, JsonValue

__all__ = [
    "ChannelText",
    "Path",
    "canary_places",
    "document_of",
    "fill_canaries",
    "find_path",
    "replaced",
    "strings",
    "value_at",
]

Path = tuple[str | int, ...]


class ChannelText(str):
    """A text at a place that an attacker may write to: data like any other, but nobody is concerned by it."""

    __slots__ = ()


_CANARY = re.compile(r"\{\{canary:([A-Za-z0-9_.-]{1,64})\}\}")


def _entity(entity: Entity) -> JsonObject:
    return {
        "id": entity.id,
        "aliases": list(entity.aliases),
        "protected": entity.protected,
        "record": entity.record,
        "history": list(entity.history),
    }


def document_of(fixture: Fixture) -> JsonObject:
    """`alert`, and lists `identities`, `endpoints`, `indicators` and `events` in the fixture's order."""
    return {
        "alert": fixture.alert,
        "identities": [_entity(entity) for entity in fixture.identities],
        "endpoints": [_entity(entity) for entity in fixture.endpoints],
        "indicators": [_entity(entity) for entity in fixture.indicators],
        "events": [{"id": event.event_id, "record": event.record} for event in fixture.events],
    }


def _step(node: JsonValue, token: str) -> str | int | None:
    """The key or index that a pointer's token means here; lists of entities and events are addressed by id first."""
    if isinstance(node, dict):
        return token if token in node else None
    if not isinstance(node, list):
        return None
    for index, item in enumerate(node):
        if isinstance(item, dict) and item.get("id") == token:
            return index
    return int(token) if re.fullmatch(r"0|[1-9][0-9]{0,5}", token) and int(token) < len(node) else None


def find_path(document: JsonObject, pointer: str) -> Path | str:
    """
    The keys and indexes that a JSON pointer means.

    Returns:
        the path, or one sentence about what is wrong with the pointer.
    """
    if not pointer.startswith("/"):
        return "a pointer starts with /"
    path: list[str | int] = []
    node: JsonValue = document
    for token in pointer[1:].split("/"):
        step = _step(node, token.replace("~1", "/").replace("~0", "~"))
        if step is None:
            return f"nothing stands at {token!a} of {pointer!a}"
        path.append(step)
        node = value_at(node, (step,))
    return tuple(path)


def value_at(node: JsonValue, path: Path) -> JsonValue:
    """The value at a path that exists."""
    for step in path:
        if isinstance(node, dict):
            node = node[str(step)]
        else:
            assert isinstance(node, list)
            assert isinstance(step, int)
            node = node[step]
    return node


def _replace(node: JsonValue, path: Path, value: JsonValue) -> JsonValue:
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(node, dict):
        return {**node, str(step): _replace(node[str(step)], rest, value)}
    assert isinstance(node, list)
    assert isinstance(step, int)
    copy = list(node)
    copy[step] = _replace(node[step], rest, value)
    return copy


def replaced(document: JsonObject, values: Sequence[tuple[Path, str]]) -> JsonObject:
    """A new document with the texts at their paths; everything off the paths is shared."""
    for path, value in values:
        changed = _replace(document, path, value)
        assert isinstance(changed, dict)
        document = changed
    return document


def strings(node: JsonValue, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Every text value with its path, in document order; keys are not values."""
    if isinstance(node, str):
        yield path, node
    elif isinstance(node, dict):
        for key, value in node.items():
            yield from strings(value, (*path, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from strings(value, (*path, index))


def canary_places(document: JsonObject) -> tuple[tuple[Path, str, tuple[str, ...]], ...]:
    """Path, text and slots of every text that holds a `{{canary:SLOT}}`."""
    found = ((path, text, tuple(_CANARY.findall(text))) for path, text in strings(document) if "{{canary:" in text)
    return tuple(place for place in found if place[2])


def fill_canaries(text: str, canaries: Mapping[str, str]) -> str:
    """
    The text with each `{{canary:SLOT}}` replaced.

    Raises:
        KeyError: a slot has no canary.
    """
    return _CANARY.sub(lambda match: canaries[match[1]], text)
