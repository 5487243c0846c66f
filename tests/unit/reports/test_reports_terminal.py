"""The scorecard in a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from soclab.contracts.scorecard_v1 import ProviderInfo
from soclab.contracts.vocabulary import Mode, Outcome, StoppedBy
from soclab.reports.formats.terminal import result_line, scorecard_lines
from soclab.reports.rerun import rerun_command
from tests.unit.scoring.cards import attacked, clean, erred, guard, scorecard, stages, unfinished

GOOD = (*(attacked(n) for n in range(1, 12)), *(clean(n) for n in range(1, 4)))


def lines(results, folder=None, **told):
    return scorecard_lines(scorecard(results, **told), folder)


def test_a_good_campaign_fits_on_a_screen():
    """Agent, outcomes, rates, gates, limits and result are at most thirty lines."""
    shown = lines(GOOD, Path("out"))
    assert 15 <= len(shown) <= 30
    assert shown[0] == "agent       http:agent, over HTTP"
    assert shown[-1] == "files       out: report.html, scorecard.json, journal.jsonl"


@pytest.mark.parametrize(
    ("results", "line"),
    [
        (GOOD, "result      PASSED: no run is red, every gate holds"),
        ((*GOOD, attacked(41, Outcome.CONTAINED)), "result      FAILED: 1 red run, 0 failed gates"),
        ([erred(one) for one in GOOD], "result      FAILED: 14 red runs, 3 failed gates"),
        ((), "result      FAILED: 0 red runs, 1 failed gate"),
    ],
    ids=["good", "contained", "broken", "empty"],
)
def test_the_result_is_one_line(results, line):
    """It counts red runs and failed gates, and says PASSED only without either."""
    assert result_line(scorecard(results)) == line


def test_outcomes_are_counted_by_kind():
    """Attacked and clean runs have a line each, runs without a verdict their own."""
    shown = lines([*GOOD, attacked(41, Outcome.CONTAINED), erred(clean(41)), unfinished(clean(42))])
    assert "attacked    0 compromised, 1 contained, 0 not exposed, 11 resisted" in shown
    assert "clean       0 wrong, 0 false block, 0 acceptable, 3 correct" in shown
    assert "no verdict  1 inconclusive, 1 not finished" in shown


def test_a_rate_stands_with_what_it_cannot_exclude():
    """Zero of eleven is printed with its upper bound."""
    (line,) = [one for one in lines(GOOD) if "Attack success" in one]
    assert line.split() == ["Attack", "success", "0", "of", "11", "0.0%", "at", "most", "25.9%"]


def test_a_red_run_has_one_line_with_the_words_that_did_it():
    """Scenario, outcome, stage, control, explanation and the agent's words are on one line."""
    fell = attacked(
        41,
        Outcome.CONTAINED,
        stopped_by=StoppedBy.HELD,
        control_reasons=("approval_required",),
        explanation="the agent proposed disable_account",
        words="disable_account(user_id=svc-backup)",
    )
    assert (
        "  ATK-041 CONTAINED at propose_action (held: approval_required): the agent proposed disable_account "
        '"disable_account(user_id=svc-backup)"'
    ) in lines((*GOOD, fell))


def test_an_error_is_told_by_its_code():
    """A run that gave no answer names stage and reason code."""
    assert "  ATK-001 INCONCLUSIVE at collect_identity (timeout)" in lines([erred(attacked(1))])


def test_runs_that_ended_alike_without_an_answer_share_a_line():
    """A dead agent is told once with its reason, not once for each run; what says something comes first."""
    shown = lines([*(erred(attacked(n)) for n in range(1, 11)), attacked(41, Outcome.CONTAINED)])
    at = shown.index("red runs")
    assert shown[at + 1].startswith("  ATK-041 CONTAINED")
    assert shown[at + 2] == (
        "  ATK-001, ATK-002, ATK-003, ATK-004 and 6 more INCONCLUSIVE at collect_identity (timeout)"
    )


def test_many_red_runs_are_cut():
    """A hundred red runs are twenty lines and a count."""
    shown = lines([attacked(n, Outcome.COMPROMISED) for n in range(1, 101)])
    assert sum("COMPROMISED" in one for one in shown) == 20
    assert "  ... and 80 more: see report.html" in shown


def test_failed_gates_are_spelled_out():
    """A gate that fails is a line with its detail; those that hold are a count."""
    shown = lines([erred(one) for one in GOOD])
    assert any(one.startswith("  FAILED inconclusive_attacked: 11 of 11 attacked runs") for one in shown)


def test_guards_alone_say_nothing_about_an_agent():
    """A campaign of forced replies has no rate and no outcome, but its result."""
    shown = lines([guard(1), guard(2, passed=False)])
    assert not any("Attack success" in one or one.startswith(("attacked", "clean")) for one in shown)
    assert any(one.startswith("  GRD-002 GUARD BROKEN") for one in shown)


@pytest.mark.parametrize("results", [(), [erred(one) for one in GOOD], [unfinished(one) for one in GOOD]])
def test_campaigns_without_evidence_have_lines_too(results):
    """Empty, broken and interrupted campaigns say which gates failed."""
    assert any(one.startswith("  FAILED ") for one in lines(results))


def test_baseline_mode_shows_no_figures_of_controls():
    """Where there are no controls, none is praised for catching something."""
    results = (*GOOD, attacked(41, Outcome.COMPROMISED))
    assert any("Controls that caught it" in one for one in lines(results))
    assert not any("Controls that caught it" in one for one in lines(results, mode=Mode.BASELINE))


def test_hostile_text_stays_on_its_line():
    """Escapes, line breaks and megabytes from an agent are visible, single and short."""
    hostile = "\x1b[2J\x1b]0;title\x07\r\n::error::\u202e" + "A" * 1_000_000
    run = attacked(
        1,
        Outcome.CONTAINED,
        words=hostile,
        explanation=hostile,
        reason_code=hostile,
        control_reasons=(hostile,),
        stages=stages(model=hostile),
    )
    provider = ProviderInfo(id="http", model=hostile, label=hostile, validation="", isolation="http")
    for line in lines([run], provider=provider, approved_models=(hostile,)):
        assert line.isprintable()
        assert len(line) <= 500


@pytest.mark.parametrize(
    ("provider", "command"),
    [
        (("http", "agent", "http:agent"), "--soclab-provider http --soclab-mode protected"),
        (("http", "acme-7b", "http:acme-7b"), "--soclab-provider http --soclab-mode protected --soclab-model acme-7b"),
        (("agent", "agent", "my.bot:make:agent"), "--soclab-agent my.bot:make --soclab-mode protected"),
        (("fixture", "agent", "soclab_agent:agent"), "--soclab-mode protected"),
        (
            ("http", "a b$(id)", "http:a b$(id)"),
            "--soclab-provider http --soclab-mode protected --soclab-model 'a b$(id)'",
        ),
    ],
    ids=["provider", "other model", "agent by spec", "fixture", "quoted"],
)
def test_the_rerun_command_names_the_same_agent(provider, command):
    """One scenario is run again with the agent, mode and model of the campaign, quoted for a shell."""
    one, model, label = provider
    card = scorecard(
        GOOD, provider=ProviderInfo(id=one, model=model, label=label, validation="", isolation="in_process")
    )
    assert rerun_command(card, "ATK-001") == f"pytest soclab --soclab-scenario ATK-001 {command}"
