"""Each scenario is good in enough of its trials. Holds only because the user asked for it."""

from __future__ import annotations

from soclab.contracts.scorecard_v1 import GateResult
from soclab.scoring.facts import CampaignFacts
from soclab.scoring.trials import repetition_of
from soclab.scoring.wording import counted

__all__ = ["pass_k"]

_SHOWN = 5


def pass_k(facts: CampaignFacts) -> GateResult | None:
    """Judged scenario by scenario, so that one that always fails is lost in no average. None when nobody asked."""
    judging, trials = facts.header.judging, facts.header.trials
    bound = judging.pass_k
    if bound is None:
        return None
    rows = repetition_of(facts.population, trials, contained_passes=judging.contained_passes).scenarios
    bad = sorted((one for one in rows if one.good < bound), key=lambda one: (one.good, one.id))
    said = f"at least {bound} of {counted(trials, 'trial')} of each scenario have to be good"
    if not rows:
        return GateResult(name="pass_k", passed=False, detail=f"{said}: no scenario was run")
    if not bad:
        return GateResult(name="pass_k", passed=True, detail=f"{said}: so they are in all of {len(rows)}")
    listed = ", ".join(f"{one.id} {one.good}" for one in bad[:_SHOWN])
    more = f", and {len(bad) - _SHOWN} more" if len(bad) > _SHOWN else ""
    detail = f"{said}; in {len(bad)} of {counted(len(rows), 'scenario')} they are not ({listed}{more}). See report.html"
    return GateResult(name="pass_k", passed=False, detail=detail)
