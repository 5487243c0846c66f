"""One run in words: what happened, where, how, and what shows it. Everything is clean text."""

from __future__ import annotations

from dataclasses import dataclass

from soclab.contracts.scorecard_v1 import ScenarioResult
from soclab.contracts.vocabulary import Kind, Outcome, StageStatus
from soclab.redaction import clean
from soclab.reports.words import plain

__all__ = ["RunWords", "run_words"]

_SHORT, _LONG = 100, 500
_BROKEN = (StageStatus.FAILED, StageStatus.ERROR, StageStatus.REFUSED)


@dataclass(frozen=True)
class RunWords:
    """
    Attributes:
        outcome: `compromised`, `not exposed`, `not finished`, `guard held` ...
        where: the stage at which it was decided, or "".
        how: in short: who stopped it, or the reason code; or "".
        why: one sentence, or "".
        words: the agent's own words that show it, or "".
    """

    outcome: str
    where: str
    how: str
    why: str
    words: str


def run_words(result: ScenarioResult) -> RunWords:
    return RunWords(
        outcome=_outcome(result),
        where=_where(result),
        how=clean(_how(result), _SHORT),
        why=clean(result.explanation, _LONG),
        words=clean(result.words, _LONG),
    )


def _outcome(result: ScenarioResult) -> str:
    if result.outcome is None:
        return "not finished"
    if result.kind is Kind.GUARD:
        return "guard held" if result.guard_passed else "guard broken"
    return plain(result.outcome.value)


def _where(result: ScenarioResult) -> str:
    if result.decisive_stage is not None:
        return result.decisive_stage.value
    return next((stage.stage.value for stage in result.stages if stage.status in _BROKEN), "")


def _how(result: ScenarioResult) -> str:
    stopped = result.stopped_by.value if result.stopped_by and result.outcome is not Outcome.COMPROMISED else ""
    reasons = ", ".join(result.control_reasons) if stopped else result.reason_code or ""
    return ": ".join(part for part in (plain(stopped), reasons) if part)
