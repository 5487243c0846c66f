"""Real processes that get a signal while a campaign ends: each sends it to itself, at a step that is named."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.commands import Finished, environment, run, soclab
from tests.sessions import ALONE

CUTTING = """
import importlib, json, os, signal

signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background of a shell inherit "ignored"
PLAN = json.loads(os.environ["CUTTING"])
SENT = []


def cut(step, name, number, worker):
    module, *path, attribute = step.split(":")
    place = importlib.import_module(module)
    for one in path:
        place = getattr(place, one)
    whole = getattr(place, attribute)

    def cutting(*args, **more):
        if step not in SENT and bool(os.environ.get("PYTEST_XDIST_WORKER")) is worker:
            SENT.append(step)
            open("sent.txt", "a").write(name + "\\\\n")
            os.kill(os.getpid(), number)
        return whole(*args, **more)

    setattr(place, attribute, cutting)


for one in PLAN:
    cut(one["step"], one["signal"], getattr(signal, one["signal"]), one["worker"])
""".replace("\\\\n", "\\n")
AGENT = """
import asyncio

from soclab.providers.reference import brain_of

ANSWER = brain_of("server")

def agent(request):
    return ANSWER(request)

async def late(request):
    if request["stage"] != "collect_siem":
        return ANSWER(request)
    await asyncio.sleep(600)
"""
WAKING = """
import pytest

@pytest.mark.soclab_scenario(id="BEN-001")
def test_a(soclab_run):
    assert soclab_run.outcome
"""
SKIPPING = """
import pytest

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    if "collect_identity" not in item.nodeid:
        pytest.skip("nobody waits for it")
