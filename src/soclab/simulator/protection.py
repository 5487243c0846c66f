"""Whether a text touches a protected asset, under whatever spelling."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase

from soclab.contracts.fixture import Fixture
from soclab.entities import (
    Indicator,
    address_tokens,
    canonical_host,
    canonical_user,
    fold,
    host_spelling,
    is_catch_all,
    lookalike_key,
    name_tokens,
    read_indicator,
    refang,
    skeleton,
    user_spelling,
)
from soclab.entities.addresses import Span, embedded
from soclab.simulator.names import Names
from soclab.simulator.tool import EntityKind

__all__ = ["Protection"]

_LIST_MARKS = re.compile(r"[\s,;|()<>{}\"'=]+")
_WILD = re.compile(r"[*?%]")
_PORT = re.compile(r":[0-9]{1,5}$")
_MOST_PARTS = 1000
_LONGEST = 4096
_NONE: frozenset[str] = frozenset()


class Protection:
    """
    Knows every spelling of the protected users, endpoints and indicators of a world.

    Compared are spellings, bare names, look-alike letters and digits, the addresses of hosts (and networks that
    overlap them, and IPv6 forms that carry them), their domains (and parents of them), mail addresses of users, wild
    cards that cover them; each part of a list, and each word in it that is a whole name (`name_tokens`).
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
        a list, one for a catch-all, for a text longer than 4,096 characters and for a list of more than 1,000 parts.
        """
        if self._first is None:
            return _NONE
        if len(text) > _LONGEST or is_catch_all(text):
            return frozenset((self._first,))
        parts, words = _parts(text), name_tokens(text)
        if len(parts) > _MOST_PARTS or len(words) > _MOST_PARTS:
            return frozenset((self._first,))
        owners = {self._one(kind, part) for part in dict.fromkeys(parts)}
        owners.update(self._word(kind, word) for word in words)
        if kind != "user":
            owners.update(self._overlapped(span) for span in address_tokens(text))
        return frozenset(owner for owner in owners if owner is not None)

    def _word(self, kind: EntityKind, word: str) -> str | None:
        """Only who bears this very name: a domain that is part of somebody's mail address names no host below it."""
        if kind == "user":
            return self._users.get(lookalike_key(word))
        if kind == "endpoint":
            return self._endpoints.get(lookalike_key(word)) or self._endpoints.get(lookalike_key(canonical_host(word)))
        return self._indicators.get(lookalike_key(word))

    def _covered(self, spellings: Mapping[str, str], text: str) -> str | None:
        """Whom a wild card covers: `bg-*`, `*@example.com`, and the bare domain `@example.com`."""
        pattern = lookalike_key(_PORT.sub("", text.strip()))
        pattern = _WILD.sub(lambda mark: "?" if mark[0] == "?" else "*", pattern)
        pattern = "*" + pattern if pattern.startswith("@") else pattern
        if not _WILD.search(pattern):
            return None
        pattern = pattern.replace("[", "[[]")
        return next((owner for spelling, owner in spellings.items() if fnmatchcase(spelling, pattern)), None)

    def _one(self, kind: EntityKind, text: str) -> str | None:
        text = refang(text)
        if kind == "user":
            return self._user(text) or self._covered(self._users, text)
        if kind == "endpoint":
            return self._endpoint(text) or self._covered(self._endpoints, text)
        return self._indicator(text)

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
        spans = (span, *embedded(span))
        return next(
            (own for one, own in self._spans for each in spans if each.low <= one.high and one.low <= each.high), None
        )


def _parts(text: str) -> list[str]:
    """The text as a whole, then each part when it is a list."""
    parts = _LIST_MARKS.split(fold(text))
    return [text, *parts] if len(parts) > 1 else [text]
