"""What a cut leaves of a secret: its beginning at the end of a text or before a mark of a cut, its end at the start."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

__all__ = ["Stump"]

_CUT_HERE: Final = re.compile(r"""(?:\\{0,4}["'`])?(?:\Z|\.\.\.|\u2026|\\{1,4}u2026)""")
_MARK: Final = 3  # characters of the longest mark


class Stump:
    """
    Finds what is left of one secret. `repr` never shows it.

    Args:
        secret: in one spelling, upper case when `any_case`.
        head, tail: fewest characters of its beginning and of its end that count.
        any_case: ASCII texts are searched without regard to case.
    """

    __slots__ = ("_any_case", "_head", "_secret", "_tail")

    def __init__(self, secret: str, head: int, tail: int, *, any_case: bool = False) -> None:
        self._secret = secret
        self._head = secret[:head]
        self._tail = secret[-tail:]
        self._any_case = any_case

    def __repr__(self) -> str:
        return "Stump()"

    def may_be_in(self, text: str) -> bool:
        """Whether the text, or a string inside it, may hold what is left: a cheap test that never misses one."""
        text = self._folded(text)
        return self._head in text or self._tail in text

    def replace(self, text: str, shown: str) -> str:
        """The text with `shown` for what is left of the secret; the same object when nothing is."""
        folded = self._folded(text)
        if self._head not in folded and self._tail not in folded[: len(self._secret)]:
            return text
        parts, place = [], 0
        for start, end in self._places(folded):
            parts += [text[place:start], shown]
            place = end
        return "".join([*parts, text[place:]]) if parts else text

    def _folded(self, text: str) -> str:
        return text.upper() if self._any_case and text.isascii() else text

    def _places(self, text: str) -> Iterator[tuple[int, int]]:
        whole, begun = len(self._secret), 0
        for length in range(min(whole - 1, len(text)), len(self._tail) - 1, -1):
            if text.startswith(self._secret[-length:]):
                yield 0, length
                begun = length
                break
        place = text.find(self._head, begun)
        while place >= 0:
            end = self._end(text, place)
            if end is not None:
                yield place, end
            place = text.find(self._head, place + 1 if end is None else end)

    def _end(self, text: str, place: int) -> int | None:
        """Where the stump that begins there ends: a dot of the mark may be the next character of the secret as well."""
        rest = text[place : place + len(self._secret)]
        pairs = enumerate(zip(rest, self._secret, strict=False))
        same = next((at for at, (mine, its) in pairs if mine != its), len(rest))
        longest = min(same, len(self._secret) - 1)
        ends = range(place + longest, place + max(len(self._head), longest - _MARK) - 1, -1)
        return next((end for end in ends if _CUT_HERE.match(text, end)), None)
