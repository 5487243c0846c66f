"""-x and --maxfail: what is in flight is dropped, what is known is named."""

from __future__ import annotations

import pytest

from soclab.identity import campaign_secret, order_by_secret
from tests.plugin.lab import Lab, kinds, node, verdicts

SLOW = """
import asyncio
from agents import honest

async def agent(request):
    await asyncio.sleep(0.0 if request["stage"] == "collect_identity" else 0.05)
    if request["stage"] == "collect_authentication":
        return "no JSON"
    return await honest(request)

async def first_is_last(request):
    run = await honest(request)
    SEEN.setdefault(request["run_id"], len(SEEN))
    if SEEN[request["run_id"]] == 0 and request["stage"] == "propose_action":
        await asyncio.sleep(0.5)
        return "no JSON"
    return run

SEEN = {}
"""


@pytest.mark.parametrize("option", ["-x", "--maxfail=1"])
def test_the_first_failure_ends_the_campaign(lab: Lab, option: str) -> None:
    """Fewer calls than planned, exit 1, the gate is no pass."""
    (lab.path / "slow.py").write_text(SLOW, encoding="utf-8")
    options = ("--soclab-agent", "slow:agent", "--soclab-concurrency", "2", "--soclab-seed", "s")
    result = lab.run(*options, option, "-v")

    found = kinds(verdicts(result))
    assert found["ERROR"] == 1
    assert len(lab.calls()) < 2 * lab.scorecard()["selected"]["scenarios"]
    assert verdicts(result)["soclab::gate"] == "SKIPPED"
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def seed_that_begins_with(scenario: str, *others: str) -> str:
    """A seed in whose order this scenario is the first."""
    return next(
        seed
        for seed in map(str, range(100))
        if order_by_secret(campaign_secret(seed), (scenario, *others))[0] == scenario
    )


def test_what_was_finished_and_never_told_is_named(lab: Lab) -> None:
    """Other scenarios went on beside the one whose item failed."""
    (lab.path / "slow.py").write_text(SLOW, encoding="utf-8")
    seed = seed_that_begins_with("BEN-001", "BEN-002", "BEN-003")
    options = ("--soclab-agent", "slow:first_is_last", "--soclab-seed", seed, "--soclab-concurrency", "3")
    result = lab.run(*options, *(f"--soclab-scenario=BEN-00{number}" for number in (1, 2, 3)), "-x", "-v")

    assert verdicts(result)[node("BEN-001", "propose_action")] == "ERROR"
    result.stdout.fnmatch_lines(["finished, but told by no item: BEN-002 correct, BEN-003 correct"])
