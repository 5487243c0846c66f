"""
Which line of a journal is the first that is not what was written, and what became of it.

Decided by what the other lines say: each has a number of its own and names the hash of the line before it. A line
vouches for the one before; for the last one vouches the seal in the scorecard.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from soclab.contracts.evidence import BadLine, LineFault, Seal
from soclab.evidence.ledger import GENESIS, line_hash

__all__ = ["diagnose"]

_TAIL: Final = re.compile(
    rb',"kind":"(?P<kind>[a-z_]+)","prev":"(?P<prev>[0-9a-f]{64})","run":(?:"[0-9a-f]{32}"|null),"seq":(?P<seq>\d{1,18})\}'
)
_TORN: Final = re.compile(rb'"beside":\{"torn_sha256":"([0-9a-f]{64})"')
_START: Final = b'{"at":"'
_CLOSING, _RESUMED = b"campaign_finished", b"campaign_resumed"
_DIGITS_ALIKE: Final = 32
"""Two unlike hashes agree in about 4 of 64 digits; one that was edited agrees with itself in most."""


def diagnose(journal: Path, seal: Seal | None) -> BadLine | None:
    """
    The first bad line of a journal, None when there is none and the campaign was closed.

    Args:
        seal: what the scorecard says of the journal's end; None when there is no scorecard that says it.

    Raises:
        OSError: the file cannot be read.
    """
    with journal.open("rb") as file:
        lines = [_Line.of(raw) for raw in file]
    return _Diagnosis(journal.name, lines, seal).result()


@dataclass(frozen=True, slots=True)
class _Line:
    """
    Attributes:
        is_whole: it has the form of a journal line and a newline at its end; the others are empty otherwise.
        runs_on: a whole line stands in it, with something behind.
        torn: hash of the torn line before it that it names, also where it is not whole itself.
        is_begun: it begins as a journal line and does not end as one, as a crash leaves it.
    """

    hash: str
    is_whole: bool
    has_newline: bool
    runs_on: bool
    is_begun: bool = False
    seq: int = -1
    prev: str = ""
    kind: bytes = b""
    torn: str = ""

    @classmethod
    def of(cls, raw: bytes) -> _Line:
        text = raw.removesuffix(b"\n")
        has_newline = text != raw
        tail = next(iter([*_TAIL.finditer(text)][-1:]), None)
        ends = tail is not None and tail.end() == len(text)
        formed = tail is not None and ends and text.startswith(_START) and _is_json(text)
        named = _TORN.search(text)
        torn = named[1].decode("ascii") if named else ""
        if tail is None or not formed or not has_newline:
            runs_on = tail is not None and not ends
            is_begun = tail is None and text.startswith(_START)
            return cls(line_hash(text), False, has_newline, runs_on, is_begun, torn=torn)
        if tail["kind"] != _RESUMED:
            torn = ""
        seq, prev = int(tail["seq"]), tail["prev"].decode("ascii")
        return cls(line_hash(text), True, True, False, False, seq, prev, tail["kind"], torn)


def _is_json(text: bytes) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


class _Diagnosis:
    """One walk along the chain up to the first line that does not go on with it."""

    def __init__(self, name: str, lines: Sequence[_Line], seal: Seal | None) -> None:
        self._name = name
        self._lines = lines
        self._seal = seal
        self._hashes = Counter(one.hash for one in lines)
        self._telling = {one.torn: one for one in lines if one.torn}  # hash of a torn line -> the line that names it
        self._expected = 0
        self._previous = GENESIS
        self._good = 0  # index of the last line that went on with the chain

    def result(self) -> BadLine | None:
        torn = ""
        for at, line in enumerate(self._lines):
            if self._goes_on(at):
                if line.torn != torn:
                    return self._without_torn(at, line)
                self._expected, self._previous, self._good, torn = self._expected + 1, line.hash, at, ""
            elif not torn and self._is_torn_here(line):
                torn = line.hash
            else:
                return self._explained(at, line)
        return self._end()

    def _goes_on(self, at: int) -> bool:
        if at >= len(self._lines):
            return False
        line = self._lines[at]
        return line.is_whole and line.seq == self._expected and line.prev == self._previous

    def _is_torn(self, line: _Line) -> bool:
        """Whether it is as a crash left it: a later line names its hash."""
        return not line.is_whole and line.hash in self._telling

    def _is_torn_here(self, line: _Line) -> bool:
        if not self._is_torn(line):
            return False
        telling = self._telling[line.hash]
        return not telling.is_whole or telling.seq == self._expected

    def _without_torn(self, at: int, line: _Line) -> BadLine:
        fault = LineFault.SWAPPED if line.torn in self._hashes else LineFault.MISSING
        return self._bad(at, fault, "the torn line that this line names is not before it")

    def _explained(self, at: int, line: _Line) -> BadLine:
        rightful = next((one for one in range(at + 1, len(self._lines)) if self._goes_on(one)), None)
        if rightful is not None:
            return self._out_of_place(at, line, rightful)
        if self._is_sealed_here():
            return self._bad(at, LineFault.INSERTED, "it stands behind the end that scorecard.json names")
        return self._misshapen(at, line) if not line.is_whole else self._misfit(at, line)

    def _out_of_place(self, at: int, line: _Line, rightful: int) -> BadLine:
        """The line that should stand here stands further down."""
        is_of_this_chain = line.is_whole and line.seq > self._expected and line.prev in self._hashes
        if self._hashes[line.hash] == 1 and (is_of_this_chain or self._is_torn(line)):
            return self._bad(at, LineFault.SWAPPED, f"line {self._expected} of the chain stands further down")
        follows = rightful == at + 1 or self._lines[rightful].kind == _RESUMED  # its kind may be what was changed
        if line.is_begun and follows and not self._is_vouched_for(rightful):
            return self._bad(rightful, LineFault.CHANGED, "it has not the hash that the line after it names")
        torn = self._lines[rightful].torn
        if torn and torn not in self._hashes and (rightful == at + 1 or not line.is_whole):
            return self._bad(at, LineFault.CHANGED, "it is not the torn line that a later line names")
        return self._bad(at, LineFault.INSERTED, "the line that goes on with the chain stands after it")

    def _misshapen(self, at: int, line: _Line) -> BadLine:
        is_last = at == len(self._lines) - 1
        if is_last and not line.has_newline and not line.runs_on:
            return self._bad(at, LineFault.TRUNCATED, "the file ends in the middle of this line")
        if line.is_begun and line.has_newline:
            what = "it has not the form of a journal line; or it was torn by a crash, and the line that said so is gone"
            return self._bad(at, LineFault.CHANGED, what, or_line=at + 2)
        return self._bad(at, LineFault.CHANGED, "it has not the form of a journal line")

    def _misfit(self, at: int, line: _Line) -> BadLine:
        """A whole line that does not go on with the chain, and none that does comes later."""
        if line.seq == self._expected:
            return self._broken_link(at, line)
        if line.prev == self._previous:
            return self._bad(at, LineFault.CHANGED, f"its number is {line.seq}, and {self._expected} follows")
        after = self._after(at)
        is_last_one = after is None and self._seal is not None and self._seal.lines == self._expected + 1
        if is_last_one or (after is not None and after.seq == self._expected + 1):
            return self._bad(at, LineFault.CHANGED, f"another line stands where number {self._expected} belongs")
        if line.seq > self._expected:
            first, last = self._expected, line.seq - 1
            gone = (
                f"number {first} of the chain is gone"
                if first == last
                else f"numbers {first} to {last} of the chain are gone"
            )
            return self._bad(at, LineFault.MISSING, gone)
        return self._bad(at, LineFault.INSERTED, f"number {line.seq} of the chain stands further up already")

    def _broken_link(self, at: int, line: _Line) -> BadLine:
        """The number fits and the hash that it names does not: this line was changed, or the one before it."""
        if at == 0 or _are_alike(line.prev, self._previous):
            return self._bad(at, LineFault.CHANGED, "the hash that it names of the line before it was edited")
        if self._is_vouched_for(at):
            return self._bad(self._good, LineFault.CHANGED, "it has not the hash that the line after it names")
        what = "it has not the hash that the line after it names, or that line was changed"
        return self._bad(self._good, LineFault.CHANGED, what, or_line=at + 1)

    def _is_vouched_for(self, at: int) -> bool:
        after = self._after(at)
        vouched = after.prev if after is not None else (self._seal.root if self._seal else "")
        return vouched == self._lines[at].hash

    def _after(self, at: int) -> _Line | None:
        """The next line that is not one that a crash left behind."""
        return next((one for one in self._lines[at + 1 :] if not self._is_torn(one)), None)

    def _end(self) -> BadLine | None:
        """Every line goes on with the chain; is the last one the last that was written?"""
        end = len(self._lines)
        seal, is_closed = self._seal, bool(self._lines) and self._lines[-1].kind == _CLOSING
        if not end:
            return self._bad(0, LineFault.TRUNCATED, "the file is empty")
        if seal is not None and seal.root != self._previous:
            if seal.lines == self._expected and not _are_alike(seal.root, self._previous):
                what = "it has not the hash that scorecard.json names for the last line"
                return self._bad(end - 1, LineFault.CHANGED, what)
            if seal.lines > self._expected:
                return self._bad(end, LineFault.TRUNCATED, f"scorecard.json counts {seal.lines} lines of the chain")
            if is_closed and self._was_sealed_at(seal):
                behind = next(one for one, line in enumerate(self._lines) if line.seq == seal.lines)
                return self._bad(behind, LineFault.INSERTED, "it stands behind the end that scorecard.json names")
        if not is_closed:
            what = "the closing record is not there: the campaign was killed, or the end of the file was cut off"
            return self._bad(end, LineFault.TRUNCATED, what)
        return None

    def _is_sealed_here(self) -> bool:
        return self._seal is not None and (self._seal.lines, self._seal.root) == (self._expected, self._previous)

    def _was_sealed_at(self, seal: Seal) -> bool:
        return any(line.seq == seal.lines - 1 and line.hash == seal.root for line in self._lines)

    def _bad(self, at: int, fault: LineFault, what: str, or_line: int | None = None) -> BadLine:
        return BadLine(file=self._name, line=at + 1, fault=fault, what=what, or_line=or_line)


def _are_alike(one: str, other: str) -> bool:
    return sum(a == b for a, b in zip(one, other, strict=False)) >= _DIGITS_ALIKE
