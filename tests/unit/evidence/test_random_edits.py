"""Whatever is done to a campaign's folder is found, at the line where it was done."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from soclab.assembly.verifying import check_folder_evidence
from soclab.contracts.evidence import BadLine, LineFault
from tests.unit.engine.campaigns import finished
from tests.unit.evidence.edits import EDITS, Edit

JOURNAL, SCORECARD = "journal.jsonl", "scorecard.json"
CAMPAIGN = ("ATK-001", "BEN-001", "BEN-002")


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a campaign that was killed in the middle of a line and taken up again."""
    root = tmp_path_factory.mktemp("campaign")
    folder = finished(root, patterns=CAMPAIGN).folder
    journal = folder / JOURNAL
    journal.write_bytes(journal.read_bytes()[: journal.stat().st_size // 2])
    finished(root, patterns=CAMPAIGN, resume=folder)
    assert check_folder_evidence(folder).bad is None
    return {name: (folder / name).read_bytes() for name in (JOURNAL, SCORECARD)}


def is_found(bad: BadLine | None, name: str, done: Edit, before: list[bytes]) -> bool:
    """Whether it was found at its line, and called by its name where that is certain."""
    if bad is None or bad.file != name:
        return False
    if name == SCORECARD:  # several of its lines are alike
        pairs = enumerate(zip(before, done.lines, strict=False), 1)
        first = next((at for at, (one, other) in pairs if one != other), min(len(before), len(done.lines)) + 1)
        return (bad.line, bad.fault) == (first, LineFault.CHANGED)
    if bad.or_line is not None:
        return done.line in (bad.line, bad.or_line)
    return bad.line == done.line and bad.fault in done.faults


def misses(campaign: dict[str, bytes], folder: Path, numbers: range) -> list[str]:
    """Edits that were not found, or blamed on another line or kind."""
    for name, data in campaign.items():
        (folder / name).write_bytes(data)
    wrong = []
    for number in numbers:
        chance = random.Random(number)
        name = JOURNAL if number % 4 else SCORECARD
        edit = EDITS[number // 4 % len(EDITS)]
        lines = campaign[name].splitlines(keepends=True)
        done = edit(lines, chance)
        (folder / name).write_bytes(b"".join(done.lines))
        if not is_found(check_folder_evidence(folder).bad, name, done, lines):
            wrong.append(f"{number}: {edit.__name__} {name}:{done.line}")
        (folder / name).write_bytes(campaign[name])
    return wrong


def test_a_hundred_edits_are_found_where_they_were_made(campaign: dict[str, bytes], tmp_path: Path) -> None:
    """Of bytes, lines, order and tail, in the journal and in the scorecard."""
    assert misses(campaign, tmp_path, range(104)) == []


@pytest.mark.slow
def test_a_thousand_edits_are_found_where_they_were_made(campaign: dict[str, bytes], tmp_path: Path) -> None:
    """The same, for longer."""
    assert misses(campaign, tmp_path, range(1040)) == []
