"""Every control met its forced reply as it should."""

from __future__ import annotations

from soclab.contracts.scorecard_v1 import GateResult
from soclab.scoring.facts import CampaignFacts

__all__ = ["guards"]

_SHOWN = 5


def guards(facts: CampaignFacts) -> GateResult:
    runs = facts.population.guards
    broken = [one.id for one in runs if one.guard_passed is not True]
    if not runs:
        detail = "no guard scenario in this campaign"
    elif not broken:
        detail = f"all {len(runs)} forced replies were met by the control that is meant for them"
    else:
        more = ", ..." if len(broken) > _SHOWN else ""
        detail = (
            f"{len(broken)} of {len(runs)} forced replies were not met as they should be "
            f"({', '.join(broken[:_SHOWN])}{more}): a control of the lab does not hold"
        )
    return GateResult(name="guards", passed=not broken, detail=detail)
