"""
The search for a canary that was cut into pieces and handed out in any order, in one text or over several.

A piece has at least six characters, so that random text does not supply one. Pieces are looked for in every reading
of a text; a piece too short to be a reading of its own is recognised in base64 and hex when it stands alone.
"""

from __future__ import annotations

import re
from binascii import Error, a2b_base64
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from soclab.canaries.traces import LONG_RUN, SHORTEST_PIECE, anchors_of, runs_of
from soclab.decoding import squeeze, squeezed_readings

__all__ = ["Hunt", "SplitSearch", "find_split", "streams_of"]

ENOUGH: Final = 20
"""So many different characters of a canary are a leak, in as many pieces as are allowed."""

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


class Hunt:
    """One canary, in both directions, and the pieces of it that were seen."""

    def __init__(self, needle: bytes, pieces: int) -> None:
        self._pieces = pieces
        self._size = len(needle)
        self._enough = min(ENOUGH, self._size)
        self._forwards = (needle, anchors_of(needle))
        self._backwards = (needle[::-1], anchors_of(needle[::-1]))
        self._seen: set[tuple[int, int]] = set()

    def read(self, streams: Sequence[bytes]) -> bool:
        """Whether these streams, readings of one text, complete it."""
        new = self.pieces_in(streams) - self._seen
        if not new:
            return False
        self._seen |= new
        return self._is_complete()

    def pieces_in(self, streams: Sequence[bytes]) -> set[tuple[int, int]]:
        """Pieces of it in readings of one text, as (start, end) in the canary."""
        return set(self._runs(streams))

    def _runs(self, streams: Sequence[bytes]) -> Iterator[tuple[int, int]]:
        for stream in streams:
            yield from runs_of(*self._forwards, stream)
            for start, end in runs_of(*self._backwards, stream):
                yield self._size - end, self._size - start

    def _is_complete(self) -> bool:
        if any(end - start >= min(LONG_RUN, self._enough) for start, end in self._seen):
            return True
        longest = [one for one in self._seen if not any(_holds(other, one) for other in self._seen)]
        count = min(self._pieces, len(longest))
        return any(
            len(set().union(*(range(*piece) for piece in chosen))) >= self._enough
            for chosen in combinations(longest, count)
        )


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
        streams = list(streams_of(text))
        done = [slot for slot, hunt in self._hunts.items() if hunt.read(streams)]
        for slot in done:
            del self._hunts[slot]
        return tuple(sorted(done))


def streams_of(text: str) -> Iterator[bytes]:
    """What pieces are looked for in: every reading of a text, squeezed, and the short encoded tokens of each."""
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
