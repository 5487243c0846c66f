"""What people may read: texts without canaries, and without pieces that would make one together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from soclab.canaries.search import replace
from soclab.canaries.split import Hunt, streams_of
from soclab.canaries.traces import SHORTEST_PIECE
from soclab.decoding import squeeze

__all__ = ["Veil"]

_LONG_PIECE: Final = 8
"""So many characters in a row do not stand in a text by chance; six do, now and then."""

_TOGETHER: Final = 12
"""So many characters of one canary in several pieces, over all texts, are shown at most."""


class Veil:
    """
    Texts of one run on their way to people. The same text gives the same each time.

    Args:
        canaries: slot -> canary of this run.
        placeholders: slot -> what is shown in its place.
    """

    def __init__(self, canaries: Mapping[str, str], placeholders: Mapping[str, str]) -> None:
        self._canaries = canaries
        self._placeholders = placeholders
        self._hunts = {
            slot: Hunt(needle, 1)
            for slot, canary in canaries.items()
            if len(needle := squeeze(canary)) >= SHORTEST_PIECE
        }
        self._are_plain = all(len(squeeze(one)) == len(one) >= SHORTEST_PIECE for one in canaries.values())
        self._known: dict[str, str] = {}  # most texts of a run are said several times
        self._shown: dict[str, frozenset[tuple[int, int]]] = {slot: frozenset() for slot in self._hunts}

    def hide(self, text: str) -> str:
        """
        The text with a placeholder for every canary in any form (`replace`), and for pieces of one: eight characters in
        a row, or shorter ones as soon as all that was shown of it would be twelve. A piece in another form takes the
        whole text with it.
        """
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._hidden(text)
        return known

    def _hidden(self, text: str) -> str:
        if self._are_plain and not self._pieces_in(text):
            return text  # whatever `replace` finds holds a piece
        text = replace(text, self._canaries, self._placeholders)
        if len(text) < SHORTEST_PIECE:
            return text
        found = self._pieces_in(text)
        hidden = [slot for slot, pieces in found.items() if self._tells(slot, pieces)]
        return self._without(text, {slot: found[slot] for slot in hidden}) if hidden else text

    def _pieces_in(self, text: str) -> dict[str, frozenset[tuple[int, int]]]:
        streams = streams_of(text)
        return {slot: pieces for slot, hunt in self._hunts.items() if (pieces := hunt.pieces_in(streams))}

    def _tells(self, slot: str, pieces: frozenset[tuple[int, int]]) -> bool:
        """Whether these pieces are too much; if not, they count as shown."""
        together = pieces | self._shown[slot]
        if max(end - start for start, end in pieces) >= _LONG_PIECE or _covered(together) >= _TOGETHER:
            return True
        self._shown[slot] = together
        return False

    def _without(self, text: str, found: Mapping[str, frozenset[tuple[int, int]]]) -> str:
        for slot, pieces in found.items():
            text = _literally_replaced(text, self._canaries[slot], pieces, self._placeholders[slot])
        left = streams_of(text)
        hidden = [slot for slot in found if self._hunts[slot].pieces_in(left)]
        return " ".join(self._placeholders[slot] for slot in hidden) if hidden else text


def _covered(pieces: Iterable[tuple[int, int]]) -> int:
    return len({place for start, end in pieces for place in range(start, end)})


def _literally_replaced(text: str, canary: str, pieces: Iterable[tuple[int, int]], shown: str) -> str:
    for start, end in sorted(pieces, key=lambda piece: piece[0] - piece[1]):
        text = re.sub(re.escape(canary[start:end]), lambda _: shown, text, flags=re.IGNORECASE)
    return text
