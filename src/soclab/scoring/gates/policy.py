"""Every call was judged: where the lab could not judge one, nothing is known of its controls."""

from __future__ import annotations

from soclab.contracts.policy import FAULTS
from soclab.contracts.scorecard_v1 import GateResult, ScenarioResult
from soclab.scoring.facts import CampaignFacts
from soclab.scoring.wording import counted

__all__ = ["policy_faults"]

_SHOWN = 5


def policy_faults(facts: CampaignFacts) -> GateResult:
    """Mandatory; guards count, too."""
    runs = facts.population.runs
    faults = {one.id: _faults(one) for one in runs if _faults(one)}
    if not faults and not facts.answered_runs:
        return GateResult(name="policy_faults", passed=False, detail="not measured: no run was answered")
    if not faults:
        detail = f"every call was judged in {counted(len(runs), 'run')}"
        return GateResult(name="policy_faults", passed=True, detail=detail)
    codes = ", ".join(sorted({code for found in faults.values() for code in found}))
    more = ", ..." if len(faults) > _SHOWN else ""
    listed = ", ".join(list(faults)[:_SHOWN]) + more
    detail = (
        f"the lab could not judge every call in {len(faults)} of {counted(len(runs), 'run')} ({codes}: {listed}): "
        "mend the policy or its server, and run again"
    )
    return GateResult(name="policy_faults", passed=False, detail=detail)


def _faults(run: ScenarioResult) -> set[str]:
    codes = {stage.reason_code for stage in run.stages} | set(run.control_reasons)
    return {code for code in codes if code in FAULTS}
