"""The labelled runs, goal by goal."""

from __future__ import annotations

from tests.oracle_quality.goals import closing, leaks, reasons, spending, targets
from tests.oracle_quality.trace import Trace

__all__ = ["TRACES"]

TRACES: tuple[Trace, ...] = (
    *closing.TRACES,
    *targets.TRACES,
    *leaks.TRACES,
    *reasons.TRACES,
    *spending.TRACES,
)
