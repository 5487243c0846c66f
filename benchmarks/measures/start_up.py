"""P7: from the start of the process to the first request, over `pytest` in an empty folder."""

from __future__ import annotations

from pathlib import Path
from statistics import median

from campaign import ALONE, campaign
from child import pytest_command, run_child
from figure import Figure
from stub import Stub

__all__ = ["measure"]

_NOTHING_COLLECTED = 5
_SOME_FAILED = 1


def measure(agent: Stub, folder: Path, small: bool) -> list[Figure]:
    """The built-in scenarios, as a user's first campaign has them; how they end does not matter."""
    empty = folder / "empty"
    empty.mkdir()
    waits, floors = [], []
    for _ in range(5 if small else 11):
        child, stats = campaign(agent, folder, None)
        child.check(0, _SOME_FAILED)
        waits.append(stats["first_at"] - child.started)
        floors.append(run_child(pytest_command(), empty, ALONE).check(_NOTHING_COLLECTED).wall_seconds)
    note = f"{median(waits) * 1000:.0f} ms / {median(floors) * 1000:.0f} ms, built-in scenarios"
    return [Figure("P7", median(waits) / median(floors), accept=2.5, fail=4, note=note)]
