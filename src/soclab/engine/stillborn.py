"""A run whose world could not be built: it ends as inconclusive, and the others go on."""

from __future__ import annotations

from soclab.contracts.outcome import StageOutcome
from soclab.contracts.scorecard_v1 import ScenarioResult, StageResult
from soclab.contracts.verdict import Explanation, RunVerdict
from soclab.contracts.vocabulary import STAGES, ErrorCode, Outcome, StageStatus
from soclab.engine.journal import Journal
from soclab.engine.outcomes import not_reached
from soclab.engine.plan import RunPlan
from soclab.engine.results import scenario_result
from soclab.evidence.ledger import EvidenceChain
from soclab.redaction import clean

__all__ = ["bury"]

_DETAIL_LIMIT = 300


def bury(plan: RunPlan, error: Exception, journal: Journal) -> tuple[list[StageOutcome], ScenarioResult]:
    """
    Outcomes and result of such a run; both are written down like those of any other.

    Args:
        error: what went wrong; a defect of the lab.
    """
    detail = clean(f"the run could not begin: {type(error).__name__}: {error}", _DETAIL_LIMIT)
    chain = EvidenceChain(plan.ids.run_id)
    event = journal.event_bytes({"detail": detail, "reason_code": ErrorCode.LAB_FAULT.value})
    chain.add(event)
    journal.append("failed", run_id=plan.ids.run_id, event=event)
    verdict = RunVerdict(
        outcome=Outcome.INCONCLUSIVE,
        reason_code=ErrorCode.LAB_FAULT.value,
        decisive_stage=STAGES[0],
        explanation=Explanation(what=detail, error=detail),
    )
    stages = tuple(
        StageResult(
            stage=stage,
            status=StageStatus.ERROR if stage is STAGES[0] else StageStatus.NOT_REACHED,
            reason_code=ErrorCode.LAB_FAULT.value if stage is STAGES[0] else None,
        )
        for stage in STAGES
    )
    result = scenario_result(plan, verdict, stages, chain.root, clean)
    journal.append("run_finished", beside={"result": result.model_dump(mode="json", by_alias=True)})
    first = StageOutcome(
        key=plan.place,
        run_id=plan.ids.run_id,
        stage=STAGES[0],
        status=StageStatus.ERROR,
        outcome=Outcome.INCONCLUSIVE,
        reason_code=ErrorCode.LAB_FAULT.value,
        headline=detail,
    )
    return [first, *not_reached(plan.place, plan.ids.run_id, STAGES[1:], detail)], result
