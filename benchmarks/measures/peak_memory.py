"""
P4: peak memory of a large campaign over the same tree of empty stages.

Both run at the same time: their memory does not depend on it, and it saves a minute.
"""

from __future__ import annotations

from pathlib import Path

from campaign import start_campaign
from figure import Figure
from loading import loading_note
from reference import start_empty_tree
from scenarios import make_scenarios
from stub import Stub

__all__ = ["measure"]


def measure(agent: Stub, folder: Path, small: bool) -> list[Figure]:
    count = 1_000 if small else 10_000
    scenarios = make_scenarios(folder / "many", count)
    running = start_campaign(agent, folder, scenarios, concurrency=16)
    empty = start_empty_tree(folder, count)
    reference, whole = empty.wait().check(), running.wait().check()
    journal_mib = (folder / "out" / "journal.jsonl").stat().st_size / 2**20
    note = (
        f"{whole.peak_mib:.0f} MiB / {reference.peak_mib:.0f} MiB, {count} scenarios; "
        f"{whole.cpu_seconds:.0f} s / {reference.cpu_seconds:.0f} s CPU, journal {journal_mib:.0f} MiB; "
        f"{loading_note(scenarios, count)}"
    )
    return [Figure("P4", whole.peak_mib / reference.peak_mib, accept=1.15, fail=1.4, note=note)]
