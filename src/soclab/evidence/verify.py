"""Reads a journal back and says whether it is what was written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from soclab.contracts.scorecard_v1 import Evidence
from soclab.evidence.ledger import GENESIS, EvidenceChain, line_hash

__all__ = ["Verification", "verify_journal"]

_TAIL = re.compile(rb',"kind":"([a-z_]+)","prev":"([0-9a-f]{64})","run":(?:"([0-9a-f]{32})"|null),"seq":(\d{1,18})\}\Z')
_EVENT = b'},"event":'
_TORN = re.compile(rb'"torn_sha256":"([0-9a-f]{64})"')
_RESUMED = b"campaign_resumed"
_RUN_STARTED = b"run_started"


@dataclass(frozen=True)
class Verification:
    """
    Attributes:
        bad_line: 1-based number of the first line that does not fit; None when all do.
        problem: one sentence about it, "" when all fit.
        lines: lines read.
        roots: evidence root of each run, recomputed. A run that was started again counts from its last start.
        last_hash, next_seq: where the line chain goes on; torn lines at the end are not part of it.
        torn_tail: what stands behind the last newline, when that is all that does not fit; else empty.
    """

    bad_line: int | None
    problem: str
    lines: int
    roots: dict[str, str]
    last_hash: str = GENESIS
    next_seq: int = 0
    torn_tail: bytes = b""

    @property
    def valid(self) -> bool:
        return self.bad_line is None and self.lines > 0

    @property
    def evidence(self) -> Evidence:
        """The same, for a scorecard."""
        return Evidence(
            roots=self.roots, all_valid=self.valid, journal_lines=self.next_seq, journal_root=self.last_hash
        )


def verify_journal(path: Path) -> Verification:
    """
    Check both chains of a journal.

    A line torn by a crash is accepted in one place: right before the `campaign_resumed` line that names its hash.

    Returns:
        a verification that is not valid when the file is empty: no evidence is not good evidence.

    Raises:
        OSError: the file cannot be read.
    """
    walk = _Walk()
    with path.open("rb") as file:
        for raw in file:
            walk.read(raw)
            if walk.problem:
                break
    return walk.result()


class _Walk:
    """One pass over a journal, line by line, on bytes."""

    def __init__(self) -> None:
        self.problem = ""
        self._number = 0
        self._seq = 0
        self._previous = GENESIS
        self._torn: bytes | None = None
        self._ends_whole = True
        self._explained = False
        self._chains: dict[str, EvidenceChain] = {}

    def read(self, raw: bytes) -> None:
        self._number += 1
        self._ends_whole = raw.endswith(b"\n")
        line = raw.removesuffix(b"\n")
        tail = _TAIL.search(line) if self._ends_whole else None
        if self._torn is not None and not self._explains(line, tail):
            self.problem = "the line before this one is torn or has not the form of a journal line"
            self._number -= 1
        elif tail is None:
            self._torn = line
        else:
            self.problem = self._check(line, tail)

    def result(self) -> Verification:
        problem, bad_line, torn_tail = self.problem, self._number if self.problem else None, b""
        if not problem and self._torn is not None:
            torn_tail = b"" if self._ends_whole else self._torn
            problem, bad_line = "the last line is torn or has not the form of a journal line", self._number
        if not problem and not self._number:
            problem = "the journal is empty"
        roots = {run_id: chain.root for run_id, chain in sorted(self._chains.items())}
        return Verification(bad_line, problem, self._number, roots, self._previous, self._seq, torn_tail)

    def _explains(self, line: bytes, tail: re.Match[bytes] | None) -> bool:
        """The line after a torn one must be the one that tells of it."""
        torn, self._torn = self._torn, None
        if torn is None or tail is None or tail.group(1) != _RESUMED:
            return False
        named = _TORN.search(line)
        self._explained = named is not None and named.group(1).decode("ascii") == line_hash(torn)
        return self._explained

    def _check(self, line: bytes, tail: re.Match[bytes]) -> str:
        if tail.group(2).decode("ascii") != self._previous:
            return "the line does not follow the line before it"
        if int(tail.group(4)) != self._seq:
            return "a line is missing or was inserted before this one"
        if tail.group(1) == _RESUMED and _TORN.search(line) and not self._explained:
            return "the torn line that this line names is not before it"
        self._explained = False
        if tail.group(3) is not None:
            self._collect(line, tail)
        self._previous = line_hash(line)
        self._seq += 1
        return ""

    def _collect(self, line: bytes, tail: re.Match[bytes]) -> None:
        run_id = tail.group(3).decode("ascii")
        start = line.find(_EVENT)
        event = line[start + len(_EVENT) : tail.start()]
        if start < 0 or event == b"null":
            return
        if tail.group(1) == _RUN_STARTED or run_id not in self._chains:
            self._chains[run_id] = EvidenceChain(run_id)
        self._chains[run_id].add(event)
