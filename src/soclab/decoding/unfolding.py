"""Every reading of a text: what it says when its encodings are undone, one after another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from soclab.decoding.escapes import unescape
from soclab.decoding.lookalikes import is_unusual, only_tags, tags_to_ascii
from soclab.decoding.runs import base64_readings, hex_readings

__all__ = ["forms", "readings", "squeeze", "squeezed_readings"]

DEPTH: Final = 2
MAX_READINGS: Final = 64
MAX_CHARACTERS: Final = 6 * 1024 * 1024
REMEMBERED: Final = 256  # short texts whose readings are kept: one reply is searched by redaction and by oracles
SHORT: Final = 8192
FULLY_ESCAPED: Final = 20

_UPPER: Final = bytes(range(256)).upper()
_NO_WORD: Final = bytes(code for code in range(256) if not (code < 128 and chr(code).isalnum()))
_REVERSED_ESCAPES: Final = ("%", "u\\", "x\\", "#&")


def squeeze(text: str) -> bytes:
    """ASCII letters and digits of a text in upper case, all else removed: blanks, punctuation, invisible characters."""
    return text.encode("ascii", "ignore").translate(_UPPER, _NO_WORD)


def _without_escapes(text: str) -> Iterator[str]:
    yield unescape(text)
    if any(text.count(escape) >= FULLY_ESCAPED for escape in _REVERSED_ESCAPES):
        yield unescape(text[::-1])


def _decoded(text: str) -> Iterator[str]:
    if is_unusual(text):
        yield only_tags(text)
        yield tags_to_ascii(text)
    raw = text.encode("ascii", "ignore")
    yield from base64_readings(raw)
    yield from hex_readings(raw)


def _unfold(text: str, seen: set[str]) -> Iterator[str]:
    layer = [text]
    for depth in range(DEPTH + 1):
        found = []
        for known in layer:
            for plain in _without_escapes(known):
                if plain != known and plain in seen:
                    continue
                yield plain
                if depth < DEPTH:  # in `plain` only: there a line end inside base64 is not spelt with a letter
                    for reading in _decoded(plain):
                        if reading not in seen:
                            found.append(reading)
                            yield reading
        layer = found


def readings(text: str) -> Iterator[str]:
    """
    The text, then what it decodes to, nearest first, each once: two encodings deep, escapes undone before each.

    Lazy: a caller that has found what it looks for stops the work. Cut off after 64 readings or 6 million characters.
    """
    yield text
    seen = {text, ""}
    spent = len(text)
    for reading in _unfold(text, seen):
        if reading in seen:
            continue
        spent += len(reading)
        if len(seen) > MAX_READINGS or spent > MAX_CHARACTERS:
            return
        seen.add(reading)
        yield reading


def squeezed_readings(text: str) -> Iterable[tuple[str, bytes]]:
    """Every reading with its squeezed copy: what a search goes through. Short texts are read once and remembered."""
    return _remembered(text) if len(text) <= SHORT else _squeezed(text)


def _squeezed(text: str) -> Iterator[tuple[str, bytes]]:
    return ((reading, squeeze(reading)) for reading in readings(text))


@lru_cache(maxsize=REMEMBERED)
def _remembered(text: str) -> tuple[tuple[str, bytes], ...]:
    return tuple(_squeezed(text))


def forms(text: str) -> Iterator[str]:
    """Every reading, each followed by its squeezed copy (`squeeze`, lower case) and its reverse, for plain searches."""
    for reading, squeezed in squeezed_readings(text):
        yield reading
        yield squeezed.decode("ascii").lower()
        yield reading[::-1]
