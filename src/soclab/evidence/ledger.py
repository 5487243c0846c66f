"""
Two chains over the same file.

*Evidence*: the events of one run, without times. Equal runs have equal roots.
*Lines*: every byte of the journal, times included. Each line names the hash of the line before it.
"""

from __future__ import annotations

import hashlib

__all__ = ["GENESIS", "EvidenceChain", "line_hash"]

GENESIS = "0" * 64
"""What stands before the first link of either chain."""


def line_hash(line: bytes) -> str:
    """SHA-256 of a journal line without its newline, in hexadecimal."""
    return hashlib.sha256(line).hexdigest()


class EvidenceChain:
    """The growing chain of one run. `root` covers every event added so far."""

    __slots__ = ("_digest",)

    def __init__(self, run_id: str) -> None:
        self._digest = hashlib.sha256(run_id.encode("ascii")).digest()

    def add(self, event: bytes) -> None:
        """Add one event: its canonical JSON."""
        self._digest = hashlib.sha256(self._digest + event).digest()

    @property
    def root(self) -> str:
        return self._digest.hex()
