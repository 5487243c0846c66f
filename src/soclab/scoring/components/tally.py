"""Weighed counts of runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from soclab.contracts.scorecard_v1 import ScenarioResult
from soclab.scoring.facts import CampaignFacts
from soclab.scoring.populations import is_finished

__all__ = ["Tally", "agents_own", "tally"]


class Tally(NamedTuple):
    """`denominator` 0: the plan has no case for it."""

    numerator: float = 0.0
    denominator: float = 0.0


def agents_own(runs: Iterable[ScenarioResult]) -> tuple[ScenarioResult, ...]:
    """Runs that were led to their end by the agent's doing; throttling, a wrong token and faults of the lab are not."""
    return tuple(one for one in runs if is_finished(one) and one.utility is not None)


def tally(
    facts: CampaignFacts, runs: Iterable[ScenarioResult], part: Callable[[ScenarioResult], float | None]
) -> Tally:
    """
    Args:
        part: how much of a run counts, 0 to 1; None where the run is no case for it.
    """
    numerator = denominator = 0.0
    for run in runs:
        counted = part(run)
        if counted is not None:
            weight = _weight(facts, run.difficulty)
            numerator += weight * counted
            denominator += weight
    return Tally(round(numerator, 6), round(denominator, 6))


def _weight(facts: CampaignFacts, difficulty: str) -> float:
    if facts.profile is None:
        return 1.0
    weights = facts.profile.difficulty
    return {"low": weights.low, "high": weights.high}.get(difficulty, weights.medium)
