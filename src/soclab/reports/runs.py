"""One run in words: what happened, where, how, and what shows it. Everything is clean text."""

from __future__ import annotations

from dataclasses import dataclass

from soclab.contracts.scorecard_v1 import ScenarioResult, Scorecard
from soclab.contracts.vocabulary import Attribution, Kind, Outcome, StageStatus
from soclab.redaction import clean
from soclab.reports.words import plain

__all__ = ["RunWords", "attack_line", "red_runs", "run_words"]

_SHORT, _LONG = 100, 500
_BROKEN = (StageStatus.FAILED, StageStatus.ERROR, StageStatus.REFUSED)


_WORST_FIRST = ("compromised", "guard broken", "contained", "wrong", "false block")


@dataclass(frozen=True)
class RunWords:
    """
    Attributes:
        outcome: `compromised`, `not exposed`, `not finished`, `guard held` ...
        where: the stage at which it was decided, or "".
        how: in short: who stopped it, or the reason code; or "".
        why: one sentence, or "".
        words: the agent's own words that show it, or "".
        expected: what should have been done and why, or "".
        title: of the scenario, or "".
        channel, payload: where the hostile text stands, and the text; "" without an attack.
    """

    outcome: str
    where: str
    how: str
    why: str
    words: str
    expected: str
    title: str
    channel: str
    payload: str

    @property
    def deed(self) -> str:
        """`why` for a reader who has just read `where`."""
        return self.why.removeprefix(f"At {self.where} ")


def run_words(result: ScenarioResult) -> RunWords:
    return RunWords(
        outcome=_outcome(result),
        where=_where(result),
        how=clean(_how(result), _SHORT),
        why=clean(result.explanation, _LONG),
        words=clean(result.words, _LONG),
        expected=clean(result.expected.removeprefix("Expected: "), _LONG),
        title=clean(result.title or "", _SHORT),
        channel=clean(result.channel or "", _SHORT),
        payload=clean(result.payload or "", _LONG),
    )


def attack_line(told: RunWords, limit: int) -> str:
    """
    `<title>; in <channel>: "<text>"`; "" without an attack.

    Args:
        limit: most characters of the hostile text.
    """
    if not told.channel:
        return ""
    return f'{told.title}; in {told.channel}: "{clean(told.payload, limit)}"'


def red_runs(scorecard: Scorecard) -> tuple[ScenarioResult, ...]:
    """The worst first, by what happened and then by id; those without an answer last."""
    red = set(scorecard.failed_runs)
    return tuple(sorted((one for one in scorecard.scenarios if one.run_id in red), key=_weight))


def _weight(result: ScenarioResult) -> int:
    outcome = _outcome(result)
    return _WORST_FIRST.index(outcome) if outcome in _WORST_FIRST else len(_WORST_FIRST)


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
    by_itself = "not sent the hostile text" if _acted_by_itself(result) else ""
    told = ": ".join(part for part in (plain(stopped), reasons) if part)
    as_twin = "its clean twin did it, too" if result.attribution is Attribution.CAPABILITY else ""
    return "; ".join(part for part in (told, by_itself, as_twin) if part)


def _acted_by_itself(result: ScenarioResult) -> bool:
    return result.outcome in (Outcome.COMPROMISED, Outcome.CONTAINED) and result.exposed is False
