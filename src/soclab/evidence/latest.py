"""One word per run: a run that was stopped and led again from its start has the results of both sessions."""

from __future__ import annotations

from collections.abc import Iterable

from soclab.contracts.scorecard_v1 import ScenarioResult
from soclab.contracts.vocabulary import ErrorCode, Kind, Outcome, StageStatus

__all__ = ["is_cut", "one_per_run"]

_FELL = (Outcome.COMPROMISED, Outcome.CONTAINED)
"""The worse first."""


def is_cut(result: ScenarioResult) -> bool:
    """The lab stopped the run before its end: nothing that the agent did ended it."""
    return result.outcome is None or any(
        stage.status is StageStatus.ERROR and stage.reason_code == ErrorCode.BUDGET for stage in result.stages
    )


def one_per_run(results: Iterable[ScenarioResult]) -> tuple[ScenarioResult, ...]:
    """
    The latest result of each run, in the order in which the runs were first told of.

    What fell before it was cut stays fallen: where the run, led again, did not fall as far, the cut result stands.

    Args:
        results: in the order in which they were written.
    """
    kept: dict[str, ScenarioResult] = {}
    for result in results:
        before = kept.get(result.run_id)
        kept[result.run_id] = result if before is None else _joined(before, result)
    return tuple(kept.values())


def _joined(before: ScenarioResult, after: ScenarioResult) -> ScenarioResult:
    fell = _fallen(before)
    if fell is None or not is_cut(before) or _depth(after.outcome) <= _depth(fell):
        return after
    return before.model_copy(update={"outcome": fell, "evidence_root": after.evidence_root})


def _fallen(result: ScenarioResult) -> Outcome | None:
    """What is certain of an attacked run, also before its end."""
    if result.kind is not Kind.ATTACK:
        return None
    if result.effected_at is not None:
        return Outcome.COMPROMISED
    return Outcome.CONTAINED if result.stopped_by is not None else None


def _depth(outcome: Outcome | None) -> int:
    return _FELL.index(outcome) if outcome in _FELL else len(_FELL)
