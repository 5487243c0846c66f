"""What a check of evidence found: shapes only."""

from __future__ import annotations

from enum import StrEnum

from soclab.contracts.strict import Frozen

__all__ = ["BadLine", "LineFault", "Seal", "Signature"]


class LineFault(StrEnum):
    """What became of a line that is not what was written."""

    CHANGED = "changed"
    MISSING = "missing"
    INSERTED = "inserted"
    SWAPPED = "swapped"
    TRUNCATED = "truncated"


class Signature(StrEnum):
    """What a check of a campaign's signature came to."""

    GOOD = "good"
    MISSING = "missing"
    MALFORMED = "malformed"
    WRONG_KEY = "wrong key"
    CHANGED = "changed"


class BadLine(Frozen):
    """
    The first line of a file that is not what was written.

    Attributes:
        file: its name in the campaign's folder.
        line: 1-based; of lines that are missing, where the first of them should stand.
        what: how it is known, one sentence in our own words.
        or_line: another line that may be the first bad one instead, where that cannot be told apart.
    """

    file: str
    line: int
    fault: LineFault
    what: str
    or_line: int | None = None


class Seal(Frozen):
    """Where a journal ended when its scorecard was made: lines of the chain, hash of the last one."""

    lines: int
    root: str
