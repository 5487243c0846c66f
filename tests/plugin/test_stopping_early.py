"""-x and --maxfail: what is in flight is dropped, what is known is named. No step of these tests races another."""

from __future__ import annotations

import pytest

from tests.plugin.lab import Lab, kinds, node, seed_that_begins_with, verdicts

FIRST_OF_THREE = """
import asyncio
from pathlib import Path
from agents import honest

RUNS = []

def is_first(request):
    if request["run_id"] not in RUNS:
        RUNS.append(request["run_id"])
    return RUNS[0] == request["run_id"]

async def breaks_while_others_hang(request):
    first = is_first(request)
    answer = await honest(request)
    if not first:
        await asyncio.sleep(600)
    return "no JSON" if request["stage"] == "collect_authentication" else answer

async def breaks_after_others_ended(request):
    first = is_first(request)
    if not first or request["stage"] != "propose_action":
        return await honest(request)
    while Path("out/journal.jsonl").read_text().count('"kind":"run_finished"') < 2:
        await asyncio.sleep(0.01)
    return "no JSON"
"""
THREE = ("--soclab-scenario", "BEN-00[123]")


def options(agent: str) -> tuple[str, ...]:
    """Three runs at once; the one whose items come first is the first of them."""
    seed = seed_that_begins_with("BEN-001", "BEN-002", "BEN-003")
    return ("--soclab-agent", f"first_of_three:{agent}", *THREE, "--soclab-seed", seed, "--soclab-concurrency", "3")


@pytest.fixture
def agents(lab: Lab) -> None:
    (lab.path / "first_of_three.py").write_text(FIRST_OF_THREE, encoding="utf-8")


@pytest.mark.usefixtures("agents")
@pytest.mark.parametrize("option", ["-x", "--maxfail=1"])
def test_the_first_failure_ends_the_campaign(lab: Lab, option: str) -> None:
    """Two answers never come, nobody waits for them; exit 1, the gate is no pass."""
    result = lab.run(*options("breaks_while_others_hang"), option, "-v")

    found = kinds(verdicts(result))
    assert found == {"PASSED": 1, "ERROR": 1, "SKIPPED": 1}
    assert len(lab.calls()) == 4
    assert verdicts(result)["soclab::gate"] == "SKIPPED"
    assert result.ret == pytest.ExitCode.TESTS_FAILED


@pytest.mark.usefixtures("agents")
def test_what_was_finished_and_never_told_is_named(lab: Lab) -> None:
    """Other scenarios went on beside the one whose item failed."""
    result = lab.run(*options("breaks_after_others_ended"), "--soclab-out", "out", "-x", "-v")

    assert verdicts(result)[node("BEN-001", "propose_action")] == "ERROR"
    result.stdout.fnmatch_lines(["finished, but told by no item: BEN-002 correct, BEN-003 correct"])
