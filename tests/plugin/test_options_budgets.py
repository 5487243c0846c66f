"""--soclab-max-seconds, --soclab-max-calls, --soclab-rate-limit-reruns."""

from __future__ import annotations

import pytest

from tests.plugin.lab import HONEST, STAGES, Lab, kinds, verdicts

THREE = ("--soclab-scenario", "BEN-*")
LIMITED = """
from pathlib import Path

from soclab.contracts.provider import FinishReason, ModelResponse
from soclab.providers import registry

REFERENCE = type(registry.build("reference", {}, None))


class Limited(REFERENCE):
    async def generate_structured(self, request):
        with open("seen", "a") as file:
            file.write("x")
        if len(Path("seen").read_text()) != 3:
            return await super().generate_structured(request)
        return ModelResponse(
            provider="agent",
            model="agent",
            finish_reason=FinishReason.ERROR,
            reason_code="rate_limited",
            retry_after_seconds=0.0,
        )


def agent():
    made = registry.build("reference", {}, None)
    made.__class__ = Limited
    return made
"""


def test_what_the_calls_do_not_reach_is_not_run(lab: Lab) -> None:
    """The agent gets exactly so many calls; the rest is skipped as not run, the gate fails, exit 1."""
    options = (*HONEST, *THREE, "--soclab-max-calls", "8", "--soclab-concurrency", "1")
    result = lab.run(*options, "-v", "-rs")

    assert len(lab.calls()) == 8
    found = verdicts(result)
    assert found.pop("soclab::gate") == "FAILED"
    assert found["soclab::" + result_of_first(found)] == "PASSED"
    result.stdout.fnmatch_lines(["*SKIPPED*not run: the campaign's budget of seconds or calls is spent*"])
    result.stdout.fnmatch_lines(["*completeness: *"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def result_of_first(found: dict[str, str]) -> str:
    return next(name for name, word in found.items() if word == "PASSED").removeprefix("soclab::")


def test_what_the_time_does_not_reach_is_not_run(lab: Lab) -> None:
    """Calls that are out may come back; none goes out later."""
    (lab.path / "slow.py").write_text(
        "import asyncio\nfrom agents import honest\n"
        "async def agent(request):\n    await asyncio.sleep(1.1 * (request['stage'] == 'collect_authentication'))\n"
        "    return await honest(request)\n",
        encoding="utf-8",
    )
    result = lab.run("--soclab-agent", "slow:agent", *THREE, "--soclab-max-seconds", "1", "-v")

    assert 0 < len(lab.calls()) <= 3 * 2
    assert kinds(verdicts(result))["SKIPPED"] > 0
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_a_budget_that_suffices_changes_nothing(lab: Lab) -> None:
    """Exactly as many calls as planned, and time enough."""
    options = ("--soclab-max-calls", str(3 * len(STAGES)), "--soclab-max-seconds", "60")
    assert lab.run(*HONEST, *THREE, *options).ret == pytest.ExitCode.OK


@pytest.mark.parametrize(("reruns", "attempts"), [("0", [1]), ("1", [1, 2])])
def test_a_run_that_a_rate_limit_ended_is_tried_anew(lab: Lab, reruns: str, attempts: list[int]) -> None:
    """Only as often as the user allows."""
    (lab.path / "limited.py").write_text(LIMITED, encoding="utf-8")
    options = ("--soclab-agent", "limited:agent", "--soclab-scenario", "BEN-001", "--soclab-rate-limit-reruns", reruns)
    result = lab.run(*options)

    assert [one["attempt"] for one in lab.scorecard()["scenarios"]] == attempts
    assert (result.ret == pytest.ExitCode.OK) == (reruns == "1")


@pytest.mark.parametrize(
    ("option", "text", "says"),
    [
        ("max-calls", "0", "give a whole number from 1 to *"),
        ("max-calls", "-3", "give a whole number from 1 to *"),
        ("max-calls", "many", "give a whole number from 1 to *"),
        ("max-seconds", "0", "give a number of seconds greater than zero"),
        ("max-seconds", "-1", "give a number of seconds greater than zero"),
        ("max-seconds", "nan", "give a number of seconds greater than zero"),
        ("max-seconds", "inf", "give a number of seconds greater than zero"),
        ("max-seconds", "", "give a number of seconds greater than zero"),
        ("rate-limit-reruns", "-1", "give a whole number from 0 to 100"),
        ("rate-limit-reruns", "101", "give a whole number from 0 to 100"),
    ],
)
def test_a_limit_that_limits_nothing_is_wrong_use(lab: Lab, option: str, text: str, says: str) -> None:
    """One line with the bounds, exit 4, nobody asked."""
    result = lab.run(*HONEST, f"--soclab-{option}={text}")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: --soclab-{option} *: {says}"])
    assert lab.calls() == []


def test_limits_stand_in_the_ini_file_and_the_environment(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twins mean the same."""
    lab.pytester.makeini("[pytest]\nsoclab_max_calls = 3\n")
    lab.run(*HONEST, *THREE)
    assert len(lab.calls()) == 3
    monkeypatch.setenv("SOCLAB_MAX_CALLS", "2")
    lab.run(*HONEST, *THREE)
    assert len(lab.calls()) == 3 + 2
