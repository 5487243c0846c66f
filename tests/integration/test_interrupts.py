"""A real pytest, stopped by a signal in the middle of a campaign."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.integration.commands import environment, run, soclab
from tests.integration.test_killed_campaigns import AGENT, OPTIONS, stable, whole

__all__ = ["whole"]

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


def stopped(folder: Path, watched: str, number: signal.Signals, *options: str) -> tuple[int, str, float]:
    """Exit status, output, and seconds from the signal to the end; it is sent soon after the watched file appears."""
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, *options],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    place = folder / watched
    while process.poll() is None and not place.exists():
        time.sleep(0.01)
    time.sleep(0.3)
    sent = time.monotonic()
    process.send_signal(number)
    output, _ = process.communicate(timeout=60)
    return process.returncode, output, time.monotonic() - sent


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_a_partial_scorecard_and_a_journal_to_go_on_with(
    number: signal.Signals, whole: tuple[str, int], tmp_path: Path
) -> None:
    """Exit 2; `--rebuild` gives the same scorecard; resumed, it is as if nothing had happened."""
    (tmp_path / "slow.py").write_text(HELD, encoding="utf-8")
    (tmp_path / "held").touch()
    options = (*OPTIONS, "--soclab-out", "out")
    status, output, _ = stopped(tmp_path, "out/journal.jsonl", number, *options)

    assert status == pytest.ExitCode.INTERRUPTED, output
    assert "partial: " in output
    assert "Traceback" not in output
    (tmp_path / "held").unlink()
    written = stable(tmp_path)
    assert soclab(tmp_path, "scorecard", "--rebuild", "--stable", "out").output == written
    assert run(tmp_path, "pytest", *OPTIONS, "--soclab-resume", "out").status in (0, 1)
    assert stable(tmp_path) == whole[0]


@pytest.mark.parametrize("agent", ["agent", "blocking"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_agent_that_never_answers_does_not_hold_the_process(
    agent: str, number: signal.Signals, tmp_path: Path
) -> None:
    """Calls under way are dropped, in the event loop and in threads."""
    (tmp_path / "never.py").write_text(NEVER, encoding="utf-8")
    options = ("-q", "--soclab-agent", f"never:{agent}", "--soclab-out", "out")
    status, output, seconds = stopped(tmp_path, "asked", number, *options)

    assert status == pytest.ExitCode.INTERRUPTED, output
    assert (tmp_path / "out" / "scorecard.json").exists()
    assert seconds < QUICK


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_distributed_campaign_leaves_what_it_has(number: signal.Signals, tmp_path: Path) -> None:
    """The workers are gone before the controller makes the files; exit 2, a partial scorecard."""
    pytest.importorskip("xdist")
    (tmp_path / "slow.py").write_text(HELD, encoding="utf-8")
    (tmp_path / "held").touch()
    options = (*OPTIONS, "-n", "2", "--soclab-out", "out")
    status, output, _ = stopped(tmp_path, "out/journal.jsonl", number, *options)

    assert status == pytest.ExitCode.INTERRUPTED, output
    assert (tmp_path / "out" / "scorecard.json").exists(), output
    assert "INTERNALERROR" not in output
    (tmp_path / "held").unlink()
    assert run(tmp_path, "pytest", *OPTIONS, "-n", "2", "--soclab-resume", "out").status in (0, 1)


@pytest.mark.parametrize("agent", ["agent", "blocking"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_agent_that_never_answers_does_not_hold_a_distributed_session(
    agent: str, number: signal.Signals, tmp_path: Path
) -> None:
    """The worker drops its calls and closes the journal itself, before xdist would kill it; exit 2, a scorecard."""
    pytest.importorskip("xdist")
    (tmp_path / "never.py").write_text(NEVER, encoding="utf-8")
    options = ("-q", "--soclab-agent", f"never:{agent}", "-n", "2", "--soclab-out", "out")
    status, output, seconds = stopped(tmp_path, "asked", number, *options)

    assert status == pytest.ExitCode.INTERRUPTED, output
    assert (tmp_path / "out" / "scorecard.json").exists(), output
    assert "INTERNALERROR" not in output
    assert b'"kind":"campaign_finished"' in (tmp_path / "out" / "journal.jsonl").read_bytes()
    assert seconds < 3 * QUICK  # three processes that end one after the other
