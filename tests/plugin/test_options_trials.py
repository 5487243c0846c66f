"""--soclab-trials and --soclab-pass-k."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from soclab.contracts.scorecard_v1 import Scorecard
from soclab.scoring.stable import stable_bytes
from tests.plugin.lab import GULLIBLE, HONEST, STAGES, Lab, kinds, node, verdicts

ONE = ("--soclab-scenario", "ATK-001")
TWICE = (*ONE, "--soclab-trials", "2", "--soclab-seed", "s")
FLIPS = """
from agents import honest, gullible

SEEN = {}

async def agent(request):
    \"\"\"Falls in the first run it is asked about, and in no other.\"\"\"
    first = SEEN.setdefault("run", request["run_id"])
    return await (gullible if request["run_id"] == first else honest)(request)
"""


def stable(folder: Path) -> bytes:
    return stable_bytes(Scorecard.model_validate_json((folder / "scorecard.json").read_bytes()))


def ids(result: pytest.RunResult) -> list[str]:
    return [line for line in result.outlines if line.startswith("soclab::")]


def test_the_first_trial_keeps_its_ids_and_later_ones_add_theirs(lab: Lab) -> None:
    """So known failures, deselected ids and scripts stay valid; nothing is asked to collect them."""
    once = ids(lab.run(*HONEST, *ONE, "--collect-only", "-q"))
    thrice = ids(lab.run(*HONEST, *ONE, "--soclab-trials", "3", "--collect-only", "-q"))

    assert thrice == [*once, *(f"soclab::ATK-001[{stage}-t{n}]" for n in (2, 3) for stage in STAGES)]
    assert lab.calls() == []


def test_every_trial_is_a_run_of_its_own(lab: Lab) -> None:
    """Own ids, own items, own line in the scorecard; the header says the calls before the first."""
    result = lab.run(*HONEST, *TWICE, "-v")

    assert kinds(verdicts(result)) == {"PASSED": 15}
    result.stdout.fnmatch_lines(["soclab: *| 1 scenarios, 2 trials each, 14 calls at most, *"])
    assert sorted(Counter(run for run, _ in lab.calls()).values()) == [7, 7]
    card = lab.scorecard()
    assert [(one["id"], one["trial"]) for one in card["scenarios"]] == [("ATK-001", 1), ("ATK-001", 2)]
    assert len({one["evidence_root"] for one in card["scenarios"]}) == 2
    assert (card["trials"], card["complete"], card["selected"]) == (2, True, {"scenarios": 1, "stages": 14})
    assert card["repetition"]["pass_k"]["successes"] == 1
    result.stdout.fnmatch_lines(
        ["runs * 1 of 1 scenarios, 2 trials each, 14 of 14 stages: complete*", "trials * pass^2: 1 of 1 scenarios*"]
    )


def test_a_first_trial_is_the_run_that_a_campaign_of_one_has(lab: Lab) -> None:
    """More trials change nothing in it."""
    lab.run(*HONEST, *ONE, "--soclab-seed", "s", "--soclab-out", "once")
    lab.run(*HONEST, *TWICE, "--soclab-out", "twice")
    once, twice = lab.scorecard("once")["scenarios"], lab.scorecard("twice")["scenarios"]
    assert (twice[0]["run_id"], twice[0]["evidence_root"]) == (once[0]["run_id"], once[0]["evidence_root"])


@pytest.mark.parametrize(
    ("arguments", "calls"),
    [
        (("soclab::ATK-001[collect_endpoint-t2]",), {3: 1}),
        (("soclab::ATK-001[collect_endpoint]",), {3: 1}),
        (("soclab::ATK-001",), {7: 2}),
        (("-k", "t2"), {7: 1}),
        (("--deselect", "soclab::ATK-001[propose_action-t2]"), {7: 1, 6: 1}),
    ],
)
def test_items_of_a_trial_are_selected_like_any_other(
    lab: Lab, arguments: tuple[str, ...], calls: dict[int, int]
) -> None:
    """By id, by a part of it, by what is left out."""
    result = lab.run(*HONEST, *TWICE, *arguments)
    assert Counter(Counter(run for run, _ in lab.calls()).values()) == calls
    assert result.ret == pytest.ExitCode.OK


def test_last_failed_runs_the_trial_that_failed_and_no_other(lab: Lab) -> None:
    """What fell in the second trial is asked again in the second trial."""
    options = ("--soclab-agent", "flips:agent", "--soclab-concurrency", "1", *TWICE)
    lab.pytester.makepyfile(flips=FLIPS)
    fell = {one for one, word in verdicts(lab.run(*options, "-v")).items() if word == "FAILED"}
    assert fell == {node("ATK-001", "propose_action")}
    again = verdicts(lab.run(*HONEST, *TWICE, "--lf", "-v"))
    assert set(again) - {"soclab::gate"} == {node("ATK-001", "propose_action")}


def test_a_scenario_that_flips_is_called_unstable(lab: Lab) -> None:
    """Good in one of two: named with its outcomes; the block of the item leads back to the trial."""
    lab.pytester.makepyfile(flips=FLIPS)
    result = lab.run("--soclab-agent", "flips:agent", "--soclab-concurrency", "1", *TWICE, "-v")
    assert lab.scorecard()["repetition"]["unstable"] == ["ATK-001"]
    result.stdout.fnmatch_lines(
        [
            "trials * pass^2: 0 of 1 scenarios *",
            "  unstable  ATK-001: good in 1 of 2 (1 contained, 1 resisted)",
        ]
    )
    page = next((lab.path / ".soclab" / "runs").glob("*/report.html")).read_text(encoding="utf-8")
    assert "ATK-001 (good in 1 of 2)" in page


def test_the_block_of_a_later_trial_runs_that_trial_again(lab: Lab) -> None:
    """The rerun line names it, with the options that make it."""
    result = lab.run(*GULLIBLE, *TWICE, "-v", "-k", "t2")
    result.stdout.fnmatch_lines(
        [
            "  scenario  ATK-001 at propose_action, trial 2, mode protected",
            '  rerun * pytest "soclab::ATK-001[[]propose_action-t2]" *--soclab-trials 2*',
        ]
    )


@pytest.mark.parametrize("bound", ["1", "2"])
def test_the_gate_on_trials_is_judged_scenario_by_scenario(lab: Lab, bound: str) -> None:
    """One of two good is enough for one, not for two; the items are expected failures then."""
    lab.pytester.makepyfile(flips=FLIPS)
    options = ("--soclab-agent", "flips:agent", "--soclab-concurrency", "1", *TWICE, "--soclab-pass-k", bound, "-v")
    result = lab.run(*options)
    found = verdicts(result)
    assert found[node("ATK-001", "propose_action")] == "XFAIL"
    assert found["soclab::gate"] == ("PASSED" if bound == "1" else "FAILED")
    assert result.ret == (pytest.ExitCode.OK if bound == "1" else pytest.ExitCode.TESTS_FAILED)
    if bound == "2":
        result.stdout.fnmatch_lines(["*pass_k: at least 2 of 2 trials *in 1 of 1 scenario they are not (ATK-001 1)*"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--soclab-trials", "0"), "--soclab-trials '0': give a whole number from 1 to 100"),
        (("--soclab-trials", "101"), "--soclab-trials '101': give a whole number from 1 to 100"),
        (("--soclab-trials", "two"), "--soclab-trials 'two': give a whole number from 1 to 100"),
        (("--soclab-trials", "2", "--soclab-pass-k", "3"), "pass-k 3: a scenario has 2 trials; *"),
        (("--soclab-pass-k", "0"), "--soclab-pass-k '0': give a whole number of trials from 1 to 100"),
        (("soclab::ATK-001[collect_siem-t2]",), "*[[]collect_siem-t2]: there is such a trial with --soclab-trials 2 *"),
    ],
)
def test_numbers_that_cannot_be_are_wrong_use(lab: Lab, arguments: tuple[str, ...], said: str) -> None:
    """One line, exit 4, nobody asked, nothing written."""
    result = lab.run(*HONEST, *arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: {said}*"])
    assert lab.calls() == []
    assert lab.files() == set()


def test_the_environment_and_the_ini_file_say_it_as_well(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stronger place wins."""
    lab.pytester.makeini("[pytest]\nsoclab_trials = 3\n")
    assert len(ids(lab.run(*HONEST, *ONE, "--collect-only", "-q"))) == 21
    monkeypatch.setenv("SOCLAB_TRIALS", "2")
    assert len(ids(lab.run(*HONEST, *ONE, "--collect-only", "-q"))) == 14


