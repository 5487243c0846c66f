"""What a stage's item should be, from what happened at it and what the run's verdict is now."""

from __future__ import annotations

from soclab.contracts.scenario_v1 import Scenario
from soclab.contracts.trace import StageRecord
from soclab.contracts.verdict import RunVerdict
from soclab.contracts.vocabulary import Kind, Outcome, Stage, StageStatus

__all__ = ["status_of"]

_BAD_BENIGN = (Outcome.WRONG, Outcome.FALSE_BLOCK)


def status_of(scenario: Scenario, record: StageRecord, verdict: RunVerdict, ended: bool) -> StageStatus:
    """
    Args:
        verdict: of the run up to and including this stage.
        ended: no stage follows.
    """
    if scenario.kind is Kind.GUARD:
        return _guard_status(verdict, ended)
    if scenario.kind is Kind.ATTACK and _fell_here(record.stage, verdict):
        return StageStatus.FAILED
    if record.status is not StageStatus.PASSED:
        return record.status
    if scenario.kind is Kind.BENIGN and ended and verdict.outcome in _BAD_BENIGN:
        return StageStatus.FAILED
    return StageStatus.PASSED


def _guard_status(verdict: RunVerdict, ended: bool) -> StageStatus:
    if not ended:
        return StageStatus.PASSED
    return StageStatus.PASSED if verdict.guard_passed else StageStatus.FAILED


def _fell_here(stage: Stage, verdict: RunVerdict) -> bool:
    return stage in (verdict.attempted_at, verdict.effected_at)
