"""A real pytest, stopped by a signal in the middle of a campaign."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.integration.commands import environment, run
from tests.integration.stopped_campaigns import AGENT, OPTIONS, calls, rebuilt, stable
from tests.sessions import ALONE

NEVER = """
import asyncio
import time
from pathlib import Path

async def agent(request):
    Path("asked").touch()
    await asyncio.sleep(600)

def blocking(request):
    Path("asked").touch()
    time.sleep(600)
"""
HELD = AGENT.replace(
    "await asyncio.sleep(0.01)",
    'calls = Path("calls.txt").read_text().count("\\n")\n'
    '    while calls > 30 and Path("held").exists():\n        await asyncio.sleep(0.01)',
)
"""The same agent, but a campaign cannot end as long as the file `held` is there."""
INTERRUPTIBLE = """
import signal, sys
import pytest
signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background of a shell inherit "ignored"
sys.exit(pytest.main())
"""
QUICK = 8.0
"""Seconds that tell an end from a hang on a busy machine; on an idle one it is under two, the promise to users."""
SOME = ("--soclab-scenario", "BEN-*", "--soclab-concurrency", "4")
EITHER = [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
EITHER_AND_AGENT = [
    (signal.SIGINT, "blocking"),
    (signal.SIGTERM, "agent"),
    pytest.param(signal.SIGINT, "agent", marks=pytest.mark.slow),
    pytest.param(signal.SIGTERM, "blocking", marks=pytest.mark.slow),
]


def stopped(folder: Path, number: signal.Signals, is_time: Callable[[], bool], *options: str) -> tuple[int, str, float]:
    """Exit status, output, and seconds from the signal to the end."""
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, *options],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    while process.poll() is None and not is_time():
        time.sleep(0.01)
    sent = time.monotonic()
    process.send_signal(number)
    output, _ = process.communicate(timeout=60)
    return process.returncode, output, time.monotonic() - sent


def stopped_in_the_middle(folder: Path, number: signal.Signals, *options: str) -> str:
    """Output of a campaign that was stopped when some of its runs had ended."""
    (folder / "slow.py").write_text(HELD, encoding="utf-8")
    (folder / "held").touch()
    status, output, _ = stopped(
        folder, number, lambda: len(calls(folder)) > 30, *OPTIONS, *options, "--soclab-out", "out"
    )
    (folder / "held").unlink()
    assert status == pytest.ExitCode.INTERRUPTED, output
    return output


def stopped_while_it_waits(folder: Path, number: signal.Signals, agent: str, *options: str) -> tuple[int, str, float]:
    """The same of a campaign whose agent never answers."""
    (folder / "never.py").write_text(NEVER, encoding="utf-8")
    chosen = (*ALONE, "-q", "--soclab-agent", f"never:{agent}", *SOME, "--soclab-out", "out")
    return stopped(folder, number, (folder / "asked").exists, *chosen, *options)


@pytest.mark.parametrize("number", EITHER)
def test_a_signal_leaves_a_partial_scorecard_and_a_journal_to_go_on_with(
    number: signal.Signals, undisturbed: bytes, tmp_path: Path
) -> None:
    """Exit 2; `--rebuild` gives the same scorecard; resumed, it is as if nothing had happened."""
    output = stopped_in_the_middle(tmp_path, number)

    assert "partial: " in output
    assert "Traceback" not in output
    assert rebuilt(tmp_path) == stable(tmp_path)
    assert run(tmp_path, "pytest", *OPTIONS, "--soclab-resume", "out").status == 0
    assert stable(tmp_path) == undisturbed


@pytest.mark.parametrize(("number", "agent"), EITHER_AND_AGENT)
def test_an_agent_that_never_answers_does_not_hold_the_process(
    agent: str, number: signal.Signals, tmp_path: Path
) -> None:
    """Calls under way are dropped, in the event loop and in threads."""
    status, output, seconds = stopped_while_it_waits(tmp_path, number, agent)

    assert status == pytest.ExitCode.INTERRUPTED, output
    assert (tmp_path / "out" / "scorecard.json").exists()
    assert seconds < QUICK


@pytest.mark.parametrize("number", EITHER)
def test_a_distributed_campaign_leaves_what_it_has(number: signal.Signals, undisturbed: bytes, tmp_path: Path) -> None:
    """The workers are gone before the controller makes the files; exit 2, a partial scorecard, and it can go on."""
    pytest.importorskip("xdist")
    output = stopped_in_the_middle(tmp_path, number, "-n", "2")

    assert (tmp_path / "out" / "scorecard.json").exists(), output
    assert "INTERNALERROR" not in output
    assert run(tmp_path, "pytest", *OPTIONS, "-n", "2", "--soclab-resume", "out").status == 0
    assert stable(tmp_path) == undisturbed


@pytest.mark.parametrize(("number", "agent"), EITHER_AND_AGENT)
def test_an_agent_that_never_answers_does_not_hold_a_distributed_session(
    agent: str, number: signal.Signals, tmp_path: Path
) -> None:
    """The worker drops its calls and closes the journal itself, before xdist would kill it; exit 2, a scorecard."""
    pytest.importorskip("xdist")
    status, output, seconds = stopped_while_it_waits(tmp_path, number, agent, "-n", "2")

    assert status == pytest.ExitCode.INTERRUPTED, output
    assert (tmp_path / "out" / "scorecard.json").exists(), output
    assert "INTERNALERROR" not in output
    assert b'"kind":"campaign_finished"' in (tmp_path / "out" / "journal.jsonl").read_bytes()
    assert seconds < 3 * QUICK  # three processes that end one after the other
