"""The journal's two chains: what a change does to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from soclab.clock import FixedClock
from soclab.engine.journal import Journal
from soclab.errors import OutputFolderError
from soclab.evidence.ledger import EvidenceChain
from soclab.evidence.verify import verify_journal
from soclab.redaction import Secrets

RUN = "a" * 32
OTHER = "b" * 32


def write(path: Path, start_ms: int = 0) -> dict[str, str]:
    """A small journal of two interleaved runs; returns their evidence roots."""
    chains = {run: EvidenceChain(run) for run in (RUN, OTHER)}
    with Journal.create(path, Secrets([]), FixedClock()) as journal:
        journal.append("campaign_started", beside={"header": {"note": ',"kind":"x","prev":"'}})
        for number in range(4):
            for run, chain in chains.items():
                event = journal.event_bytes({"n": number, "raw_reply": '"},"event":{"x":1},"kind":"y"'})
                chain.add(event)
                journal.append("answered", run_id=run, event=event, beside={"latency_ms": number + start_ms})
        journal.append("campaign_finished")
    return {run: chain.root for run, chain in chains.items()}


def test_an_untouched_journal_is_valid_and_gives_the_roots(tmp_path: Path) -> None:
    """Roots are recomputed from the lines, whatever text stands in the events."""
    roots = write(tmp_path / "j")
    verification = verify_journal(tmp_path / "j")
    assert verification.valid
    assert verification.roots == roots


def test_latencies_are_no_evidence(tmp_path: Path) -> None:
    """Equal runs have equal roots though their times differ."""
    assert write(tmp_path / "one") == write(tmp_path / "two", start_ms=50)


def edited(lines: list[bytes], how: str) -> list[bytes]:
    middle = len(lines) // 2
    match how:
        case "changed":
            lines[middle] = lines[middle].replace(b'"latency_ms":', b'"latency_mz":')
        case "missing":
            del lines[middle]
        case "doubled":
            lines.insert(middle, lines[middle])
        case "swapped":
            lines[middle], lines[middle + 1] = lines[middle + 1], lines[middle]
        case "torn":
            lines[-1] = lines[-1][:-10]
    return lines


@pytest.mark.parametrize("how", ["changed", "missing", "doubled", "swapped", "torn"])
def test_every_edit_shows(tmp_path: Path, how: str) -> None:
    """The first line that does not fit is named."""
    write(tmp_path / "j")
    lines = (tmp_path / "j").read_bytes().splitlines(keepends=True)
    middle = len(lines) // 2
    (tmp_path / "j").write_bytes(b"".join(edited(lines, how)))

    verification = verify_journal(tmp_path / "j")

    assert not verification.valid
    assert verification.bad_line is not None
    assert verification.bad_line >= middle + 1


def test_an_empty_journal_is_not_valid(tmp_path: Path) -> None:
    """No evidence is not good evidence."""
    (tmp_path / "j").write_bytes(b"")
    verification = verify_journal(tmp_path / "j")
    assert not verification.valid
    assert verification.problem == "the journal is empty"


def test_a_journal_never_writes_over_another(tmp_path: Path) -> None:
    """Opening one that exists is an error that says what to do."""
    write(tmp_path / "j")
    with pytest.raises(OutputFolderError, match="choose another folder"):
        Journal.create(tmp_path / "j", Secrets([]), FixedClock())


def test_the_token_never_reaches_the_file(tmp_path: Path) -> None:
    """Neither in the event nor beside it."""
    token = "tok-0123456789abcdef"
    with Journal.create(tmp_path / "j", Secrets([token]), FixedClock()) as journal:
        event = journal.event_bytes({"raw_reply": f"Authorization: Bearer {token}"})
        journal.append("answered", run_id=RUN, event=event, beside={"detail": token})
    data = (tmp_path / "j").read_bytes()
    assert token.encode() not in data
    assert data.count(b"[agent-token]") == 2
    assert verify_journal(tmp_path / "j").valid
