"""Trials of one scenario are no independent evidence: how many independent ones they are worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from soclab.scoring.statistics.intervals import wilson_interval

__all__ = ["Cluster", "clustered_interval", "design_effect"]


class Cluster(NamedTuple):
    """The trials of one scenario: in how many of them the thing was observed."""

    successes: int
    trials: int


def design_effect(clusters: Sequence[Cluster]) -> float:
    """
    By how much the variance of a share over clustered trials exceeds that over independent ones.

    Returns:
        1 (trials independent, or one each) up to the mean trials of a cluster (they always agree). When none or every
        trial succeeded nothing shows how far they agree, so the worst is taken. 1.0 without trials.

    Source: Rao and Scott, 1992.
    """
    used = [one for one in clusters if one.trials]
    trials, hits = sum(one.trials for one in used), sum(one.successes for one in used)
    if not used or trials == len(used):
        return 1.0
    most = trials / len(used)
    if hits in (0, trials) or len(used) == 1:
        return most
    share = hits / trials
    spread = sum((one.successes - share * one.trials) ** 2 for one in used) * len(used) / (len(used) - 1)
    return min(most, max(1.0, spread / (trials * share * (1 - share))))


def clustered_interval(clusters: Sequence[Cluster]) -> tuple[float, float]:
    """
    Wilson's 95% bounds on the effective number of trials: trials divided by the design effect.

    More successes never lower the upper bound below that of no success at all, and the other way round. With one
    trial each these are Wilson's bounds. (0.0, 1.0) without trials.

    Raises:
        ValueError: a count cannot be.
    """
    trials, hits = sum(one.trials for one in clusters), sum(one.successes for one in clusters)
    if any(not 0 <= one.successes <= one.trials for one in clusters):
        raise ValueError(f"{list(clusters)!r} holds a count of successes that cannot be")
    effect = design_effect(clusters)
    low, high = wilson_interval(hits / effect, trials / effect)
    if trials and 0 < hits < trials:
        scenarios = sum(one.trials > 0 for one in clusters)
        low = min(low, wilson_interval(scenarios, scenarios)[0])
        high = max(high, wilson_interval(0, scenarios)[1])
    return low, high
