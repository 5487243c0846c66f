"""What the page shows: clean text and numbers, nothing that the template would have to think about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from soclab.contracts.scorecard_v1 import GateResult, Rate, ScenarioResult, Scorecard, StageResult
from soclab.contracts.vocabulary import Kind, Outcome
from soclab.redaction import clean
from soclab.reports.figures import bounds_of, share_of, value_of
from soclab.reports.rerun import rerun_command
from soclab.reports.runs import RunWords, run_words
from soclab.reports.words import ATTACKED, CLEAN, MEANINGS, RateWords, all_gates, plain, rate_rows

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
class StageRow:
    name: str
    status: str
    said: str


@dataclass(frozen=True)
class RunRow:
    """`about`: what was tried; `facts`: pairs of word and value."""

    id: str
    kind: str
    about: str
    told: RunWords
    tone: str
    is_red: bool
    rerun: str
    stages: tuple[StageRow, ...]
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Page:
    title: str
    passed: bool
    result: str
    about: tuple[tuple[str, str], ...]
    limitations: tuple[str, ...]
    attacked: tuple[OutcomeRow, ...]
    clean: tuple[OutcomeRow, ...]
    neither: tuple[OutcomeRow, ...]
    rates: tuple[RateRow, ...]
    gates: tuple[GateResult, ...]
    red: tuple[RunRow, ...]
    runs: tuple[RunRow, ...]
    evidence_holds: bool


def page_of(scorecard: Scorecard) -> Page:
    red = set(scorecard.failed_runs)
    runs = tuple(_run(scorecard, one, one.run_id in red) for one in scorecard.scenarios)
    kinds = {one.kind for one in scorecard.scenarios if not one.asked_by_test}
    label = clean(scorecard.provider.label, _SHORT)
    return Page(
        title=f"{label}, {scorecard.mode.value} mode",
        passed=scorecard.passed,
        result=_result(scorecard),
        about=_about(scorecard),
        limitations=tuple(clean(one, _LONG) for one in scorecard.limitations),
        attacked=_outcomes(scorecard, ATTACKED) if Kind.ATTACK in kinds else (),
        clean=_outcomes(scorecard, CLEAN) if Kind.BENIGN in kinds else (),
        neither=_without_verdict(scorecard) if kinds - {Kind.GUARD} else (),
        rates=tuple(_rate(words, rate) for words, rate in rate_rows(scorecard.rates)),
        gates=tuple(
            GateResult(name=plain(gate.name), passed=gate.passed, detail=clean(gate.detail, _LONG))
            for gate in all_gates(scorecard)
        ),
        red=tuple(one for one in runs if one.is_red),
        runs=runs,
        evidence_holds=scorecard.evidence.all_valid,
    )


def _result(scorecard: Scorecard) -> str:
    if scorecard.passed:
        return "No run is red and every gate holds."
    red, failed = len(scorecard.failed_runs), sum(not gate.passed for gate in all_gates(scorecard))
    return f"Red runs: {red}. Failed gates: {failed}."


def _about(scorecard: Scorecard) -> tuple[tuple[str, str], ...]:
    provider, pack = scorecard.provider, scorecard.pack
    where = "over HTTP" if provider.isolation == "http" else "in the lab's own process"
    rows = (
        ("Agent", f"{provider.label}, {where}"),
        ("Adapter", provider.validation),
        ("Mode", f"{scorecard.mode.value}, authority level {scorecard.authority_level_tested}"),
        ("Scenarios", f"pack {pack.name} {pack.version}, SHA-256 {pack.sha256[:16]}"),
        (
            "Reported",
            f"{scorecard.reported.scenarios} of {scorecard.selected.scenarios} scenarios, "
            f"{scorecard.reported.stages} of {scorecard.selected.stages} stages"
            + ("" if scorecard.complete else ": partial"),
        ),
        ("Started", scorecard.started_at),
        ("Campaign", f"{scorecard.campaign_id}, soclab {scorecard.soclab_version}"),
    )
    return tuple((word, clean(value, 2 * _SHORT)) for word, value in rows)


def _outcomes(scorecard: Scorecard, outcomes: Iterable[Outcome]) -> tuple[OutcomeRow, ...]:
    return tuple(
        OutcomeRow(plain(one.value), scorecard.outcomes.get(one.value, 0), MEANINGS[one], _tone(one))
        for one in outcomes
    )


def _without_verdict(scorecard: Scorecard) -> tuple[OutcomeRow, ...]:
    unfinished = scorecard.outcomes.get("not_finished", 0)
    return (
        *_outcomes(scorecard, (Outcome.INCONCLUSIVE,)),
        OutcomeRow("not finished", unfinished, "the run was not led to its end", "open"),
    )


def _tone(outcome: Outcome | None) -> str:
    if outcome in (Outcome.COMPROMISED, Outcome.WRONG):
        return "bad"
    if outcome in (Outcome.CONTAINED, Outcome.FALSE_BLOCK):
        return "warn"
    if outcome in (Outcome.RESISTED, Outcome.CORRECT, Outcome.ACCEPTABLE):
        return "good"
    return "open"


def _rate(words: RateWords, rate: Rate) -> RateRow:
    return RateRow(
        title=words.title,
        says=words.says,
        share=share_of(rate),
        value=value_of(rate),
        bounds=bounds_of(rate),
        left=round(_BAR * rate.low, 1),
        width=round(max(_BAR * (rate.high - rate.low), 1), 1),
        at=None if rate.value is None else round(_BAR * rate.value, 1),
    )


def _run(scorecard: Scorecard, result: ScenarioResult, is_red: bool) -> RunRow:
    guard_tone = "good" if result.guard_passed else "bad"
    about = (result.technique, result.encoding, result.carrier, result.goal)
    return RunRow(
        id=clean(result.id, _SHORT),
        kind=result.kind.value,
        about=clean(", ".join(one for one in (result.family, *about) if one), _SHORT),
        told=run_words(result),
        tone=guard_tone if result.kind is Kind.GUARD else _tone(result.outcome),
        is_red=is_red,
        rerun=clean(rerun_command(scorecard, result.id), _LONG) if is_red else "",
        stages=tuple(map(_stage, result.stages)),
        facts=tuple((word, clean(value, _LONG)) for word, value in _facts(result) if value),
    )


def _facts(result: ScenarioResult) -> Iterable[tuple[str, str]]:
    if result.kind is Kind.ATTACK:
        yield "exposed", result.exposed_at or "no"
        yield "attempted", result.attempted_at or "no"
        yield "effected", result.effected_at or "no"
    yield "asked by", f"a test only, in mode {result.mode}: in no rate and no gate" if result.asked_by_test else ""
    yield "action", result.action or ""
    yield "verdict", result.verdict or ""
    yield "right or acceptable", "" if result.utility is None else "yes" if result.utility else "no"
    yield "claims", f"{result.claims.supported} supported, {result.claims.unsupported} unsupported"
    yield "invariants", ", ".join(result.breaches)
    yield "controls", ", ".join(result.control_reasons)
    yield "trial", f"{result.trial}, attempt {result.attempt}" if (result.trial, result.attempt) != (1, 1) else ""
    yield "run", result.run_id
    yield "evidence", result.evidence_root


def _stage(stage: StageResult) -> StageRow:
    said = []
    if stage.reason_code:
        said.append(clean(stage.reason_code, _SHORT))
    if stage.latency_ms is not None:
        said.append(f"{stage.latency_ms:.0f} ms")
    if stage.tokens_in is not None and stage.tokens_out is not None:
        about = "about " if stage.usage_estimated else ""
        said.append(f"{about}{_count(stage.tokens_in)} + {_count(stage.tokens_out)} tokens")
    return StageRow(stage.stage.value, plain(stage.status.value), ", ".join(said))


def _count(number: int) -> str:
    """A count as an agent reports it may have thousands of digits."""
    return str(number) if number < 10**12 else "10^12 or more"
