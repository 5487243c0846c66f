"""Reads a journal back and says whether it is what was written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from soclab.evidence.ledger import GENESIS, EvidenceChain, line_hash

__all__ = ["Verification", "verify_journal"]

_TAIL = re.compile(rb',"kind":"[a-z_]+","prev":"([0-9a-f]{64})","run":(?:"([0-9a-f]{32})"|null),"seq":(\d+)\}\Z')
_EVENT = b'},"event":'


@dataclass(frozen=True)
class Verification:
    """
    Attributes:
        bad_line: 1-based number of the first line that does not fit; None when all do.
        problem: one sentence about it, "" when all fit.
        lines: lines read.
        roots: evidence root of each run, recomputed.
    """

    bad_line: int | None
    problem: str
    lines: int
    roots: dict[str, str]

    @property
    def valid(self) -> bool:
        return self.bad_line is None and self.lines > 0


def verify_journal(path: Path) -> Verification:
    """
    Check both chains of a journal.

    Returns:
        a verification that is not valid when the file is empty: no evidence is not good evidence.

    Raises:
        OSError: the file cannot be read.
    """
    previous = GENESIS
    chains: dict[str, EvidenceChain] = {}
    number = 0
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            problem = _check(raw, previous, number - 1, chains)
            if problem:
                return Verification(number, problem, number, _roots(chains))
            previous = line_hash(raw[:-1])
    problem = "" if number else "the journal is empty"
    return Verification(None, problem, number, _roots(chains))


def _check(raw: bytes, previous: str, seq: int, chains: dict[str, EvidenceChain]) -> str:
    if not raw.endswith(b"\n"):
        return "the last line is torn"
    line = raw[:-1]
    tail = _TAIL.search(line)
    if tail is None:
        return "the line has not the form of a journal line"
    if tail.group(1).decode("ascii") != previous:
        return "the line does not follow the line before it"
    if int(tail.group(3)) != seq:
        return "a line is missing or was inserted before this one"
    if tail.group(2) is not None:
        run_id = tail.group(2).decode("ascii")
        start = line.find(_EVENT)
        if start >= 0:
            event = line[start + len(_EVENT) : tail.start()]
            if event != b"null":
                chains.setdefault(run_id, EvidenceChain(run_id)).add(event)
    return ""


def _roots(chains: dict[str, EvidenceChain]) -> dict[str, str]:
    return {run_id: chain.root for run_id, chain in sorted(chains.items())}
