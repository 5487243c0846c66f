"""One file for each measurement: `measure(agent, folder, small)` gives its figures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from figure import Figure
from measures import (
    collecting,
    idle_plugin,
    peak_memory,
    policy_decision,
    reply_size,
    stage_cost,
    start_up,
    throughput,
    whole_command,
)
from stub import Stub

__all__ = ["MEASURES", "SAME_RUN"]

MEASURES: dict[str, Callable[[Stub, Path, bool], list[Figure]]] = {
    "P1": throughput.measure,
    "P2": whole_command.measure,
    "P3": stage_cost.measure,
    "P4": peak_memory.measure,
    "P5": reply_size.measure,
    "P6": collecting.measure,
    "P7": start_up.measure,
    "P11": idle_plugin.measure,
    "P12": policy_decision.measure,
}
SAME_RUN = {"P10": "P1"}
"""Figures that come out of another one's runs."""
