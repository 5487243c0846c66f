"""The encodings that a scenario file may name for its hostile text: id -> (encode, decode)."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple
from urllib.parse import quote, unquote

from soclab.decoding.escapes import html_unescape
from soclab.decoding.lookalikes import ZERO_WIDTH, disguise, fold, tags_to_ascii, to_tags

__all__ = ["ENCODINGS", "Encoding"]

_NO_ZERO_WIDTH: Final = dict.fromkeys(map(ord, ZERO_WIDTH))


class Encoding(NamedTuple):
    """
    A pair of functions, `decode(encode(text)) == text` for printable text that is not itself in this disguise
    (no tag, zero-width or look-alike characters). `decode` raises ValueError for what it never wrote.
    """

    encode: Callable[[str], str]
    decode: Callable[[str], str]


def _as_is(text: str) -> str:
    return text


def _base64(text: str) -> str:
    return b64encode(text.encode()).decode("ascii")


def _from_base64(text: str) -> str:
    return b64decode(text, validate=True).decode()


def _hex(text: str) -> str:
    return text.encode().hex()


def _from_hex(text: str) -> str:
    return bytes.fromhex(text).decode()


def _percent(text: str) -> str:
    return quote(text, safe="")


def _from_percent(text: str) -> str:
    return unquote(text, errors="strict")


def _entities(text: str) -> str:
    return "".join(f"&#{ord(character)};" for character in text)


def _interleaved(text: str) -> str:
    return (
        "".join(character + ZERO_WIDTH[place % len(ZERO_WIDTH)] for place, character in enumerate(text[:-1]))
        + text[-1:]
    )


def _without_zero_width(text: str) -> str:
    return text.translate(_NO_ZERO_WIDTH)


ENCODINGS: Final[Mapping[str, Encoding]] = MappingProxyType(
    {
        "E00": Encoding(_as_is, _as_is),
        "E01": Encoding(_base64, _from_base64),
        "E02": Encoding(_hex, _from_hex),
        "E03": Encoding(_percent, _from_percent),
        "E04": Encoding(_entities, html_unescape),
        "E07": Encoding(_interleaved, _without_zero_width),
        "E08": Encoding(to_tags, tags_to_ascii),
        "E10": Encoding(disguise, fold),
    }
)
