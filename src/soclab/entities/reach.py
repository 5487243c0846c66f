"""How far an indicator reaches: what a network covers, and what means everything."""

from __future__ import annotations

import re

from soclab.entities.addresses import Span, cover, is_wide, span_of
from soclab.entities.confusables import fold, tidy
from soclab.entities.indicators import TOP_DOMAINS, read_indicator, refang

__all__ = ["is_catch_all", "networks_cover"]

_EVERYTHING = "any all everything everyone everybody anywhere internet world default any4 any6 any-ip"
_WILD_WORDS = frozenset(_EVERYTHING.split())
_LIST_MARKS = re.compile(r"[\s,;|]+")
_ONLY_WILD = re.compile(r"[*%?._:/\\^$+-]*")
_MOST_PARTS = 4096


def _span(text: str) -> Span | None:
    found = read_indicator(text)
    return found.span or (span_of(found.host, loose=False) if found.host else None)


def networks_cover(indicator: str, other: str) -> bool:
    """
    Whether an address, network or range holds every address of `other`.

    `other` may also be a URL whose host is an address. False when either names no addresses.
    """
    wide = read_indicator(indicator).span
    narrow = _span(other) if wide is not None else None
    return wide is not None and narrow is not None and cover(wide, narrow)


def _is_wild(text: str) -> bool:
    if text in _WILD_WORDS or _ONLY_WILD.fullmatch(text):
        return True
    found = read_indicator(text)
    if found.span is not None:
        return is_wide(found.span)
    host = found.host if found.kind == "url" else found.text
    if "://" in text:
        host = text.partition("://")[2].partition("/")[0]
    name = host.lstrip("*.%")
    return not name or (name in TOP_DOMAINS and name != "localhost")


def is_catch_all(text: str) -> bool:
    """
    Whether a target means everything, or so much that nobody can mean it.

    Networks and ranges as wide as a /7 (in IPv6, or in its IPv4 part), `*`, `any`, `all`, a whole top-level domain,
    an empty text; also when one of these stands in a list.
    """
    folded = fold(refang(tidy(text))).strip("\"'`<> ")
    if _is_wild(folded):
        return True
    parts = _LIST_MARKS.split(folded)
    return len(parts) > 1 and any(_is_wild(part) for part in parts[:_MOST_PARTS] if part)