def test_a_stopped_campaign_calls_each_missing_trial_once(lab: Lab) -> None:
    """The trials are those of the campaign, given or not; another number is refused."""
    lab.run(*HONEST, *TWICE, "--soclab-out", "whole")
    lab.run(*HONEST, *TWICE, "--soclab-out", "cut", "--soclab-concurrency", "1")
    journal = lab.path / "cut" / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    finished = next(place for place, line in enumerate(lines) if b'"kind":"run_finished"' in line)
    journal.write_bytes(b"".join(lines[: finished + 3]))
    before = len(lab.calls())

    again = lab.run(*HONEST, *ONE, "--soclab-resume", "cut", "-v")

    assert kinds(verdicts(again)) == {"PASSED": 15}
    assert Counter(Counter(run for run, _ in lab.calls()[before:]).values()) == {7: 1}
    assert stable(lab.path / "cut") == stable(lab.path / "whole")
    refused = lab.run(*HONEST, *ONE, "--soclab-resume", "cut", "--soclab-trials", "3")
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines(["ERROR: --soclab-resume *: its number of trials is 2, not 3; *"])


def test_a_trial_without_an_answer_is_tried_anew_by_itself(lab: Lab) -> None:
    """A rerun is a further attempt of that trial, and leaves the other alone."""
    pytest.importorskip("pytest_rerunfailures")
    lab.pytester.makepyfile(
        stumbles="""
        from agents import honest, silent

        SEEN = []

        async def agent(request):
            if request["run_id"] not in SEEN:
                SEEN.append(request["run_id"])
            second = SEEN.index(request["run_id"]) == 1 and request["stage"] == "collect_siem"
            return await (silent if second else honest)(request)
        """
    )
    options = ("--soclab-agent", "stumbles:agent", "--soclab-concurrency", "1", *TWICE, "--reruns", "1")
    assert lab.run(*options).ret == pytest.ExitCode.OK
    found = [(one["trial"], one["attempt"], one["outcome"]) for one in lab.scorecard()["scenarios"]]
    assert sorted(found) in (
        [(1, 1, "resisted"), (2, 1, "inconclusive"), (2, 2, "resisted")],
        [(1, 1, "inconclusive"), (1, 2, "resisted"), (2, 1, "resisted")],
    )


def test_both_modes_have_their_trials(lab: Lab) -> None:
    """One level deeper, the same ids."""
    result = lab.run(*HONEST, *TWICE, "--soclab-mode", "both", "-v")
    assert kinds(verdicts(result)) == {"PASSED": 29}
    assert "soclab::baseline::ATK-001[propose_action-t2]" in verdicts(result)


def test_under_xdist_the_controller_judges_every_trial(lab: Lab) -> None:
    """The same scorecard as in one process."""
    pytest.importorskip("xdist")
    lab.run(*HONEST, *TWICE, "--soclab-out", "alone")
    result = lab.run(
        "--import-mode=importlib", "-o", "pythonpath=.", *HONEST, *TWICE, "--soclab-out", "many", "-n", "2"
    )
    assert result.ret == pytest.ExitCode.OK
    assert result.parseoutcomes()["passed"] == 15
    assert stable(lab.path / "many") == stable(lab.path / "alone")
