"""Escapes that stand inside a text: JSON and program escapes, HTML entities, URL percent."""

from __future__ import annotations

import re
from html.entities import html5
from typing import Final
from urllib.parse import unquote

from soclab.decoding.lookalikes import fold

__all__ = ["html_unescape", "json_unescape", "unescape", "url_unescape"]

ROUNDS: Final = 5

_BACKSLASH: Final = re.compile(
    r"\\(?:u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|U([0-9a-fA-F]{8})|([\\/\"'bfnrt])|(x[0-9a-fA-F]{2}(?:\\x[0-9a-fA-F]{2})*))"
)
_SIMPLE: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_ENTITY: Final = re.compile(r"&(?:#0{0,16}([0-9]{1,7})|#[xX]0{0,16}([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));?")
_WIDE_PERCENT: Final = re.compile(r"%u([0-9a-fA-F]{4})")
_SURROGATE: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def _character(code: int) -> str:
    return chr(code) if code <= 0x10FFFF else "\ufffd"


def _pair(match: re.Match[str]) -> str:
    return match[0].encode("utf-16", "surrogatepass").decode("utf-16")


def _backslash(match: re.Match[str]) -> str:
    simple, octets = match[4], match[5]
    if simple is not None:
        return _SIMPLE.get(simple, simple)
    if octets is not None:
        return bytes.fromhex(octets.replace("\\x", "")[1:]).decode("utf-8", "replace")
    return _character(int(match[1] or match[2] or match[3], 16))


def _entity(match: re.Match[str]) -> str:
    if match[1] is not None:
        return _character(int(match[1]))
    if match[2] is not None:
        return _character(int(match[2], 16))
    return html5.get(match[3] + ";", match[0])


def json_unescape(text: str) -> str:
    r"""One layer of `\uXXXX`, `\u{X}`, `\xXX` and single-letter escapes removed; surrogate pairs joined."""
    return _SURROGATE.sub(_pair, _BACKSLASH.sub(_backslash, text)) if "\\" in text else text


def html_unescape(text: str) -> str:
    """One layer of named, decimal and hexadecimal entities removed; unknown names stay."""
    return _ENTITY.sub(_entity, text) if "&" in text else text


def url_unescape(text: str) -> str:
    """One layer of `%XX` and `%uXXXX` removed; bytes that are no UTF-8 become U+FFFD. A plus stays a plus."""
    if "%" not in text:
        return text
    return unquote(_WIDE_PERCENT.sub(lambda match: chr(int(match[1], 16)), text), errors="replace")


def unescape(text: str) -> str:
    """All of them and `fold`, in rounds until nothing changes (at most 5 rounds): nested and mixed escapes."""
    for _ in range(ROUNDS):
        before = text
        text = url_unescape(html_unescape(fold(json_unescape(text))))
        if text == before:
            break
    return text
