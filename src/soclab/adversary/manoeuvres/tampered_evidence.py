"""A ledger that was changed afterwards."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from soclab.adversary.bench import Bench
from soclab.adversary.manoeuvre import Manoeuvre, Tried
from soclab.errors import LabFault
from soclab.evidence.ledger import line_hash

__all__ = ["TAMPERED_EVIDENCE"]


async def _attempt(bench: Bench) -> Tried:
    with tempfile.TemporaryDirectory(prefix="soclab-manoeuvre-") as place:
        ledger = Path(place) / "journal.jsonl"
        seal = bench.write_ledger(ledger)
        lines = ledger.read_bytes().splitlines(keepends=True)
        if bench.diagnose(ledger, seal) is not None:
            raise LabFault("a ledger that nobody touched does not verify")
        seen = []
        for name, changed in _edits(lines):
            ledger.write_bytes(b"".join(changed))
            fault = bench.diagnose(ledger, seal)
            if fault is None:
                return Tried(False, f"{name}: nobody saw it")
            seen.append(f"{name}: {fault.fault.value}")
    return Tried(True, ", ".join(seen))


def _edits(lines: list[bytes]) -> Iterator[tuple[str, list[bytes]]]:
    middle = len(lines) // 2
    denied = [one.replace(b'"decision":"deny"', b'"decision":"hold"') for one in lines]
    yield "a denial rewritten", denied
    yield "a line left out", lines[:middle] + lines[middle + 1 :]
    yield "two lines swapped", [*lines[: middle - 1], lines[middle], lines[middle - 1], *lines[middle + 1 :]]
    yield "the end cut off", lines[:-1]
    yield "a denial rewritten and every hash after it", _chained(denied)


def _chained(lines: list[bytes]) -> list[bytes]:
    """The lines with hashes that fit them, as somebody writes them who knows how the chain is made."""
    made: list[bytes] = []
    for raw in lines:
        head, mark, tail = raw.rpartition(b'"prev":"')
        previous = line_hash(made[-1].removesuffix(b"\n")).encode() if made else tail[:64]
        made.append(head + mark + previous + tail[64:])
    return made


TAMPERED_EVIDENCE = Manoeuvre(
    "MAN-005",
    "tampered evidence",
    "A journal is changed afterwards: a word, a line, their order, its end, and a word with all hashes made anew.",
    "evidence",
    _attempt,
)
