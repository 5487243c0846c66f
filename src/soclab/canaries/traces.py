"""How much of one canary stands in a text: runs of consecutive characters, squeezed (`soclab.decoding`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

__all__ = ["LONG_RUN", "SHORTEST_PIECE", "LongRun", "anchors_of", "runs_of"]

LONG_RUN: Final = 16
"""So many characters in a row give 80 bits: they do not stand in a text by chance."""

SHORTEST_PIECE: Final = 6
_ANCHOR: Final = 4
_SPREAD: Final = 3  # every piece holds an anchor: one begins at each of its first three places


class LongRun:
    """
    Tells whether a text holds 16 characters in a row of one canary; all of it when that is shorter than 20.

    All runs of so many characters share those in the middle: one search for them answers nearly every text.
    """

    __slots__ = ("_before", "_length", "_middle", "_needle")

    def __init__(self, needle: bytes) -> None:
        size = len(needle)
        self._length = LONG_RUN if LONG_RUN + _ANCHOR <= size <= 2 * LONG_RUN - _ANCHOR else size
        self._needle = needle
        self._before = size - self._length
        self._middle = needle[self._before : self._length]

    def is_in(self, stream: bytes) -> bool:
        """Whether the squeezed text holds such a run."""
        if self._middle not in stream or not self._needle:
            return False
        starts = range(self._before + 1)
        return any(self._needle[start : start + self._length] in stream for start in starts)


def anchors_of(needle: bytes) -> tuple[bytes, ...]:
    """Short parts of which every piece of six characters or more holds one."""
    starts = range(_SPREAD - 1, len(needle) - _ANCHOR + 1, _SPREAD)
    return tuple(needle[start : start + _ANCHOR] for start in starts)


def runs_of(needle: bytes, anchors: tuple[bytes, ...], stream: bytes) -> Iterator[tuple[int, int]]:
    """
    The longest pieces of a canary that the squeezed text holds: (start, end) in the canary, none inside another.

    Args:
        anchors: `anchors_of(needle)`.
    """
    for anchor in anchors:
        if anchor in stream:
            break
    else:
        return
    size, reached = len(needle), 0
    for start in range(size - SHORTEST_PIECE + 1):
        end = max(start + SHORTEST_PIECE, reached)
        if needle[start:end] not in stream:
            continue
        while end < size and needle[start : end + 1] in stream:
            end += 1
        if end > reached:
            reached = end
            yield start, end
