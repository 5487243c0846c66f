"""The one door for time. Rooms take a `Clock` as an argument; only front doors make a `SystemClock`."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

__all__ = ["Clock", "FixedClock", "SystemClock"]


class Clock(Protocol):
    """What rooms may ask of time."""

    def now(self) -> datetime:
        """The present moment, time zone UTC."""
        ...

    def monotonic_ms(self) -> float:
        """Milliseconds of a clock that never goes back; only differences mean something."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic_ms(self) -> float:
        return time.perf_counter() * 1000.0


@dataclass
class FixedClock:
    """A clock for tests: stands still, or moves `step_ms` at every look."""

    start: datetime = datetime(2026, 1, 1, tzinfo=UTC)
    step_ms: float = 0.0
    looked_ms: float = 0.0

    def now(self) -> datetime:
        return self.start

    def monotonic_ms(self) -> float:
        self.looked_ms += self.step_ms
        return self.looked_ms
