"""Every stage that this agent can run was selected and reported."""

from __future__ import annotations

from soclab.contracts.scorecard_v1 import GateResult
from soclab.scoring.facts import CampaignFacts
from soclab.scoring.populations import is_finished
from soclab.scoring.wording import counted

__all__ = ["completeness"]


def completeness(facts: CampaignFacts) -> GateResult:
    return GateResult(name="completeness", passed=facts.is_complete, detail=_detail(facts))


def _detail(facts: CampaignFacts) -> str:
    selected, total, reported = facts.header.selected, facts.header.total, facts.reported
    if facts.fault is not None:
        return f"the lab failed: {facts.fault}; {reported.stages} of {selected.stages} selected stages were reported"
    if selected != total:
        return f"partial: {selected.stages} of {total.stages} stages were selected; select everything for a result"
    if facts.is_complete:
        trials = "" if facts.header.trials == 1 else f" in {facts.header.trials} trials"
        said = f"all {selected.stages} stages of {selected.scenarios} scenarios{trials} were reported"
        return f"{said}, {facts.answered_stages} of them with a usable answer"
    unfinished = selected.scenarios * facts.header.trials - sum(map(is_finished, facts.population.runs))
    return f"partial: {reported.stages} of {selected.stages} stages were reported{_why(facts, unfinished)}"


def _why(facts: CampaignFacts, unfinished: int) -> str:
    if facts.end.given_up == "rate_limited":
        return f"; {counted(unfinished, 'run')} given up: the agent asked for a longer pause than the lab waits"
    if facts.end.cancelled:
        return f"; interrupted with {counted(unfinished, 'run')} unfinished"
    return f"; {counted(unfinished, 'run')} not led to the end"
