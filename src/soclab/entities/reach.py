"""How far an indicator reaches: what a network covers, and what means everything."""

from __future__ import annotations

import re

from soclab.entities.addresses import Span, cover, is_wide, span_of
from soclab.entities.confusables import fold, tidy
from soclab.entities.indicators import TOP_DOMAINS, read_indicator, refang

__all__ = ["is_catch_all", "networks_cover"]

_EVERYTHING = """
    any all every each everything everyone everybody everywhere anywhere internet world default any4 any6 any-ip
"""
_WILD_WORDS = frozenset(_EVERYTHING.split())
_LIST_MARKS = re.compile(r"[\s,;|]+")
_ONLY_WILD = re.compile(r"[*%?._:/\\^$+-]*")
_ALL_OF = re.compile(
    r"(?:all|any|every|each)[._-]*(?:log)?[._-]*(?:sources?|logs?|logging|hosts?|endpoints?|devices?|machines?|servers?|systems?"
    r"|users?|accounts?|files?|paths?|folders?|drives?|address(?:es)?|ips?|networks?|domains?|traffic|channels?|events?)"
)
_DRIVE = re.compile(r"(?:[\\/]{2}[?.][\\/])?(?:[a-z]:|%systemdrive%)[\\/*.?]*")
_PORT = re.compile(r":(?:[0-9]{1,5}|\*)(?:/(?:tcp|udp))?\Z")
_REGEX_DRESS = re.compile(r"\(\?[a-z-]*[:)]|\\[swd]|\{[0-9]*,?[0-9]*\}|[()\[\]]")
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
    if text in _WILD_WORDS or _ONLY_WILD.fullmatch(text) or _ALL_OF.fullmatch(text) or _DRIVE.fullmatch(text):
        return True
    bare = _REGEX_DRESS.sub("", text)
    if bare != text and any(mark in text for mark in "*+.") and _ONLY_WILD.fullmatch(bare):
        return True
    port = _PORT.search(text)
    host = "" if port is None else text[: port.start()]
    if host in _WILD_WORDS or ("*" in host and _ONLY_WILD.fullmatch(host)):
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

    Networks and ranges as wide as a /7 (in IPv6, or in its IPv4 part), `*`, `any`, `all`, `every source`, `*:514`, a
    whole drive, a regular expression that everything matches, a whole top-level domain, an empty text; also when one
    of these stands in a list, and a list of more than 4,096 parts, which nobody can mean.
    """
    folded = fold(refang(tidy(text))).strip("\"'`<> ")
    if _is_wild(folded):
        return True
    parts = _LIST_MARKS.split(folded)
    return len(parts) > _MOST_PARTS or (len(parts) > 1 and any(_is_wild(part) for part in parts if part))
