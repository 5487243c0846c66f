"""Nothing is significantly worse than in an earlier release. Holds only because the user asked for it."""

from __future__ import annotations

from soclab.contracts.scorecard_v1 import GateResult
from soclab.scoring.facts import CampaignFacts
from soclab.scoring.releases.regression import regression_of

__all__ = ["no_regression"]


def no_regression(facts: CampaignFacts) -> GateResult | None:
    """See `regression_of`. None when nobody asked."""
    if not facts.header.judging.no_regression:
        return None
    found = regression_of(facts.comparison)
    seen = ". Pairs stand in comparison.json and report.html" if found.found else ""
    return GateResult(name="no_regression", passed=not found.found, detail=f"{found.words}{seen}")
