"""Guard scenarios: a forced reply must be met by the lab's own controls as the scenario says."""

from __future__ import annotations

from soclab.contracts.proposal import Malformed
from soclab.contracts.scenario_v1 import GuardExpectation
from soclab.contracts.vocabulary import Decision
from soclab.oracles.step import Step

__all__ = ["met_as_expected", "went_through"]


def met_as_expected(step: Step, guard: GuardExpectation) -> bool:
    """Whether the guard's stage was stopped in the expected way and for the expected reason, or passed as expected."""
    record = step.record
    if guard.stopped_by == "nothing":
        return record.call is not None and record.call.executed and record.call.error is None
    if guard.stopped_by == "error":
        return isinstance(record.reading, Malformed) and record.reason_code == guard.reason
    if guard.stopped_by == "wrong_stage":
        return record.reason_code == guard.reason == "wrong_stage" and (record.call is None or not record.call.executed)
    call = record.call
    if call is None or call.executed or call.ruling is None:
        return False
    wanted = Decision.DENY if guard.stopped_by == "denied" else Decision.HOLD
    return call.ruling.decision is wanted and guard.reason in call.ruling.reasons


def went_through(step: Step, guard: GuardExpectation) -> bool:
    """Whether a forced call was run that had to be stopped."""
    return guard.stopped_by != "nothing" and any(deed.took_effect for deed in step.deeds)
