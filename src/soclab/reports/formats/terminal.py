"""The scorecard as plain lines for a terminal: no colour, no control characters, no markup."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from soclab.contracts.scorecard_v1 import Rate, ScenarioResult, Scorecard
from soclab.contracts.vocabulary import Kind, Mode, Outcome
from soclab.redaction import clean
from soclab.reports.controls import control_rows, reviewed_words
from soclab.reports.figures import bounds_of, share_of, value_of
from soclab.reports.formats.releases import release_lines
from soclab.reports.runs import RunWords, attack_line, red_runs, run_words
from soclab.reports.scores import level_words, score_words
from soclab.reports.stops import if_approved_words, stops_of
from soclab.reports.twins import twin_words
from soclab.reports.unanswered import is_unanswered, unanswered_of
from soclab.reports.words import (
    ATTACKED,
    CLEAN,
    OF_CONTROLS,
    RateWords,
    all_gates,
    mode_words,
    plain,
    policy_words,
    rate_rows,
)

__all__ = ["failed_gates", "result_line", "scorecard_lines", "short_lines"]

_RUNS_SHOWN = 20
_CAUSES_SHOWN = 6
_UNSTABLE_SHOWN = 5
_LIMITS_SHOWN = 2
_WHY_SHOWN = 220
_WORDS_SHOWN = 150
_LINE_LIMIT = 500


def scorecard_lines(scorecard: Scorecard, folder: Path | None = None) -> list[str]:
    """
    About thirty lines, and two for each red run: agent, outcomes, rates, red runs, gates, limits, files.

    Args:
        folder: where the campaign's files are; None leaves the line out.
    """
    lines = [
        *_head(scorecard),
        *_outcomes(scorecard),
        *_rates(scorecard),
        *_controls(scorecard),
        *_repetition(scorecard),
        *_comparison(scorecard),
        *_if_approved(scorecard),
        *_score(scorecard),
        *_twins(scorecard),
        *_red_runs(scorecard),
        *_manoeuvres(scorecard),
        *_gates(scorecard),
        *_limits(scorecard),
    ]
    if folder is not None:
        lines.append(_files(folder))
    return [clean(line, _LINE_LIMIT) for line in lines]


def short_lines(scorecard: Scorecard, folder: Path) -> list[str]:
    """A few lines: how much was run, what differs from an earlier release, gates that fail, files."""
    lines = [_runs(scorecard), *_comparison(scorecard), *_gates(scorecard), _files(folder)]
    return [clean(line, _LINE_LIMIT) for line in lines]


def _files(folder: Path) -> str:
    return f"files       {folder}: report.html, scorecard.json, journal.jsonl"


def _head(scorecard: Scorecard) -> Iterator[str]:
    provider, pack = scorecard.provider, scorecard.pack
    where = "over HTTP" if provider.isolation == "http" else "in process"
    yield f"agent       {clean(provider.label, 120)}, {where}"
    mode = mode_words(
        scorecard.mode,
        scorecard.authority_level_tested,
        scorecard.without,
        scorecard.approver,
        policy_words(scorecard.policy_origin, scorecard.policy_version),
    )
    yield f"mode        {mode}, pack {pack.name} {pack.version}"
    yield _runs(scorecard)


def _runs(scorecard: Scorecard) -> str:
    selected, reported = scorecard.selected, scorecard.reported
    state = "complete" if scorecard.complete else "PARTIAL"
    return (
        f"runs        {reported.scenarios} of {selected.scenarios} scenarios, {_trials(scorecard)}"
        f"{reported.stages} of {selected.stages} stages: {state}{_answered(scorecard)}"
    )


def _trials(scorecard: Scorecard) -> str:
    return "" if scorecard.trials == 1 else f"{scorecard.trials} trials each, "


def _answered(scorecard: Scorecard) -> str:
    """Complete is not answered: an agent that is off makes a complete campaign, too."""
    answered = scorecard.answered_stages
    return "" if answered is None else f", {answered} {'stage' if answered == 1 else 'stages'} answered"


def _outcomes(scorecard: Scorecard) -> Iterator[str]:
    kinds = {one.kind for one in scorecard.scenarios if not one.asked_by_test and one.twin_of is None}
    if Kind.ATTACK in kinds:
        yield f"attacked    {_counts(scorecard, ATTACKED)}"
    if Kind.BENIGN in kinds:
        yield f"clean       {_counts(scorecard, CLEAN)}"
    if kinds - {Kind.GUARD}:
        yield f"no verdict  {_counts(scorecard, (Outcome.INCONCLUSIVE.value, 'not_finished'))}"


def _counts(scorecard: Scorecard, names: Iterable[str]) -> str:
    return ", ".join(f"{scorecard.outcomes.get(name, 0)} {plain(name)}" for name in names)


def _rates(scorecard: Scorecard) -> Iterator[str]:
    rows = [(words, rate) for words, rate in rate_rows(scorecard.rates) if rate.trials]
    if rows:
        yield "rates"
    for words, rate in rows:
        yield f"  {words.title:<24}{_figures(words, rate, scorecard)}"


def _figures(words: RateWords, rate: Rate, scorecard: Scorecard) -> str:
    """Without controls nothing can be caught by one; what waits for a person is no catch, and is said beside."""
    if words.name in OF_CONTROLS and scorecard.mode is Mode.BASELINE:
        return f"{'no controls':>12}"
    note = f"   {stops_of(scorecard).words}" if words.name == "control_effectiveness" else ""
    return f"{share_of(rate):>12}{value_of(rate):>8}   {bounds_of(rate)}{note}"


def _repetition(scorecard: Scorecard) -> Iterator[str]:
    """What the trials say scenario by scenario; nothing when each was run once."""
    repetition = scorecard.repetition
    if repetition is None:
        return
    rate, k = repetition.pass_k, repetition.trials
    if rate.trials:
        yield (
            f"trials      pass^{k}: {share_of(rate)} scenarios are good in all {k} trials, "
            f"{value_of(rate)}, {bounds_of(rate)}"
        )
    rows = [one for one in repetition.scenarios if one.unstable]
    for row in rows[:_UNSTABLE_SHOWN]:
        ends = ", ".join(f"{count} {plain(name)}" for name, count in row.outcomes.items())
        yield f"  unstable  {clean(row.id, 20)}: good in {row.good} of {row.trials} ({ends})"
    if len(rows) > _UNSTABLE_SHOWN:
        yield f"  ... and {len(rows) - _UNSTABLE_SHOWN} more: see report.html"


def _comparison(scorecard: Scorecard) -> Iterator[str]:
    if scorecard.comparison is not None:
        yield from release_lines(scorecard.comparison)


def _if_approved(scorecard: Scorecard) -> Iterator[str]:
    said = if_approved_words(scorecard)
    if said:
        yield f"if approved {said}"


def _controls(scorecard: Scorecard) -> Iterator[str]:
    """Only those that did something."""
    said = reviewed_words(scorecard)
    if not said:
        return
    yield f"controls    {said}"
    for row in control_rows(scorecard):
        if not row.is_idle:
            stopped = (
                f"; stopped {row.alone} alone, {row.together} with others" if scorecard.controls[0].attempts else ""
            )
            yield f"  {row.name:<24}denied {row.denied}, held {row.held}{stopped}"


def _score(scorecard: Scorecard) -> Iterator[str]:
    """Score, level, and the first thing that holds it back; every reason stands in the page."""
    if scorecard.families is None:
        return
    level = level_words(scorecard.recommended_authority_level)
    yield f"score       {score_words(scorecard)}; recommended level: {level}"
    reasons = scorecard.held_back_by
    if reasons:
        more = f" (and {len(reasons) - 1} more reasons in report.html)" if len(reasons) > 1 else ""
        yield f"held back   {reasons[0]}{more}"


def _twins(scorecard: Scorecard) -> Iterator[str]:
    """What the clean twins say; nothing when there are none."""
    if scorecard.twins is not None:
        yield f"twins       {twin_words(scorecard.twins)}"


def _red_runs(scorecard: Scorecard) -> Iterator[str]:
    """First the runs that say something about the agent, one by one; then those that do not, by their reason."""
    runs = red_runs(scorecard)
    told = [one for one in runs if not is_unanswered(one)]
    if runs:
        yield "red runs"
    for run in told[:_RUNS_SHOWN]:
        yield from _run_lines(run)
    if len(told) > _RUNS_SHOWN:
        yield f"  ... and {len(told) - _RUNS_SHOWN} more: see report.html"
    silent = unanswered_of(runs)
    for group in silent[:_CAUSES_SHOWN]:
        yield f"  {group.line}"
    if len(silent) > _CAUSES_SHOWN:
        yield f"  ... and {sum(one.count for one in silent[_CAUSES_SHOWN:])} more without an answer: see report.html"


def _run_lines(result: ScenarioResult) -> Iterator[str]:
    words = run_words(result)
    trial = "" if result.trial == 1 else f" trial {result.trial}"
    yield f"  {clean(result.id, 20)}{trial} {_told(words)}"
    attack = attack_line(words, _WORDS_SHOWN)
    if attack:
        yield f"      attack  {attack}"


def _told(words: RunWords) -> str:
    where = f" at {words.where}" if words.where else ""
    how = f" ({words.how})" if words.how else ""
    why = f": {clean(words.deed, _WHY_SHOWN)}" if words.why else ""
    quoted = f' "{clean(words.words, _WORDS_SHOWN)}"' if words.words else ""
    return f"{words.outcome.upper()}{where}{how}{why}{quoted}"


def _manoeuvres(scorecard: Scorecard) -> Iterator[str]:
    """What the lab tried against itself; the gate says what got through."""
    tried = scorecard.manoeuvres
    if tried:
        yield f"manoeuvres  {sum(one.refused for one in tried)} of {len(tried)} refused by the lab's own control plane"


def _gates(scorecard: Scorecard) -> Iterator[str]:
    gates = all_gates(scorecard)
    yield f"gates       {sum(gate.passed for gate in gates)} of {len(gates)} hold"
    for line in failed_gates(scorecard):
        yield f"  {line}"


def failed_gates(scorecard: Scorecard) -> list[str]:
    """`FAILED exposure: why`; gates that fail for the same reason share a line. Clean text."""
    by_detail: dict[str, list[str]] = {}
    for gate in all_gates(scorecard):
        if not gate.passed:
            by_detail.setdefault(gate.detail, []).append(gate.name)
    return [clean(f"FAILED {', '.join(names)}: {detail}", _LINE_LIMIT) for detail, names in by_detail.items()]


def _limits(scorecard: Scorecard) -> Iterator[str]:
    limits = scorecard.limitations
    if limits:
        yield "limits of this evidence"
    for sentence in limits[:_LIMITS_SHOWN]:
        yield f"  - {sentence}"
    if len(limits) > _LIMITS_SHOWN:
        yield f"  - and {len(limits) - _LIMITS_SHOWN} more in report.html"


def result_line(scorecard: Scorecard) -> str:
    """The verdict, for front doors that have no items and no gate of their own to say it."""
    if scorecard.passed:
        return "result      PASSED: no run is red, every gate holds"
    red = len(scorecard.failed_runs)
    failed = sum(not gate.passed for gate in all_gates(scorecard))
    runs, gates = ("run" if red == 1 else "runs"), ("gate" if failed == 1 else "gates")
    return f"result      FAILED: {red} red {runs}, {failed} failed {gates}"
