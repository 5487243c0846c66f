"""P3: two campaigns over the same folder of scenarios, all of them and one of them; the rest is the stages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median

from campaign import campaign
from child import HERE
from figure import Figure
from measures.throughput import STAGES
from scenarios import FIRST, make_scenarios
from stub import Stub

__all__ = ["measure"]


def measure(agent: Stub, folder: Path, small: bool) -> list[Figure]:
    count = 60 if small else 200
    scenarios = make_scenarios(folder / "some", count)
    ratios, costs, floors = [], [], []
    for _ in range(3 if small else 5):
        whole = campaign(agent, folder, scenarios)[0].check()
        one = campaign(agent, folder, scenarios, only=FIRST)[0].check()
        floor = _http_floor(agent, 600 if small else 1500)
        cost = (whole.cpu_seconds - one.cpu_seconds) / ((count - 1) * STAGES) * 1e6
        ratios.append(cost / floor)
        costs.append(cost)
        floors.append(floor)
    note = f"{median(costs):.0f} us a stage / {median(floors):.0f} us a POST"
    return [Figure("P3", median(ratios), accept=2.0, fail=2.5, note=note)]


def _http_floor(agent: Stub, count: int) -> float:
    command = [sys.executable, str(HERE / "http_floor.py"), agent.url(), str(count)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
