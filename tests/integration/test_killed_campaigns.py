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

from tests.integration.commands import Finished, environment, run, soclab

AGENT = '''
import asyncio
from pathlib import Path

from soclab.providers.reference import brain_of

ANSWER = brain_of("server")


async def agent(request):
    """Notes what it is asked, then takes its time."""
    with Path("calls.txt").open("a") as file:
        file.write(f"{request['run_id']} {request['stage']}\\n")
    await asyncio.sleep(0.01)
    return ANSWER(request)
'''
QUIET = ("-p", "no:randomly", "-p", "no:cacheprovider", "-q")
OPTIONS = (*QUIET, "--soclab-agent", "slow:agent", "--soclab-seed", "s", "--soclab-concurrency", "3")


def killed(folder: Path, seconds: float, *options: str) -> None:
    """A pytest that is killed so many seconds after its journal appeared, or after it ended."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", *OPTIONS, *options],
        cwd=folder,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    journal = folder / "out" / "journal.jsonl"
    before = journal.stat().st_size if journal.exists() else 0
    while process.poll() is None and (not journal.exists() or journal.stat().st_size <= before):
        time.sleep(0.002)
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    process.wait(30)


def calls(folder: Path) -> list[tuple[str, str]]:
    noted = folder / "calls.txt"
    lines = noted.read_text(encoding="utf-8").splitlines() if noted.exists() else []
    return [(line.split()[0], line.split()[1]) for line in lines]


def finished_runs(folder: Path) -> set[str]:
    """Run ids whose end stands whole in the journal."""
    lines = (folder / "out" / "journal.jsonl").read_bytes().split(b"\n")[:-1]
    return {json.loads(line)["beside"]["result"]["run_id"] for line in lines if b'"kind":"run_finished"' in line}


def stable(folder: Path) -> str:
    shown = soclab(folder, "scorecard", "--stable", "out")
    assert shown.status == 0, shown.output
    return shown.output


def undisturbed(folder: Path) -> Finished:
    (folder / "slow.py").write_text(AGENT, encoding="utf-8")
    return run(folder, "pytest", *OPTIONS, "--soclab-out", "out")


def kill_and_resume(folder: Path, expected: str, delays: list[float]) -> None:
    """
    Kill, resume and kill again, and so on; the last session is left alone.

    Each run whose end was in the journal when a session began is not called in it; each other one from its start.
    """
    folder.mkdir()
    (folder / "slow.py").write_text(AGENT, encoding="utf-8")
    for number, delay in enumerate(delays):
        killed(folder, delay, *(("--soclab-resume", "out") if number else ("--soclab-out", "out")))
    done, before = finished_runs(folder), len(calls(folder))
    last = run(folder, "pytest", *OPTIONS, "--soclab-resume", "out")
    assert last.status in (0, 1), last.output

    asked = calls(folder)[before:]
    assert done.isdisjoint(one for one, _ in asked)
    assert set(Counter(asked).values()) <= {1}
    assert stable(folder) == expected
    rebuilt = soclab(folder, "scorecard", "--rebuild", "--stable", "out")
    assert rebuilt.output == expected


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, int]:
    """Stable scorecard and number of calls of a campaign that nobody disturbed."""
    folder = tmp_path_factory.mktemp("whole")
    undisturbed(folder)
    return stable(folder), len(calls(folder))


@pytest.mark.parametrize("delay", [0.0, 0.35, 1.0])
def test_a_killed_campaign_goes_on_to_the_same_scorecard(delay: float, whole: tuple[str, int], tmp_path: Path) -> None:
    """Killed early, in the middle and late."""
    kill_and_resume(tmp_path / "here", whole[0], [delay])


def test_a_campaign_killed_twice_goes_on_to_the_same_scorecard(whole: tuple[str, int], tmp_path: Path) -> None:
    """The second session of three is killed, too."""
    kill_and_resume(tmp_path / "here", whole[0], [0.3, 0.2])


@pytest.mark.slow
@pytest.mark.parametrize("number", range(50))
def test_fifty_kills_at_random_points(number: int, whole: tuple[str, int], tmp_path: Path) -> None:
    """The points are drawn from the number, so that one of them can be looked at again."""
    drawn = random.Random(number)
    kill_and_resume(tmp_path / "here", whole[0], [drawn.uniform(0.0, 1.6)])
