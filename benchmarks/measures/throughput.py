"""P1 and P10: what the agent sees of a campaign that keeps it busy."""

from __future__ import annotations

import math
from pathlib import Path
from statistics import median

from campaign import campaign
from figure import Figure
from scenarios import make_scenarios
from stub import Stub

__all__ = ["CONCURRENCY", "LATENCY_MS", "STAGES", "busy_campaign", "ideal_seconds", "measure"]

LATENCY_MS = 200
CONCURRENCY = 64
STAGES = 7


def ideal_seconds(count: int) -> float:
    """What `count` scenarios take when nothing but the agent costs time."""
    return math.ceil(count / CONCURRENCY) * STAGES * LATENCY_MS / 1000


def busy_campaign(agent: Stub, folder: Path, scenarios: Path, count: int) -> tuple[float, dict[str, float]]:
    """Wall seconds of one campaign, and what the stub saw; ends the benchmark when a request is missing."""
    child, stats = campaign(agent, folder, scenarios, latency_ms=LATENCY_MS, concurrency=CONCURRENCY)
    child.check()
    if stats["requests"] != count * STAGES:
        raise SystemExit(f"{stats['requests']} requests instead of {count * STAGES}")
    return child.wall_seconds, stats


def measure(agent: Stub, folder: Path, small: bool) -> list[Figure]:
    count = 128 if small else 256
    scenarios = make_scenarios(folder / "many", count)
    seen = [busy_campaign(agent, folder, scenarios, count)[1] for _ in range(1 if small else 3)]
    most = max(int(one["in_flight_max"]) for one in seen)
    over = "" if most <= CONCURRENCY else "  ABOVE THE LIMIT"
    span = median(one["span_seconds"] for one in seen)
    mean = median(one["in_flight_mean"] for one in seen)
    load = f"{count} scenarios, {LATENCY_MS} ms, {CONCURRENCY} in flight"
    return [
        Figure(
            "P1",
            span / ideal_seconds(count),
            accept=1.05,
            fail=1.15,
            note=f"{span:.2f} s / {ideal_seconds(count):.2f} s; {load}",
        ),
        Figure(
            "P10",
            0.0 if over else mean / CONCURRENCY,
            accept=0.95,
            fail=0.85,
            higher_is_better=True,
            note=f"{mean:.1f} / {CONCURRENCY} in flight, most {most}{over}",
        ),
    ]
