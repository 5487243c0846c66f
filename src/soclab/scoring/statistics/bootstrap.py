"""Bounds of a difference between two runs over the same scenarios."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from soclab.identity import draws
from soclab.scoring.statistics.intervals import wilson_interval

__all__ = ["difference_interval"]

_RESAMPLES = 4000
_TAIL = 0.025


def difference_interval(differences: Sequence[float], seed: str, *, resamples: int = _RESAMPLES) -> tuple[float, float]:
    """
    95% bounds of a mean difference by resampling scenarios with replacement (percentiles).

    Args:
        differences: one per scenario, second minus first: with trials the difference of its two shares. -1 to 1.
        seed: the same seed gives the same bounds.

    Returns:
        (low, high) within -1 and 1; (-1.0, 1.0) without scenarios. Where all differ alike resampling sees no
        variation at all; then as many scenarios may still hide what Wilson's bound of none of n says.

    Source: Efron, 1979.
    """
    count = len(differences)
    if not count:
        return -1.0, 1.0
    if len(set(differences)) == 1:
        hidden = wilson_interval(0, count)[1]
        return max(-1.0, differences[0] - hidden), min(1.0, differences[0] + hidden)
    places = draws(seed, count)
    means = sorted(sum(differences[one] for one in islice(places, count)) / count for _ in range(resamples))
    cut = int(_TAIL * resamples)
    return means[cut], means[-cut - 1]
