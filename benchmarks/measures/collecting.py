"""P6: `--collect-only -q` of a large campaign over the same tree of empty stages."""

from __future__ import annotations

from pathlib import Path
from statistics import median

from campaign import start_campaign
from figure import Figure
from loading import loading_note
from measures.throughput import STAGES
from reference import start_empty_tree
from scenarios import make_scenarios
from stub import Stub

__all__ = ["measure"]


def measure(agent: Stub, folder: Path, small: bool) -> list[Figure]:
    count = 2_000 if small else 5_000
    scenarios = make_scenarios(folder / "many", count)
    ours, theirs = [], []
    for _ in range(3):
        ours.append(start_campaign(agent, folder, scenarios, "--collect-only").wait().check())
        theirs.append(start_empty_tree(folder, count, "--collect-only").wait().check())
    cpu, floor = median(one.cpu_seconds for one in ours), median(one.cpu_seconds for one in theirs)
    walls = median(one.wall_seconds for one in ours), median(one.wall_seconds for one in theirs)
    note = (
        f"{cpu:.2f} s / {floor:.2f} s CPU, {walls[0]:.2f} s / {walls[1]:.2f} s wall, {count * STAGES} items; "
        f"{loading_note(scenarios, count)}"
    )
    return [Figure("P6", cpu / floor, accept=1.15, fail=1.5, note=note)]
