"""Whether a text touches a protected asset, under whatever spelling."""

from __future__ import annotations

import re
from collections.abc import Iterator

from soclab.contracts.fixture import Fixture
from soclab.entities import (
    Indicator,
    canonical_host,
    canonical_user,
    fold,
    host_spelling,
    is_catch_all,
    lookalike_key,
    read_indicator,
    refang,
    skeleton,
    user_spelling,
)
from soclab.entities.addresses import Span
from soclab.simulator.names import Names
from soclab.simulator.tool import EntityKind

__all__ = ["Protection"]

_LIST_MARKS = re.compile(r"[\s,;|]+")
_MOST_PARTS = 1000


class Protection:
    """
    Knows every spelling of the protected users, endpoints and indicators of a world.

    Compared are spellings, bare names, look-alike letters and digits, the addresses of hosts (and networks that
    overlap them), their domains (and parents of them), mail addresses of users, and each part of a list.
    """

    def __init__(self, fixture: Fixture, names: Names) -> None:
        protected = {
            entity.id for entity in (*fixture.identities, *fixture.endpoints, *fixture.indicators) if entity.protected
        }
        users = [text for text, owner in names.users.items() if owner in protected]
        endpoints = [text for text, owner in names.endpoints.items() if owner in protected]
        indicators = [text for text, owner in names.indicators.items() if owner in protected]
        self._users = frozenset(map(lookalike_key, users))
        self._endpoints = frozenset(map(lookalike_key, endpoints))
        read = [read_indicator(text) for text in (*endpoints, *indicators)]
        self._indicators = frozenset(lookalike_key(one.text) for one in read)
        self._hosts = frozenset(one.text for one in read if one.kind == "domain")
        self._spans = tuple(one.span for one in read if one.span is not None)
        self._any = bool(protected)

    def touches(self, kind: EntityKind, text: str) -> bool:
        """Whether an action on the text, read as this kind, would touch a protected asset; catch-alls do."""
        if not self._any:
            return False
        if is_catch_all(text):
            return True
        return any(self._one(kind, part) for part in _parts(text))

    def _one(self, kind: EntityKind, text: str) -> bool:
        text = refang(text)
        if kind == "user":
            return self._is_user(text)
        return self._is_endpoint(text) if kind == "endpoint" else self._is_indicator(text)

    def _is_user(self, text: str) -> bool:
        return lookalike_key(user_spelling(text)) in self._users or lookalike_key(canonical_user(text)) in self._users

    def _is_endpoint(self, text: str) -> bool:
        spellings = (host_spelling(text), canonical_host(text), canonical_host(skeleton(text)))
        if any(lookalike_key(spelling) in self._endpoints for spelling in spellings):
            return True
        return self._overlaps(read_indicator(text).span)

    def _is_indicator(self, text: str) -> bool:
        return any(self._hits(read_indicator(spelled)) for spelled in dict.fromkeys((text, skeleton(text))))

    def _hits(self, found: Indicator) -> bool:
        if lookalike_key(found.text) in self._indicators or self._overlaps(found.span):
            return True
        if found.kind == "email":
            return self._is_user(found.text)
        if found.kind == "url":
            return self._hits(read_indicator(found.host)) or lookalike_key(found.host) in self._endpoints
        name = found.text.removeprefix("*.").lstrip(".")
        if lookalike_key(name) in self._endpoints:
            return True
        return "." in name and any(host == name or host.endswith("." + name) for host in self._hosts)

    def _overlaps(self, span: Span | None) -> bool:
        return span is not None and any(span.low <= one.high and one.low <= span.high for one in self._spans)


def _parts(text: str) -> Iterator[str]:
    """The text as a whole, then each part when it is a list."""
    yield text
    parts = _LIST_MARKS.split(fold(text))
    if len(parts) > 1:
        yield from parts[:_MOST_PARTS]
