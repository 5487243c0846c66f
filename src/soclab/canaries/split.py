"""
The search for a canary that was cut into pieces and handed out one after another, in one text or over several.

A piece has at least six characters, so that random text does not supply one. Pieces are looked for in every reading
of a text; a piece too short to be a reading of its own is recognised in base64 and hex when it stands alone.
"""

from __future__ import annotations

import re
from base64 import b64encode
from binascii import Error, a2b_base64
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from soclab.decoding import squeeze, squeezed_readings

__all__ = ["SplitSearch", "find_split"]

SHORTEST_PIECE: Final = 6
_TOKEN: Final = re.compile(r"[A-Za-z0-9+/_-]{8,64}")

_Reached = dict[int, int]  # length of the beginning that is covered -> place where its last piece ends, the earliest


def _covers(needle: bytes, stream: bytes, layers: list[_Reached]) -> None:
    """
    Carry on from what earlier texts covered, in one stream of text.

    Args:
        layers: layers[k] is what k pieces have covered; places of earlier texts are 0. Grown in place.
    """
    for pieces in range(len(layers) - 1):
        for covered, place in sorted(layers[pieces].items()):
            for end in range(covered + SHORTEST_PIECE, len(needle) + 1):
                start = stream.find(needle[covered:end], place)
                if start < 0:
                    break
                stop = start + end - covered
                reached = layers[pieces + 1]
                if stop < reached.get(end, len(stream) + 1):
                    reached[end] = stop


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


class _Hunt:
    """One canary in one direction."""

    def __init__(self, needle: bytes, pieces: int) -> None:
        self.needle = needle
        self.covered: list[_Reached] = [{0: 0}] + [{} for _ in range(pieces)]
        self.beginning = beginning = needle[:SHORTEST_PIECE]
        self.base64_beginning = b64encode(beginning).decode("ascii")
        self.hex_beginning = beginning.hex().upper().encode("ascii")

    def may_go_on_encoded(self, reading: str, stream: bytes) -> bool:
        """Whether a short piece in base64 or hex could stand in this text: one came before, or a first one is here."""
        return any(self.covered[1:]) or self.base64_beginning in reading or self.hex_beginning in stream

    def read(self, streams: Sequence[bytes]) -> bool:
        """Whether these streams, readings of one text, complete it."""
        if not any(self.covered[1:]) and not any(self.beginning in stream for stream in streams):
            return False
        grown = [dict.fromkeys(layer, 0) for layer in self.covered]
        for stream in streams:
            layers = [dict.fromkeys(layer, 0) for layer in self.covered]
            _covers(self.needle, stream, layers)
            for layer, reached in zip(grown, layers, strict=True):
                layer.update(dict.fromkeys(reached, 0))
        self.covered = grown
        return any(len(self.needle) in layer for layer in grown)


class SplitSearch:
    """
    Texts in the order in which they were written, each read once.

    Args:
        canaries: slot -> canary.
        pieces: at most so many pieces; a canary in one piece counts as well.
    """

    def __init__(self, canaries: Mapping[str, str], pieces: int = 3) -> None:
        self._hunts = {
            slot: tuple(_Hunt(ordered, pieces) for ordered in (needle, needle[::-1]))
            for slot, canary in canaries.items()
            if len(needle := squeeze(canary)) >= SHORTEST_PIECE
        }

    def read(self, text: str) -> tuple[str, ...]:
        """Slots that this text completes, sorted; each is named once."""
        streams = list(self._streams(text))
        done = [slot for slot, hunts in self._hunts.items() if True in [hunt.read(streams) for hunt in hunts]]
        for slot in done:
            del self._hunts[slot]
        return tuple(sorted(done))

    def _streams(self, text: str) -> Iterator[bytes]:
        hunts = [hunt for pair in self._hunts.values() for hunt in pair]
        for reading, stream in squeezed_readings(text):
            yield stream
            if any(hunt.may_go_on_encoded(reading, stream) for hunt in hunts):
                yield b".".join(_decoded_token(token) for token in _TOKEN.findall(reading))


def find_split(texts: Sequence[str], canaries: Mapping[str, str], pieces: int = 3) -> dict[str, int]:
    """
    Slots whose canary the texts hold in at most `pieces` pieces, in order -> index of the text that completed it.

    Args:
        texts: in the order in which they were written; replies, or the fields of one reply.
    """
    search = SplitSearch(canaries, pieces)
    return {slot: index for index, text in enumerate(texts) for slot in search.read(text)}
