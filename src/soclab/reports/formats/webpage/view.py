"""What the page shows: clean text and numbers, nothing that the template would have to think about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from soclab.contracts.manoeuvre import ManoeuvreResult
from soclab.contracts.scorecard_v1 import GateResult, Rate, Scorecard
from soclab.contracts.vocabulary import Kind, Mode, Outcome
from soclab.redaction import clean
from soclab.reports.codes import legend_of
from soclab.reports.controls import ControlRow, control_rows, reviewed_words
from soclab.reports.figures import bounds_of, share_of, value_of
from soclab.reports.formats.webpage.about import about_rows
from soclab.reports.formats.webpage.releases import ReleasesView, releases_view
from soclab.reports.formats.webpage.run_rows import RunRows, SilentRow, silent_row, tone_of
from soclab.reports.formats.webpage.score import BreakdownTable, ScorePart, breakdown_of, score_of
from soclab.reports.runs import red_runs
from soclab.reports.sentence import sentences_of
from soclab.reports.stops import if_approved_words, stops_of
from soclab.reports.unanswered import is_unanswered, unanswered_of
from soclab.reports.words import ATTACKED, CLEAN, MEANINGS, OF_CONTROLS, RateWords, all_gates, plain, rate_rows

__all__ = ["Page", "page_of"]

_SHORT, _LONG = 120, 500
_BAR = 120  # width of an interval's drawing in its own units


@dataclass(frozen=True)
class OutcomeRow:
    name: str
    count: int
    says: str
    tone: str


@dataclass(frozen=True)
class RateRow:
    """`left`, `right` and `at` place the interval on a bar of 120 units; `at` is None without a value."""

    title: str
    says: str
    share: str
    value: str
    bounds: str
    left: float
    width: float
    at: float | None


@dataclass(frozen=True)
class Page:
    """
    Attributes:
        sentence: the whole result for somebody who reads nothing else.
        jumps: parts of the page to go to from its top, id and words; what is red first.
        controls: what each of them did; `reviewed`: how many calls they looked at. None in baseline.
        red: runs that say something bad about the agent. `silent`: red ones without a usable answer, by their cause.
        comparison: with an earlier release; None without one.
        legend: codes that occur, with their words.
    """

    title: str
    passed: bool
    result: str
    sentence: str
    jumps: tuple[tuple[str, str], ...]
    about: tuple[tuple[str, str], ...]
    limitations: tuple[str, ...]
    attacked: tuple[OutcomeRow, ...]
    clean: tuple[OutcomeRow, ...]
    neither: tuple[OutcomeRow, ...]
    rates: tuple[RateRow, ...]
    controls: tuple[ControlRow, ...]
    reviewed: str
    score: ScorePart
    breakdown: tuple[BreakdownTable, ...]
    gates: tuple[GateResult, ...]
    red: RunRows
    silent: tuple[SilentRow, ...]
    runs: RunRows
    legend: tuple[tuple[str, str], ...]
    evidence_holds: bool
    if_approved: str
    manoeuvres: tuple[ManoeuvreResult, ...]
    comparison: ReleasesView | None


def page_of(scorecard: Scorecard) -> Page:
    red = red_runs(scorecard)
    kinds = {one.kind for one in scorecard.scenarios if not one.asked_by_test and one.twin_of is None}
    label = clean(scorecard.provider.label, _SHORT)
    return Page(
        title=f"{label}, {_mode(scorecard)}",
        passed=scorecard.passed,
        result=_result(scorecard),
        sentence=sentences_of(scorecard),
        jumps=tuple(_jumps(scorecard)),
        about=about_rows(scorecard),
        limitations=tuple(clean(one, _LONG) for one in scorecard.limitations),
        attacked=_outcomes(scorecard, ATTACKED) if Kind.ATTACK in kinds else (),
        clean=_outcomes(scorecard, CLEAN) if Kind.BENIGN in kinds else (),
        neither=_without_verdict(scorecard) if kinds - {Kind.GUARD} else (),
        rates=tuple(_rate(words, rate, scorecard) for words, rate in rate_rows(scorecard.rates, more=True)),
        controls=control_rows(scorecard),
        reviewed=reviewed_words(scorecard),
        score=score_of(scorecard),
        breakdown=breakdown_of(scorecard),
        gates=tuple(
            GateResult(name=plain(gate.name), passed=gate.passed, detail=clean(gate.detail, _LONG))
            for gate in all_gates(scorecard)
        ),
        red=RunRows(scorecard, tuple(one for one in red if not is_unanswered(one))),
        silent=tuple(silent_row(scorecard, group) for group in unanswered_of(red)),
        runs=RunRows(scorecard, scorecard.scenarios),
        legend=legend_of(scorecard.scenarios),
        evidence_holds=scorecard.evidence.all_valid,
        if_approved=if_approved_words(scorecard),
        manoeuvres=tuple(
            one.model_copy(update={"name": clean(one.name, _SHORT), "detail": clean(one.detail, _LONG)})
            for one in scorecard.manoeuvres
        ),
        comparison=releases_view(scorecard.comparison),
    )


def _mode(scorecard: Scorecard) -> str:
    off = f" without {', '.join(scorecard.without)}" if scorecard.without else ""
    return f"{scorecard.mode.value} mode{off}"


def _result(scorecard: Scorecard) -> str:
    if scorecard.passed:
        return "No run is red and every gate holds."
    red, failed = len(scorecard.failed_runs), _failed_gates(scorecard)
    return f"Red runs: {red}. Failed gates: {failed}."


def _failed_gates(scorecard: Scorecard) -> int:
    return sum(not gate.passed for gate in all_gates(scorecard))


def _jumps(scorecard: Scorecard) -> Iterator[tuple[str, str]]:
    red, failed = len(scorecard.failed_runs), _failed_gates(scorecard)
    if red:
        yield "red", "1 red run" if red == 1 else f"{red} red runs"
    if failed:
        yield "gates", "1 failed gate" if failed == 1 else f"{failed} failed gates"
    if scorecard.families:
        yield "score", "score and authority level"
    if scorecard.comparison:
        yield "releases", "comparison with an earlier release"
    yield "runs", "every run"


def _outcomes(scorecard: Scorecard, outcomes: Iterable[Outcome]) -> tuple[OutcomeRow, ...]:
    return tuple(
        OutcomeRow(plain(one.value), scorecard.outcomes.get(one.value, 0), MEANINGS[one], tone_of(one))
        for one in outcomes
    )


def _without_verdict(scorecard: Scorecard) -> tuple[OutcomeRow, ...]:
    unfinished = scorecard.outcomes.get("not_finished", 0)
    return (
        *_outcomes(scorecard, (Outcome.INCONCLUSIVE,)),
        OutcomeRow("not finished", unfinished, "the run was not led to its end", "open"),
    )


def _rate(words: RateWords, rate: Rate, scorecard: Scorecard) -> RateRow:
    idle = words.name in OF_CONTROLS and scorecard.mode is Mode.BASELINE
    stops = (
        f": {stops_of(scorecard).words}" if words.name == "control_effectiveness" and rate.trials and not idle else ""
    )
    return RateRow(
        title=words.title,
        says=f"{words.says}{stops}",
        share="" if idle else share_of(rate),
        value="" if idle else value_of(rate),
        bounds="no controls" if idle else bounds_of(rate),
        left=round(_BAR * rate.low, 1),
        width=round(max(_BAR * (rate.high - rate.low), 1), 1),
        at=None if idle or rate.value is None else round(_BAR * rate.value, 1),
    )