"""
CLOSING = "soclab.engine.campaign:Campaign:finish"
VERIFYING = "soclab.assembly.ending:verify_journal"
SCORING = "soclab.assembly.ending:build_scorecard"
WRITING = "soclab.assembly.ending:write_reports"
SIGNALS = ("SIGINT", "SIGTERM")
EITHER = ["SIGINT", pytest.param("SIGTERM", marks=pytest.mark.slow)]
EACH_STEP = [
    (CLOSING, "SIGTERM"),
    (SCORING, "SIGINT"),
    *(
        pytest.param(step, number, marks=pytest.mark.slow)
        for step in (CLOSING, VERIFYING, SCORING, WRITING)
        for number in SIGNALS
        if (step, number) not in {(CLOSING, "SIGTERM"), (SCORING, "SIGINT")}
    ),
]
AGAIN = "interrupted again, before the files were written"
ONE = ("--soclab-agent", "quick:agent", "--soclab-scenario", "BEN-00[12]", "--soclab-seed", "s")
QUIET = (*ALONE, "-p", "no:cacheprovider", "-q")
ENTRIES = {
    "pytest": "import cutting, sys, pytest; sys.exit(pytest.main())",
    "soclab": "import cutting; from soclab.cli.main import run; run()",
}


def cut(folder: Path, command: str, *options: str, at: dict[str, str], in_worker: bool = False) -> Finished:
    """The command, with the signals it sends to itself: step -> name of the signal, each at most once."""
    (folder / "quick.py").write_text(AGENT, encoding="utf-8")
    (folder / "cutting.py").write_text(CUTTING, encoding="utf-8")
    plan = [{"step": step, "signal": name, "worker": in_worker} for step, name in at.items()]
    done = subprocess.run(
        [sys.executable, "-c", ENTRIES[command], *options],
        cwd=folder,
        env=environment(CUTTING=json.dumps(plan)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        check=False,
    )
    finished = Finished(done.returncode, done.stdout.decode("utf-8", "replace"), folder)
    assert (folder / "sent.txt").read_text(encoding="utf-8").split() == list(at.values()), finished.output
    return finished


def has_files(folder: Path) -> bool:
    return all((folder / "out" / one).exists() for one in ("journal.jsonl", "scorecard.json", "report.html"))


@pytest.mark.parametrize(("step", "number"), EACH_STEP)
def test_the_first_signal_waits_until_the_files_are_written(step: str, number: str, tmp_path: Path) -> None:
    """Exit 2, and the folder that the campaign would have left."""
    done = cut(tmp_path, "pytest", *QUIET, *ONE, "--soclab-out", "out", at={step: number})

    assert done.status == pytest.ExitCode.INTERRUPTED, done.output
    assert has_files(tmp_path)
    assert "2 of 2 scenarios" in done.output
    assert "INTERNALERROR" not in done.output
    assert AGAIN not in done.output
    assert soclab(tmp_path, "verify", "out").status == 0


@pytest.mark.parametrize("number", EITHER)
def test_a_second_signal_cuts_the_end_and_the_way_on_is_said(number: str, tmp_path: Path) -> None:
    """One line names the option that makes the files, and it does."""
    done = cut(tmp_path, "pytest", *QUIET, *ONE, "--soclab-out", "out", at={VERIFYING: number, SCORING: number})

    assert done.status == pytest.ExitCode.INTERRUPTED, done.output
    assert not has_files(tmp_path)
    told = [line for line in done.output.splitlines() if AGAIN in line]
    assert len(told) == 1
    assert told[0].endswith(f"--soclab-resume {tmp_path / 'out'} writes them")
    assert run(tmp_path, "pytest", *QUIET, *ONE, "--soclab-resume", "out").status in (0, 1)
    assert has_files(tmp_path)


@pytest.mark.parametrize("number", EITHER)
def test_the_end_of_an_interrupted_session_is_not_cut_either(number: str, tmp_path: Path) -> None:
    """The first signal ends the runs, the next comes while what is known is written."""
    late = ("--soclab-agent", "quick:late", "--soclab-scenario", "BEN-001", "--soclab-out", "out")
    waiting = "soclab.pytest_plugin.session:CampaignSession:while_waiting"
    done = cut(tmp_path, "pytest", *QUIET, *late, at={waiting: number, SCORING: number})

    assert done.status == pytest.ExitCode.INTERRUPTED, done.output
    assert has_files(tmp_path)
    assert "partial: " in done.output


@pytest.mark.parametrize("number", EITHER)
def test_a_campaign_that_only_tests_asked_for_ends_like_that_too(number: str, tmp_path: Path) -> None:
    """Its files are written at the end of the session, after the last test."""
    (tmp_path / "test_waking.py").write_text(WAKING, encoding="utf-8")
    done = cut(tmp_path, "pytest", *QUIET, *ONE, "test_waking.py", "--soclab-out", "out", at={SCORING: number})

    assert done.status == pytest.ExitCode.INTERRUPTED, done.output
    assert has_files(tmp_path)
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    "step",
    [
        "soclab.pytest_plugin.gate:show",
        pytest.param("soclab.pytest_plugin.hooks:planned_line", marks=pytest.mark.slow),
    ],
)
def test_termination_is_like_an_interrupt_before_and_after_the_items(step: str, tmp_path: Path) -> None:
    """From the start of the session to its end."""
    found = {}
    for number in SIGNALS:
        (tmp_path / number).mkdir()
        done = cut(tmp_path / number, "pytest", *QUIET, *ONE, "--soclab-out", "out", at={step: number})
        found[number] = (done.status, has_files(tmp_path / number))

    assert found["SIGTERM"] == found["SIGINT"]
    assert found["SIGTERM"][0] == pytest.ExitCode.INTERRUPTED


@pytest.mark.parametrize("number", EITHER)
def test_a_signal_during_the_end_drops_what_the_end_waits_for(number: str, tmp_path: Path) -> None:
    """An agent that never answers holds no interrupt, though the end would wait for its answer."""
    (tmp_path / "conftest.py").write_text(SKIPPING, encoding="utf-8")
    late = ("--soclab-agent", "quick:late", "--soclab-scenario", "BEN-001", "--soclab-out", "out")
    done = cut(tmp_path, "pytest", *QUIET, *late, at={"soclab.engine.background:BackgroundEngine:_join": number})

    assert done.status == pytest.ExitCode.INTERRUPTED, done.output
    assert has_files(tmp_path)


@pytest.mark.parametrize(("step", "number", "in_worker"), [(CLOSING, "SIGINT", True), (WRITING, "SIGTERM", False)])
def test_a_distributed_campaign_ends_like_that_too(step: str, number: str, in_worker: bool, tmp_path: Path) -> None:
    """In the worker that closes the journal, and in the controller that makes the files."""
    pytest.importorskip("xdist")
    options = (*QUIET, *ONE, "-n", "1", "-p", "cutting", "--soclab-out", "out")
    done = cut(tmp_path, "pytest", *options, at={step: number}, in_worker=in_worker)

    assert done.status == pytest.ExitCode.INTERRUPTED, done.output
    assert has_files(tmp_path), done.output
    assert b'"kind":"campaign_finished"' in (tmp_path / "out" / "journal.jsonl").read_bytes()
    assert "INTERNALERROR" not in done.output


OF_COMMAND = ("campaign", *(one.replace("--soclab-", "--") for one in ONE), "--out", "out")


@pytest.mark.parametrize(
    ("step", "number"), [("soclab.assembly.running:RunningCampaign:wait_all", "SIGTERM"), *EACH_STEP]
)
def test_the_command_line_writes_the_files_first(step: str, number: str, tmp_path: Path) -> None:
    """Exit 130 and the scorecard, whenever the signal came."""
    done = cut(tmp_path, "soclab", *OF_COMMAND, at={step: number})

    assert done.status == 130, done.output
    assert has_files(tmp_path)
    assert done.output.count("soclab: interrupted: what is known by now is written") == 1


@pytest.mark.parametrize("number", EITHER)
def test_a_second_signal_cuts_the_command_and_the_way_on_is_said(number: str, tmp_path: Path) -> None:
    """One line names the option that makes the files, and it does."""
    done = cut(tmp_path, "soclab", *OF_COMMAND, at={VERIFYING: number, SCORING: number})

    assert done.status == 130, done.output
    assert not has_files(tmp_path)
    assert f"soclab: {AGAIN}: --resume out writes them" in done.output.splitlines()
    assert soclab(tmp_path, *OF_COMMAND[:-2], "--resume", "out").status in (0, 1)
    assert has_files(tmp_path)
