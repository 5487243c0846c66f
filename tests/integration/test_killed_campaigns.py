"""A real pytest, killed by SIGKILL at random points and taken up again: nothing is lost, nothing is doubled."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.integration.commands import environment, run
from tests.integration.stopped_campaigns import AGENT, OPTIONS, calls, rebuilt, stable

EVERY = 91
"""Calls of a campaign that nobody disturbs: thirteen runs, twins included."""


def killed(folder: Path, more: int, lag_seconds: float, *options: str) -> None:
    """A pytest that is killed so long after so many more calls were noted, or after it ended."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", *OPTIONS, *options],
        cwd=folder,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wanted = len(calls(folder)) + more
    while process.poll() is None and len(calls(folder)) < wanted:
        time.sleep(0.002)
    time.sleep(lag_seconds)
    process.send_signal(signal.SIGKILL)
    process.wait(30)


def finished_runs(folder: Path) -> set[str]:
    """Run ids whose end stands whole in the journal."""
    lines = (folder / "out" / "journal.jsonl").read_bytes().split(b"\n")[:-1]
    return {json.loads(line)["beside"]["result"]["run_id"] for line in lines if b'"kind":"run_finished"' in line}


def kill_and_resume(folder: Path, expected: bytes, points: list[tuple[int, float]]) -> None:
    """
    Kill, resume and kill again, and so on, after so many calls and a lag; the last session is left alone.

    Each run whose end was in the journal when a session began is not called in it; each other one from its start.
    """
    folder.mkdir()
    (folder / "slow.py").write_text(AGENT, encoding="utf-8")
    for number, (more, lag_seconds) in enumerate(points):
        killed(folder, more, lag_seconds, *(("--soclab-resume", "out") if number else ("--soclab-out", "out")))
    done, before = finished_runs(folder), len(calls(folder))
    last = run(folder, "pytest", *OPTIONS, "--soclab-resume", "out")
    assert last.status in (0, 1), last.output

    asked = calls(folder)[before:]
    assert done.isdisjoint(one for one, _ in asked)
    assert set(Counter(asked).values()) <= {1}
    assert stable(folder) == rebuilt(folder) == expected


@pytest.mark.parametrize("more", [1, EVERY - 10])
def test_a_killed_campaign_goes_on_to_the_same_scorecard(more: int, undisturbed: bytes, tmp_path: Path) -> None:
    """Killed early and late."""
    kill_and_resume(tmp_path / "here", undisturbed, [(more, 0.0)])


def test_a_campaign_killed_twice_goes_on_to_the_same_scorecard(undisturbed: bytes, tmp_path: Path) -> None:
    """The second session of three is killed, too."""
    kill_and_resume(tmp_path / "here", undisturbed, [(30, 0.0), (25, 0.0)])


@pytest.mark.slow
@pytest.mark.parametrize("number", range(50))
def test_fifty_kills_at_random_points(number: int, undisturbed: bytes, tmp_path: Path) -> None:
    """The points are drawn from the number, so that one of them can be looked at again."""
    drawn = random.Random(number)
    kill_and_resume(tmp_path / "here", undisturbed, [(drawn.randint(0, EVERY), drawn.uniform(0.0, 0.1))])
