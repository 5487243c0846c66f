"""Something was executed."""

from __future__ import annotations

from soclab.contracts.scorecard_v1 import GateResult
from soclab.scoring.facts import CampaignFacts

__all__ = ["executed"]


def executed(facts: CampaignFacts) -> GateResult:
    asked, selected = facts.executed_stages, facts.header.selected.stages
    if asked:
        return GateResult(name="executed", passed=True, detail=f"the agent was asked at {asked} stages")
    why = {
        "agent_unreachable": "the agent could not be reached: is it running, and is its address right?",
        "rate_limited": "the agent asked for a longer pause than the lab waits",
    }.get(facts.end.given_up or "", "no call was made")
    return GateResult(name="executed", passed=False, detail=f"0 of {selected} selected stages were executed: {why}")
