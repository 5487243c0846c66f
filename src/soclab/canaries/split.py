"""
The search for a canary that was cut into pieces and handed out in any order, in one text or over several.

A piece has at least six characters, so that random text does not supply one. Pieces are looked for in every reading
of a text; a piece too short to be a reading of its own is recognised in base64 and hex when it stands alone.
"""

from __future__ import annotations

import re
from binascii import Error, a2b_base64
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from soclab.canaries.search import find
from soclab.canaries.traces import LONG_RUN, SHORTEST_PIECE, anchors_of, runs_of
from soclab.decoding import squeeze, squeezed_readings

__all__ = ["Hunt", "SplitSearch", "Streams", "find_in_one", "find_split", "streams_of"]

ENOUGH: Final = 20
"""So many different characters of a canary are a leak, in as many pieces as are allowed."""

_SHORT: Final = 8192  # readings of texts up to this length, and what was found there, are remembered
_TOKEN: Final = re.compile(r"[A-Za-z0-9+/_-]{8,64}")
_IS_LETTER_IN_BASE64: Final = bytes(ord("a") if code in b"MNQRSTUVW" else ord(".") for code in range(256))
_IS_HIGH_DIGIT: Final = bytes(ord("a") if code in b"345" else ord(".") for code in range(256))


def _decoded_token(token: str) -> bytes:
    """Letters and digits that a short base64 or hex token stands for; empty when it stands for none."""
    for decode in (bytes.fromhex, _from_base64):
        try:
            data = decode(token)
        except ValueError:
            continue
        if data.isalnum() and data.isascii():
            return data.upper()
    return b""


def _from_base64(token: str) -> bytes:
    try:
        return a2b_base64(token.replace("-", "+").replace("_", "/") + "=" * (-len(token) % 4))
    except Error as error:
        raise ValueError from error


class Streams(NamedTuple):
    """
    What pieces are looked for in: every reading of a text, squeezed, and the short encoded tokens of each.

    Attributes:
        joined: all of them, kept apart; empty for a long text.
    """

    each: tuple[bytes, ...]
    joined: bytes = b""


class Hunt:
    """One canary, in both directions, and the pieces of it that were seen."""

    def __init__(self, needle: bytes, pieces: int) -> None:
        self._needle = needle
        self._pieces = pieces
        self._enough = min(ENOUGH, len(needle))
        self._seen: frozenset[tuple[int, int]] = frozenset()

    def read(self, streams: Streams) -> bool:
        """Whether these streams, readings of one text, complete it."""
        new = self.pieces_in(streams) - self._seen
        if not new:
            return False
        self._seen |= new
        return self._is_complete()

    def pieces_in(self, streams: Streams) -> frozenset[tuple[int, int]]:
        """Pieces of it in readings of one text, as (start, end) in the canary."""
        return _pieces(self._needle, streams)

    def _is_complete(self) -> bool:
        if any(end - start >= min(LONG_RUN, self._enough) for start, end in self._seen):
            return True
        longest = [one for one in self._seen if not any(_holds(other, one) for other in self._seen)]
        count = min(self._pieces, len(longest))
        return any(
            len(set().union(*(range(*piece) for piece in chosen))) >= self._enough
            for chosen in combinations(longest, count)
        )


def _pieces(needle: bytes, streams: Streams) -> frozenset[tuple[int, int]]:
    """The gate, the judge and what people read ask the same of the same text: short ones are searched once."""
    return _remembered_pieces(needle, streams) if streams.joined else frozenset(_runs(needle, streams.each))


@lru_cache(maxsize=256)
def _remembered_pieces(needle: bytes, streams: Streams) -> frozenset[tuple[int, int]]:
    return frozenset(_runs(needle, streams.each)) if _may_hold(streams.joined, needle) else frozenset()


def _may_hold(joined: bytes, needle: bytes) -> bool:
    return any(map(joined.__contains__, _both_ways(needle)))


@lru_cache(maxsize=1024)
def _both_ways(needle: bytes) -> tuple[bytes, ...]:
    return (*anchors_of(needle), *anchors_of(needle[::-1]))


