"""P2: the whole command, from its start to its end, over what the agent alone takes."""

from __future__ import annotations

from pathlib import Path
from statistics import median

from figure import Figure
from measures.throughput import CONCURRENCY, LATENCY_MS, busy_campaign, ideal_seconds
from scenarios import make_scenarios
from stub import Stub

__all__ = ["measure"]

COUNT = 512
"""In the small size too: with fewer scenarios start-up and end weigh more than in the goal."""


def measure(agent: Stub, folder: Path, small: bool) -> list[Figure]:
    scenarios = make_scenarios(folder / "many", COUNT)
    walls, spans = [], []
    for _ in range(1 if small else 3):
        wall_seconds, stats = busy_campaign(agent, folder, scenarios, COUNT)
        walls.append(wall_seconds)
        spans.append(stats["span_seconds"])
    ideal = ideal_seconds(COUNT)
    note = (
        f"{median(walls):.2f} s / {ideal:.2f} s, of which {median(spans):.2f} s asking; "
        f"{COUNT} scenarios, {LATENCY_MS} ms, {CONCURRENCY} in flight"
    )
    return [Figure("P2", median(walls) / ideal, accept=1.3, fail=1.5, note=note)]
