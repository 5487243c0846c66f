"""The control plane refused what the lab itself tried against it."""

from __future__ import annotations

from soclab.contracts.scorecard_v1 import GateResult
from soclab.scoring.facts import CampaignFacts
from soclab.scoring.wording import counted

__all__ = ["manoeuvres"]


def manoeuvres(facts: CampaignFacts) -> GateResult:
    """
    Says nothing about the agent. What was not tried was not refused: an interrupted campaign shows nothing.
    """
    tried = facts.end.manoeuvres
    through = [one for one in tried if not one.refused]
    if not tried:
        detail = "not tried: the campaign was stopped before its end"
    elif through:
        listed = "; ".join(f"{one.id} {one.name}: {one.detail}" for one in through)
        detail = f"{len(through)} of {counted(len(tried), 'manoeuvre')} got through ({listed})"
    else:
        detail = f"{counted(len(tried), 'manoeuvre')} against the lab's own control plane, all refused"
    return GateResult(name="manoeuvres_refused", passed=bool(tried) and not through, detail=detail)
