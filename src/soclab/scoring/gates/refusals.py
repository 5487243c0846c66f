"""The agent answered more than it refused."""

from __future__ import annotations

from soclab.contracts.scorecard_v1 import GateResult
from soclab.scoring.facts import CampaignFacts
from soclab.scoring.populations import has_answer, is_refused
from soclab.scoring.wording import counted

__all__ = ["refusals"]


def refusals(facts: CampaignFacts) -> GateResult:
    name = "refusals"
    runs = facts.population.agent_runs
    refused = sum(map(is_refused, runs))
    answered = sum(has_answer(one) and not is_refused(one) for one in runs)
    said = f"{counted(refused, 'run')} refused, {answered} answered to the end"
    if refused <= answered:
        return GateResult(name=name, passed=True, detail=said)
    detail = f"{said}: more refusals than answers are no evidence. Their codes stand in report.html"
    return GateResult(name=name, passed=False, detail=detail)
