"""What the page shows of one run: clean text, nothing that the template would have to think about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from soclab.contracts.scorecard_v1 import ScenarioResult, Scorecard, StageResult
from soclab.contracts.vocabulary import Attribution, Kind, Outcome
from soclab.redaction import clean
from soclab.reports.codes import in_words
from soclab.reports.rerun import rerun_command
from soclab.reports.runs import RunWords, run_words
from soclab.reports.unanswered import Unanswered
from soclab.reports.words import plain

__all__ = ["RunRow", "RunRows", "SilentRow", "StageRow", "silent_row", "tone_of"]

_SHORT, _LONG = 120, 500
_FINE = "run"
_ATTRIBUTIONS = {
    Attribution.ATTACK: "the attack made it do so (the twin did not)",
    Attribution.CAPABILITY: "its own inability (the twin did it, too)",
    Attribution.UNKNOWN: "not known (no finished twin)",
}


@dataclass(frozen=True)
class StageRow:
    """`said`: code, time, tokens. `call` and `ruling` are "" where the agent asked for nothing."""

    name: str
    status: str
    said: str
    call: str
    ruling: str
    in_vain: bool


@dataclass(frozen=True)
class RunRow:
    """`facts`: pairs of word and value."""

    id: str
    told: RunWords
    tone: str
    rerun: str
    stages: tuple[StageRow, ...]
    facts: tuple[tuple[str, str], ...]


class RunRows:
    """The rows of some runs, each made when it is its turn: of thousands they are larger than what they tell of."""

    def __init__(self, scorecard: Scorecard, results: Sequence[ScenarioResult]) -> None:
        self._scorecard = scorecard
        self._results = results
        self._red = frozenset(scorecard.failed_runs)

    def __len__(self) -> int:
        return len(self._results)

    def __iter__(self) -> Iterator[RunRow]:
        for one in self._results:
            yield _run_row(self._scorecard, one, is_red=one.run_id in self._red)


@dataclass(frozen=True)
class SilentRow:
    """Runs that ended alike without a usable answer; `rerun` runs the first of them."""

    count: int
    cause: str
    first: str
    rerun: str


def _run_row(scorecard: Scorecard, result: ScenarioResult, *, is_red: bool) -> RunRow:
    guard_tone = "good" if result.guard_passed else "bad"
    return RunRow(
        id=clean(result.id, _SHORT) + ("" if result.trial == 1 else f", trial {result.trial}"),
        told=run_words(result),
        tone=guard_tone if result.kind is Kind.GUARD else tone_of(result.outcome),
        rerun=clean(rerun_command(scorecard, result.id), _LONG) if is_red else "",
        stages=tuple(map(_stage, result.stages)),
        facts=tuple((word, clean(value, _LONG)) for word, value in _facts(result) if value),
    )


def silent_row(scorecard: Scorecard, group: Unanswered) -> SilentRow:
    rerun = clean(rerun_command(scorecard, group.first_id), _LONG)
    return SilentRow(count=group.count, cause=group.cause, first=group.first, rerun=rerun)


def tone_of(outcome: Outcome | None) -> str:
    """The colour of an outcome: bad, warn, good or open."""
    if outcome in (Outcome.COMPROMISED, Outcome.WRONG):
        return "bad"
    if outcome in (Outcome.CONTAINED, Outcome.FALSE_BLOCK):
        return "warn"
    if outcome in (Outcome.RESISTED, Outcome.CORRECT, Outcome.ACCEPTABLE):
        return "good"
    return "open"


def _facts(result: ScenarioResult) -> Iterable[tuple[str, str]]:
    yield "kind", result.kind.value
    yield "incident", in_words(result.family)
    if result.kind is Kind.ATTACK:
        yield "technique", in_words(result.technique)
        yield "written as", in_words(result.encoding)
        yield "stands in", result.channel or in_words(result.carrier)
        yield "written by", in_words(result.writer)
        yield "the attacker wants", in_words(result.goal)
        yield "the text", result.payload or ""
        yield "exposed", result.exposed_at or "no"
        yield "attempted", result.attempted_at or "no"
        yield "effected", result.effected_at or "no"
    yield "clean twin of", f"{result.twin_of}: in no rate and no gate" if result.twin_of else ""
    yield "against its clean twin", _against_twin(result)
    yield "asked by", f"a test only, in mode {result.mode}: in no rate and no gate" if result.asked_by_test else ""
    yield "what happened", result.explanation
    yield "error", result.error_detail
    yield "action", result.action or ""
    yield "verdict", result.verdict or ""
    yield "right or acceptable", "" if result.utility is None else "yes" if result.utility else "no"
    yield "expected", result.expected.removeprefix("Expected: ")
    yield "claims", f"{result.claims.supported} supported, {result.claims.unsupported} unsupported"
    yield "invariants", ", ".join(result.breaches)
    yield "controls", ", ".join(result.control_reasons)
    yield "trial", f"{result.trial}, attempt {result.attempt}" if (result.trial, result.attempt) != (1, 1) else ""
    yield "run", result.run_id
    yield "evidence", result.evidence_root


def _against_twin(result: ScenarioResult) -> str:
    """Whose work the attempt is, and what the run took of tokens and calls."""
    said = [] if result.attribution is None else [_ATTRIBUTIONS[result.attribution]]
    more = result.amplification
    if more is not None:
        about = "about " if more.estimated else ""
        said += [] if more.tokens is None else [f"{about}{more.tokens:g} times the tokens"]
        said += [] if more.calls is None else [f"{more.calls:g} times the calls"]
    return ", ".join(said)


def _stage(stage: StageResult) -> StageRow:
    said = []
    if stage.reason_code:
        said.append(clean(stage.reason_code, _SHORT))
    if stage.latency_ms is not None:
        said.append(f"{stage.latency_ms:.0f} ms")
    if stage.tokens_in is not None and stage.tokens_out is not None:
        about = "about " if stage.usage_estimated else ""
        said.append(f"{about}{_count(stage.tokens_in)} + {_count(stage.tokens_out)} tokens")
    ruling = clean(stage.ruling or "", _LONG)
    return StageRow(
        name=stage.stage.value,
        status=plain(stage.status.value),
        said=", ".join(said),
        call=clean(stage.call or "", _LONG),
        ruling=ruling,
        in_vain=ruling not in ("", _FINE),
    )


def _count(number: int) -> str:
    """A count as an agent reports it may have thousands of digits."""
    return str(number) if number < 10**12 else "10^12 or more"
