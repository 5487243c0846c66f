"""
Measures P1, P3 and P10 and prints each as a ratio beside its goal.

    python benchmarks/run.py [--small] [--only P3]

Exit status 1 when a figure is beyond its *fail* bound.
"""

from __future__ import annotations

import argparse
import math
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench_parts import HERE, Child, Stub, campaign, make_scenarios, stub

LATENCY_MS = 200
CONCURRENCY = 64
STAGES = 7


@dataclass(frozen=True)
class Figure:
    """One ratio. `higher_is_better` turns the bounds round."""

    name: str
    value: float
    accept: float
    fail: float
    higher_is_better: bool = False
    note: str = ""

    def within(self, bound: float) -> bool:
        return self.value >= bound if self.higher_is_better else self.value <= bound

    def line(self) -> str:
        word = "accept" if self.within(self.accept) else ("between" if self.within(self.fail) else "FAIL")
        return f"{self.name:4} {self.value:7.3f}  accept {self.accept:<5} fail {self.fail:<5} {word:8} {self.note}"


def check(child: Child) -> None:
    if child.status != 0:
        sys.exit(f"the campaign ended with status {child.status}:\n{child.tail}")


def throughput(agent: Stub, folder: Path, small: bool) -> list[Figure]:
    """P1 and P10 from the same runs."""
    count = 128 if small else 256
    scenarios = make_scenarios(folder / "many", count)
    ideal_seconds = math.ceil(count / CONCURRENCY) * STAGES * LATENCY_MS / 1000
    spans, means, most = [], [], 0
    for _ in range(1 if small else 3):
        child, stats = campaign(agent, folder, scenarios, latency_ms=LATENCY_MS, concurrency=CONCURRENCY)
        check(child)
        if stats["requests"] != count * STAGES:
            sys.exit(f"{stats['requests']} requests instead of {count * STAGES}")
        spans.append(stats["span_seconds"] / ideal_seconds)
        means.append(stats["in_flight_mean"] / CONCURRENCY)
        most = max(most, stats["in_flight_max"])
    note = f"{count} scenarios, {LATENCY_MS} ms, {CONCURRENCY} in flight"
    over = "" if most <= CONCURRENCY else "  ABOVE THE LIMIT"
    return [
        Figure("P1", statistics.median(spans), 1.05, 1.15, note=note),
        Figure(
            "P10",
            0.0 if over else statistics.median(means),
            0.95,
            0.85,
            higher_is_better=True,
            note=f"most in flight {most} of {CONCURRENCY}{over}",
        ),
    ]


def stage_cost(agent: Stub, folder: Path, small: bool) -> list[Figure]:
    """P3: two campaigns over the same folder of scenarios, all of them and one of them; the rest is the stages."""
    count = 60 if small else 200
    scenarios = make_scenarios(folder / "some", count)
    ratios, costs, floors = [], [], []
    for _ in range(3 if small else 5):
        whole, _ = campaign(agent, folder, scenarios, latency_ms=0, concurrency=4)
        one, _ = campaign(agent, folder, scenarios, latency_ms=0, concurrency=4, only="BEN-10000")
        check(whole)
        check(one)
        floor = http_floor(agent, 600 if small else 1500)
        cost = (whole.cpu_seconds - one.cpu_seconds) / ((count - 1) * STAGES) * 1e6
        ratios.append(cost / floor)
        costs.append(cost)
        floors.append(floor)
    note = f"{statistics.median(costs):.0f} us a stage / {statistics.median(floors):.0f} us a POST"
    return [Figure("P3", statistics.median(ratios), 2.0, 2.5, note=note)]


def http_floor(agent: Stub, count: int) -> float:
    command = [sys.executable, str(HERE / "http_floor.py"), f"{agent.base}/l0/agent", str(count)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


MEASUREMENTS: dict[str, Callable[[Stub, Path, bool], list[Figure]]] = {
    "P1": throughput,
    "P3": stage_cost,
}
SAME_RUN = {"P10": "P1"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true", help="fewer scenarios and repetitions")
    parser.add_argument("--only", choices=[*MEASUREMENTS, *SAME_RUN], help="one figure")
    arguments = parser.parse_args()
    wanted = SAME_RUN.get(arguments.only, arguments.only)
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as place, stub() as agent:
        for name, measure in MEASUREMENTS.items():
            if wanted in (None, name):
                folder = Path(place) / name
                folder.mkdir()
                figures.extend(measure(agent, folder, arguments.small))
    print(*(figure.line() for figure in figures), sep="\n")
    return 0 if all(figure.within(figure.fail) for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
