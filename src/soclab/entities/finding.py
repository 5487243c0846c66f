"""Indicators inside free text: queries, notes, command lines."""

from __future__ import annotations

import re
from functools import lru_cache

from soclab.entities.confusables import CACHED_LENGTH, tidy
from soclab.entities.indicators import read_indicator, refang

__all__ = ["find_indicators"]

_OCTET = r"(?:0x[0-9a-f]{1,4}|[0-9]{1,4})"
_CANDIDATE = re.compile(
    r"(?P<url>\b[a-z][a-z0-9+.-]{1,15}://[^\s\"'`<>|^{}\\]+)"
    r"|(?P<email>[\w.!#$%&*+/=?^~-]{1,64}@(?:[\w-]{1,63}\.)+[\w-]{2,63})"
    r"|(?<![\w:.])(?P<v6>(?=[0-9a-f]{0,4}:[0-9a-f]{0,4}:)[0-9a-f:]{2,39}(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3})?"
    r"(?:/[0-9]{1,3})?)(?![\w:]|\.[0-9])"
    rf"|(?<![\w.])(?P<v4>{_OCTET}(?:\.{_OCTET}){{3}}(?:/[0-9]{{1,2}})?)(?![\w-]|\.\w)"
    r"|(?<![0-9a-z])(?P<hash>[0-9a-f]{128}|[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})(?![0-9a-z])"
    r"|(?<![\w@.\\/-])(?P<domain>(?:[\w-]{1,63}\.)+[\w-]{2,63})(?![\w\\@(]|\s?[:=][^/0-9])",
    re.IGNORECASE,
)
_AFTER_A_URL = ".,;:!?)]}'\""


def _find(text: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for match in _CANDIDATE.finditer(refang(tidy(text))):
        words = match[0].rstrip(_AFTER_A_URL) if match.lastgroup == "url" else match[0]
        indicator = read_indicator(words)
        if indicator.plain:
            found[indicator.text] = None
    return tuple(found)


_cached = lru_cache(maxsize=4096)(_find)


def find_indicators(text: str) -> tuple[str, ...]:
    """
    The indicators in a free text, canonical, in order of appearance, each once; defanged ones too.

    A dotted word is a domain only with a top-level domain that names of people, files and query fields do not have.
    """
    return _cached(text) if len(text) <= CACHED_LENGTH else _find(text)
