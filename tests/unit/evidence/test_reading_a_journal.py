"""What is read back from a journal, and how much of it at a time."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

from soclab.clock import FixedClock
from soclab.engine.journal import Journal
from soclab.evidence.reading import read_campaign
from soclab.redaction import Secrets
from tests.unit.engine.campaigns import finished
from tests.unit.scoring.cards import attacked

LONG = "x" * 200_000


def test_lines_are_read_one_by_one(tmp_path: Path) -> None:
    """A journal may be larger than all that its campaign ever held."""
    header = read_campaign(finished(tmp_path, patterns=("BEN-001",)).folder / "journal.jsonl").header
    path = tmp_path / "journal.jsonl"
    with Journal.create(path, Secrets([]), FixedClock()) as journal:
        journal.append("campaign_started", beside={"header": header.model_dump(mode="json", by_alias=True)})
        for number in range(1, 31):
            result = attacked(number).model_dump(mode="json", by_alias=True)
            journal.append("run_finished", beside={"result": result, "long": LONG})
    tracemalloc.start()
    try:
        records = read_campaign(path)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert records.results == tuple(attacked(number) for number in range(1, 31))
    assert records.end is None
    assert peak_bytes < 10 * len(LONG)
    assert path.stat().st_size > 30 * len(LONG)
