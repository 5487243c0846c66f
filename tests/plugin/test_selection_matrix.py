"""Every way to select: calls made, exit status, items told. Both scenarios break at collect_siem."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.plugin.lab import Lab, kinds, node, verdicts

TWO = ("--soclab-agent", "agents:mute_at_siem", "--soclab-scenario", "BEN-00[12]")
GATE = "soclab::gate"
OK, RED, NONE = pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED
BEFORE = ("collect_identity", "collect_authentication", "collect_endpoint", "enrich_indicators")


class Case(NamedTuple):
    arguments: tuple[str, ...]
    calls: int
    status: int
    told: dict[str, int]
    gate: str | None = "SKIPPED"


MATRIX = {
    "everything": Case((), 10, RED, {"PASSED": 8, "ERROR": 2, "SKIPPED": 4}, "FAILED"),
    "-m soclab": Case(("-m", "soclab"), 10, RED, {"PASSED": 8, "ERROR": 2, "SKIPPED": 4}, "FAILED"),
    "-m not soclab": Case(("-m", "not soclab"), 0, NONE, {}, None),
    "-k one stage before the break": Case(("-k", "collect_endpoint"), 6, OK, {"PASSED": 2}),
    "-k the stage that breaks": Case(("-k", "collect_siem"), 10, RED, {"ERROR": 2}),
    "-k a stage after a hidden break": Case(("-k", "propose_action"), 10, RED, {"ERROR": 2}),
    "-k one scenario": Case(("-k", "BEN-001"), 5, RED, {"PASSED": 4, "ERROR": 1, "SKIPPED": 2}),
    "-k nothing": Case(("-k", "nothing-like-it"), 0, NONE, {}, None),
    "id of a scenario": Case(("soclab::BEN-002",), 5, RED, {"PASSED": 4, "ERROR": 1, "SKIPPED": 2}),
    "id of a stage before the break": Case((node("BEN-001", "collect_endpoint"),), 3, OK, {"PASSED": 1}),
    "id of a stage after the break": Case((node("BEN-001", "form_finding"),), 5, RED, {"ERROR": 1}),
    "--deselect the stage that breaks": Case(
        ("--deselect", node("BEN-001", "collect_siem"), "-k", "BEN-001"),
        5,
        RED,
        {"PASSED": 4, "ERROR": 1, "SKIPPED": 1},
    ),
    "--deselect a scenario": Case(("--deselect", "soclab::BEN-001"), 5, RED, {"PASSED": 4, "ERROR": 1, "SKIPPED": 2}),
    "--collect-only": Case(("--collect-only",), 0, OK, {}, None),
    "--setup-plan": Case(("--setup-plan",), 0, OK, {"PASSED": 14}, None),
}


@pytest.mark.parametrize("name", MATRIX)
@pytest.mark.parametrize("order", ["as it is", "shuffled"])
def test_selections_make_the_calls_they_need_and_no_more(lab: Lab, name: str, order: str) -> None:
    """A hidden broken stage never goes green, in whatever order; parts pass no gate."""
    plugins = ("no:asyncio",) if order == "shuffled" else ("no:randomly", "no:asyncio")
    case = MATRIX[name]
    result = lab.run(*TWO, "-v", *case.arguments, plugins=plugins)

    found = verdicts(result)
    gate = found.pop(GATE, None)
    assert len(lab.calls()) == len(set(lab.calls())) == case.calls
    assert result.ret == case.status
    if "--setup-plan" not in case.arguments:
        assert dict(kinds(found)) == case.told
    broke = case.gate is not None and "ERROR" in case.told  # runs without an answer are no evidence in any part
    assert gate == ("FAILED" if broke else case.gate)


@pytest.mark.parametrize("option", ["--lf", "--ff"])
def test_what_failed_last_is_run_again(lab: Lab, option: str) -> None:
    """--lf: the two broken stages alone; --ff: everything, and the same calls."""
    lab.run(*TWO)
    first = len(lab.calls())
    result = lab.run(*TWO, option, "-v")

    found = verdicts(result)
    found.pop(GATE)
    assert kinds(found)["ERROR"] == 2
    assert len(found) == (2 if option == "--lf" else 14)
    assert len(lab.calls()) - first == 10
    assert result.ret == RED


def test_stepwise_goes_on_at_the_broken_stage(lab: Lab) -> None:
    """--sw stops at it, and the next session begins with it."""
    first = verdicts(lab.run(*TWO, "--sw", "-v"))
    again = verdicts(lab.run(*TWO, "--sw", "-v"))

    broken = node("BEN-001", "collect_siem")
    assert list(first) == [*(node("BEN-001", stage) for stage in BEFORE), broken]
    assert next(iter(again)) == broken


@pytest.mark.parametrize(("option", "errors"), [("-x", 1), ("--maxfail=1", 1), ("--maxfail=2", 2)])
def test_sessions_that_stop_early_are_red(lab: Lab, option: str, errors: int) -> None:
    """What ran is told, the gate is no pass."""
    result = lab.run(*TWO, option, "-v")

    assert kinds(verdicts(result))["ERROR"] == errors
    assert verdicts(result).get(GATE) in ("SKIPPED", "FAILED")
    assert result.ret == RED
