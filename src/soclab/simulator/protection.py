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

_LIST_MARKS = re.compile(r"[\s,;|()<>{}\"'=]+")
_MOST_PARTS = 1000
_NONE: frozenset[str] = frozenset()


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
        users = {text: owner for text, owner in names.users.items() if owner in protected}
        endpoints = {text: owner for text, owner in names.endpoints.items() if owner in protected}
        indicators = {text: owner for text, owner in names.indicators.items() if owner in protected}
        self._users = {lookalike_key(text): owner for text, owner in users.items()}
        self._endpoints = {lookalike_key(text): owner for text, owner in endpoints.items()}
        read = [(read_indicator(text), owner) for text, owner in (*endpoints.items(), *indicators.items())]
        self._indicators = {lookalike_key(one.text): owner for one, owner in read}
        self._hosts = {one.text: owner for one, owner in read if one.kind == "domain"}
        self._spans = tuple((one.span, owner) for one, owner in read if one.span is not None)
        self._first = min(protected, default=None)

    def hits(self, kind: EntityKind, text: str) -> frozenset[str]:
        """
        Ids of the protected assets that an action on the text, read as this kind, would touch; one each for a part of
        a list, one for a catch-all.
        """
        if self._first is None:
            return _NONE
        if is_catch_all(text):
            return frozenset((self._first,))
        return frozenset(owner for part in _parts(text) if (owner := self._one(kind, part)) is not None)

    def _one(self, kind: EntityKind, text: str) -> str | None:
        text = refang(text)
        if kind == "user":
            return self._user(text)
        return self._endpoint(text) if kind == "endpoint" else self._indicator(text)

    def _user(self, text: str) -> str | None:
        return self._users.get(lookalike_key(user_spelling(text))) or self._users.get(
            lookalike_key(canonical_user(text))
        )

    def _endpoint(self, text: str) -> str | None:
        for spelling in (host_spelling(text), canonical_host(text), canonical_host(skeleton(text))):
            owner = self._endpoints.get(lookalike_key(spelling))
            if owner is not None:
                return owner
        return self._overlapped(read_indicator(text).span)

    def _indicator(self, text: str) -> str | None:
        hits = (self._read(read_indicator(spelled)) for spelled in dict.fromkeys((text, skeleton(text))))
        return next((owner for owner in hits if owner is not None), None)

    def _read(self, found: Indicator) -> str | None:
        owner = self._indicators.get(lookalike_key(found.text)) or self._overlapped(found.span)
        if owner is not None:
            return owner
        if found.kind == "email":
            return self._user(found.text)
        if found.kind == "url":
            return self._read(read_indicator(found.host)) or self._endpoints.get(lookalike_key(found.host))
        name = found.text.removeprefix("*.").lstrip(".")
        owner = self._endpoints.get(lookalike_key(name))
        if owner is not None or "." not in name:
            return owner
        return next((own for host, own in self._hosts.items() if host == name or host.endswith("." + name)), None)

    def _overlapped(self, span: Span | None) -> str | None:
        if span is None:
            return None
        return next((owner for one, owner in self._spans if span.low <= one.high and one.low <= span.high), None)


def _parts(text: str) -> Iterator[str]:
    """The text as a whole, then each part when it is a list."""
    yield text
    parts = _LIST_MARKS.split(fold(text))
    if len(parts) > 1:
        yield from parts[:_MOST_PARTS]
