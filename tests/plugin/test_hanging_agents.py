"""--soclab-call-seconds, and agents in this process that never answer: no session hangs, and the line says why."""

from __future__ import annotations

import pytest

from tests.plugin.lab import STAGES, Lab, kinds, verdicts

HANGING = """
import asyncio
import time

from soclab.providers import registry
from soclab.providers.reference import brain_of

ANSWER = brain_of("server")


async def awaits(request):
    await asyncio.sleep(600 * (request["stage"] == "collect_endpoint"))
    return ANSWER(request)


def sleeps(request):
    time.sleep(600 * (request["stage"] == "collect_endpoint"))
    return ANSWER(request)


async def blocks(request):
    if request["stage"] == "collect_endpoint":
        time.sleep(600)
    return ANSWER(request)


def provider():
    class Hanging(type(registry.build("reference", {}, None))):
        async def generate_structured(self, request):
            await asyncio.sleep(600 * (request.stage == "collect_endpoint"))
            return await super().generate_structured(request)

    made = registry.build("reference", {}, None)
    made.__class__ = Hanging
    return made


async def app(scope, receive, send):
    await asyncio.sleep(600)
"""
TWO = ("--soclab-scenario", "BEN-00[12]", "--soclab-concurrency", "1")


def options(lab: Lab, agent: str, *more: str) -> tuple[str, ...]:
    (lab.path / "hanging.py").write_text(HANGING, encoding="utf-8")
    return ("--soclab-agent", f"hanging:{agent}", *TWO, "-o", "pythonpath=.", "--soclab-call-seconds", "0.5", *more)


@pytest.mark.parametrize("agent", ["awaits", "sleeps", "provider", "app"])
def test_an_answer_that_is_too_late_is_a_time_out(lab: Lab, agent: str) -> None:
    """Whatever kind of agent it is, the run ends as inconclusive and the next one begins."""
    run = lab.run_apart if agent == "sleeps" else lab.run  # its thread outlives the session
    result = run(*options(lab, agent, "-v"))
    card = lab.scorecard()

    assert [(one["outcome"], one["reason_code"]) for one in card["scenarios"]] == [("inconclusive", "timeout")] * 2
    assert card["complete"]
    assert kinds(verdicts(result))["ERROR"] == 2
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*no *answer within 0.5 s*"])


def held(lab: Lab, *distribution: str) -> None:
    """The session of an agent that holds the event loop ends with its place in the code, and keeps what it has."""
    result = lab.run_apart(*options(lab, "blocks", "--soclab-out", "out", "--soclab-seed", "s"), *distribution)
    card = lab.scorecard("out")
    first = [one for one in card["scenarios"] if one["outcome"]]

    assert [(one["outcome"], one["reason_code"]) for one in first] == [("inconclusive", "timeout")]
    assert not card["complete"]
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    words = "the agent holds the event loop at hanging.py:* in blocks (BEN-00?, collect_endpoint)*"
    result.stdout.fnmatch_lines([f"*timeout: {words}*"])
    result.stdout.fnmatch_lines(["*make it a plain def, or await what takes time*"])


@pytest.mark.slow
def test_an_agent_that_holds_the_event_loop_of_a_worker_is_named(lab: Lab) -> None:
    """Under pytest-xdist as in one process."""
    held(lab, "-n", "1")


def test_an_agent_that_holds_the_event_loop_is_named_and_loses_no_journal(lab: Lab) -> None:
    """No deadline can fire there: the session ends all the same, and the campaign can be gone on with."""
    held(lab)
    (lab.path / "hanging.py").write_text(HANGING.replace("time.sleep(600)", "pass"), encoding="utf-8")
    again = ("--soclab-agent", "hanging:blocks", *TWO, "--soclab-seed", "s", "-o", "pythonpath=.")
    result = lab.run(*again, "--soclab-resume", "out")

    assert result.ret == pytest.ExitCode.OK
    assert result.parseoutcomes()["passed"] == 2 * len(STAGES) + 1
    assert lab.scorecard("out")["evidence"]["all_valid"]


def test_the_time_for_an_answer_stands_in_the_ini_file_and_the_environment(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twins mean the same."""
    (lab.path / "hanging.py").write_text(HANGING, encoding="utf-8")
    chosen = ("--soclab-agent", "hanging:app", "--soclab-scenario", "BEN-001", "-o", "pythonpath=.")
    lab.pytester.makeini("[pytest]\nsoclab_call_seconds = 0.2\n")
    lab.run(*chosen).stdout.fnmatch_lines(["*within 0.2 s*"])
    monkeypatch.setenv("SOCLAB_CALL_SECONDS", "0.3")
    lab.run(*chosen).stdout.fnmatch_lines(["*within 0.3 s*"])
