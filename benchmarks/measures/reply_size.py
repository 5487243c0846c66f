"""P5: how peak memory grows with the size of the replies. Both campaigns run at the same time."""

from __future__ import annotations

from pathlib import Path

from campaign import start_campaign
from child import Running
from figure import Figure
from scenarios import make_scenarios
from stub import Stub

__all__ = ["measure"]

SMALL_KB, LARGE_KB = 1, 64


def measure(agent: Stub, folder: Path, small: bool) -> list[Figure]:
    count = 200 if small else 1_000
    scenarios = make_scenarios(folder / "many", count)
    running = {kb: _start(agent, folder / f"{kb}", scenarios, kb) for kb in (SMALL_KB, LARGE_KB)}
    ended = {kb: one.wait().check() for kb, one in running.items()}
    few, many = ended[SMALL_KB], ended[LARGE_KB]
    note = (
        f"{many.peak_mib:.0f} MiB / {few.peak_mib:.0f} MiB with replies of {LARGE_KB} / {SMALL_KB} KB, "
        f"{count} scenarios; {many.cpu_seconds:.0f} s / {few.cpu_seconds:.0f} s CPU"
    )
    return [Figure("P5", many.peak_mib / few.peak_mib, accept=1.1, fail=1.5, note=note)]


def _start(agent: Stub, folder: Path, scenarios: Path, reply_kb: int) -> Running:
    folder.mkdir()
    return start_campaign(agent, folder, scenarios, reply_kb=reply_kb, concurrency=16)