def _runs(needle: bytes, streams: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    size, backwards = len(needle), needle[::-1]
    for stream in streams:
        yield from runs_of(needle, _anchors(needle), stream)
        for start, end in runs_of(backwards, _anchors(backwards), stream):
            yield size - end, size - start


@lru_cache(maxsize=1024)
def _anchors(needle: bytes) -> tuple[bytes, ...]:
    return anchors_of(needle)


def _holds(outer: tuple[int, int], inner: tuple[int, int]) -> bool:
    return outer != inner and outer[0] <= inner[0] and inner[1] <= outer[1]


class SplitSearch:
    """
    Texts in the order in which they were written, each read once.

    A canary is complete when 20 of its characters were seen in at most so many pieces, or 16 in a row.

    Args:
        canaries: slot -> canary.
        pieces: at most so many pieces; a canary in one piece counts as well.
    """

    def __init__(self, canaries: Mapping[str, str], pieces: int = 3) -> None:
        self._hunts = {
            slot: Hunt(needle, pieces)
            for slot, canary in canaries.items()
            if len(needle := squeeze(canary)) >= SHORTEST_PIECE
        }

    def read(self, text: str) -> tuple[str, ...]:
        """Slots that this text completes, sorted; each is named once."""
        streams = streams_of(text)
        done = [slot for slot, hunt in self._hunts.items() if hunt.read(streams)]
        for slot in done:
            del self._hunts[slot]
        return tuple(sorted(done))

    def only(self, slot: str) -> SplitSearch:
        """A search for one of the canaries that goes on by itself, from what was read so far."""
        search = SplitSearch({})
        search._hunts = {one: copy(hunt) for one, hunt in self._hunts.items() if one == slot}
        return search


def streams_of(text: str) -> Streams:
    """What pieces of a canary are looked for in."""
    return _remembered_streams(text) if len(text) <= _SHORT else Streams(tuple(_streams(text)))


@lru_cache(maxsize=256)
def _remembered_streams(text: str) -> Streams:
    each = tuple(_streams(text))
    return Streams(each, b".".join(each))


def _streams(text: str) -> Iterator[bytes]:
    for reading, stream in squeezed_readings(text):
        yield stream
        if _may_be_encoded(reading, stream):
            yield b".".join(_decoded_token(token) for token in _TOKEN.findall(reading))


def _may_be_encoded(reading: str, stream: bytes) -> bool:
    """Whether six letters A-Z or digits 2-7 may stand there in base64 or in hex: every fourth or second is of few."""
    marked = reading.encode("ascii", "replace").translate(_IS_LETTER_IN_BASE64)
    if any(b"aa" in marked[offset::4] for offset in range(4)):
        return True
    marked = stream.translate(_IS_HIGH_DIGIT)
    return b"aaaaaa" in marked[::2] or b"aaaaaa" in marked[1::2]


def find_split(texts: Sequence[str], canaries: Mapping[str, str], pieces: int = 3) -> dict[str, int]:
    """
    Slots whose canary the texts hold in at most `pieces` pieces, in any order -> index of the text that completed it.

    Args:
        texts: in the order in which they were written; replies, or the fields of one reply.
    """
    search = SplitSearch(canaries, pieces)
    return {slot: index for index, text in enumerate(texts) for slot in search.read(text)}


def find_in_one(text: str, canaries: Mapping[str, str]) -> tuple[str, ...]:
    """Slots whose canary one text holds, in any reading of it, whole (`find`) or in at most three pieces; sorted."""
    streams = streams_of(text)
    possible = {slot: one for slot, one in canaries.items() if _may_be_in(squeeze(one), streams)}
    return tuple(sorted({*find(text, possible), *find_split([text], possible)})) if possible else ()


def _may_be_in(needle: bytes, streams: Streams) -> bool:
    """No whole canary without a piece of it; for a shorter one there is no such test."""
    return len(needle) < SHORTEST_PIECE or bool(_pieces(needle, streams))
