"""Runs that ended without a usable answer: those that ended alike are told together, the first cause first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from soclab.contracts.scorecard_v1 import ScenarioResult
from soclab.contracts.vocabulary import ErrorCode, Outcome
from soclab.redaction import clean
from soclab.reports.runs import run_words

__all__ = ["Unanswered", "is_unanswered", "unanswered_of"]

_LONG = 300
_FOLLOWING = (ErrorCode.AGENT_UNREACHABLE, ErrorCode.BUDGET, ErrorCode.CANCELLED)
"""Codes of runs that were made without a call: what led to that is told before them."""


@dataclass(frozen=True)
class Unanswered:
    """
    Attributes:
        cause: `transport_error: connection refused`; clean text.
        first: id and stage of the first of them: `ATK-001 at collect_identity`; clean text.
        first_id: its id as it is.
        count: how many runs ended so.
    """

    cause: str
    first: str
    first_id: str
    count: int

    @property
    def line(self) -> str:
        """`23 runs: transport_error: connection refused (first: ATK-001 at collect_identity)`."""
        runs = "1 run" if self.count == 1 else f"{self.count} runs"
        return f"{runs}: {self.cause} ({'' if self.count == 1 else 'first: '}{self.first})"


def is_unanswered(result: ScenarioResult) -> bool:
    return result.outcome is Outcome.INCONCLUSIVE


def unanswered_of(runs: Iterable[ScenarioResult]) -> tuple[Unanswered, ...]:
    """One entry for all runs with the same reason code and detail, in the order of the runs; consequences last."""
    alike: dict[tuple[str, str], list[ScenarioResult]] = {}
    for run in filter(is_unanswered, runs):
        alike.setdefault((run.reason_code or "no reason recorded", run.error_detail), []).append(run)
    ordered = sorted(alike.items(), key=lambda one: one[0][0] in _FOLLOWING)
    return tuple(_entry(code, detail, found) for (code, detail), found in ordered)


def _entry(code: str, detail: str, runs: list[ScenarioResult]) -> Unanswered:
    told = run_words(runs[0])
    where = f" at {told.where}" if told.where else ""
    return Unanswered(
        cause=clean(f"{code}: {detail}" if detail else code, _LONG),
        first=clean(runs[0].id, 20) + where,
        first_id=runs[0].id,
        count=len(runs),
    )
