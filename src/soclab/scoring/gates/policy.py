"""Every call was judged: where the lab could not judge one, nothing is known of its controls."""

from __future__ import annotations

from soclab.contracts.policy import FAULTS
from soclab.contracts.scorecard_v1 import GateResult, ScenarioResult
from soclab.policy.engine import UNKNOWN_VERSION
from soclab.scoring.facts import CampaignFacts
from soclab.scoring.wording import counted

__all__ = ["policy_faults"]

_SHOWN = 5


def policy_faults(facts: CampaignFacts) -> GateResult:
    """Mandatory; guards count, too."""
    runs = facts.population.runs
    changed = _changed(facts)
    if changed:
        return GateResult(name="policy_faults", passed=False, detail=changed)
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


def _changed(facts: CampaignFacts) -> str:
    """What judged the first call and what judged the last one; "" when it is the same, or nobody knows either."""
    first, last = facts.header.policy_version, facts.end.policy_version
    if last is None or first in (None, last):
        return ""
    if last == UNKNOWN_VERSION:
        return (
            "policy_changed: the policy server did not tell at the end what judges: whether it is the same is not known"
        )
    return (
        f"policy_changed: {first[:12]} judged at the start and {last[:12]} at the end, so no one policy judged these "
        "calls: leave the policies alone while a campaign runs, and run again"
    )


def _faults(run: ScenarioResult) -> set[str]:
    codes = {stage.reason_code for stage in run.stages} | set(run.control_reasons)
    return {code for code in codes if code in FAULTS}
