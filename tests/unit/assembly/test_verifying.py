"""Whatever way a campaign ended, its folder verifies: the files are what the journal gives."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from soclab.assembly.signatures import checker_of
from soclab.assembly.verifying import check_folder_evidence
from soclab.contracts.vocabulary import STAGES, Mode
from soclab.errors import ConfigurationError, OutputFolderError
from tests.unit.engine.campaigns import THREE, CountingAgent, failure, finished, started


def limited(request: Any) -> Any:
    return failure("rate_limited", retry_after_seconds=0.0)


def raises(request: Any) -> Any:
    raise RuntimeError("a defect \x1b[31m of ours \ud800")


CAMPAIGNS: dict[str, dict[str, Any]] = {
    "the reference agent": {},
    "an agent that falls for it": {"provider_id": "gullible"},
    "without controls": {"provider_id": "gullible", "mode": Mode.BASELINE},
    "guards": {"provider_id": "scripted", "patterns": ("GRD-00*",)},
    "a spent budget": {"max_calls": 9, "concurrency": 1},
    "errors": {"agent": CountingAgent(lambda request: failure("agent_error"))},
    "an agent that cannot be reached": {"agent": CountingAgent(lambda request: failure("agent_unreachable"))},
    "rate limits, tried anew": {"agent": CountingAgent(limited), "rate_limit_reruns": 2},
    "an adapter that fails": {"agent": CountingAgent(raises)},
}


@pytest.mark.parametrize("case", CAMPAIGNS)
def test_a_campaign_verifies(case: str, tmp_path: Path) -> None:
    """Byte for byte."""
    checked = check_folder_evidence(finished(tmp_path, **CAMPAIGNS[case]).folder)
    assert checked.bad is None
    assert checked.lines > 0


@pytest.mark.parametrize("case", ["the reference agent", "errors"])
def test_a_campaign_that_went_on_verifies(case: str, tmp_path: Path) -> None:
    """Also twice, and after an interrupt."""
    changes = dict(CAMPAIGNS[case])
    running = started(tmp_path, changes.pop("agent", None), concurrency=1, **changes)
    running.outcome(THREE[0], STAGES[2])
    folder = running.finish(cancel=True).folder
    assert check_folder_evidence(folder).bad is None
    for _ in range(2):
        finished(tmp_path, resume=folder, **CAMPAIGNS[case])
        assert check_folder_evidence(folder).bad is None


def test_runs_that_a_budget_cut_off_and_a_later_session_led_verify(tmp_path: Path) -> None:
    """A run that was started twice under one id has the root of its last start, whichever hash is the greater."""
    ids = ("ATK-001", "ATK-009", "ATK-041", "ATK-042", "BEN-001", "BEN-002")
    folder = finished(tmp_path, patterns=ids, concurrency=4, max_calls=9).folder
    assert check_folder_evidence(folder).bad is None
    finished(tmp_path, patterns=ids, resume=folder)
    assert check_folder_evidence(folder).bad is None


def test_a_run_that_only_a_test_asked_for_verifies(tmp_path: Path) -> None:
    """In the other mode than the campaign's."""
    running = started(tmp_path)
    running.engine.outcome(
        running.run_of("ATK-009", mode=Mode.BASELINE, asked_by_test=True), STAGES[0], selected=STAGES[:1]
    )
    running.wait_all()
    assert check_folder_evidence(running.finish().folder).bad is None


@pytest.mark.parametrize("name", ["journal.jsonl", "scorecard.json", "report.html"])
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(name: str, tmp_path: Path) -> None:
    """It has no end, and nothing says when its text comes."""
    folder = finished(tmp_path).folder
    (folder / name).unlink()
    os.mkfifo(folder / name)

    with pytest.raises(OutputFolderError, match=f"{name}: is no ordinary file"):
        check_folder_evidence(folder)


def test_a_public_key_without_an_end_is_no_key() -> None:
    """No more is read of it than a key may have."""
    with pytest.raises(ConfigurationError, match="/dev/zero: is no Ed25519 public key"):
        checker_of(Path("/dev/zero"))
