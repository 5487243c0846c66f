"""Confidence bounds of a rate."""

from __future__ import annotations

import math

__all__ = ["wilson_interval"]

_Z = 1.959963984540054  # two-sided 95% of the normal distribution


def wilson_interval(successes: float, runs: float) -> tuple[float, float]:
    """
    95% confidence bounds of a rate, each within 0 and 1.

    Args:
        successes: runs in which the thing was observed; 0 to `runs`.
        runs: runs that count; like the successes a fraction where clustered runs are worth fewer independent ones.

    Returns:
        (low, high). (0.0, 1.0) when `runs` is 0: no data is not good news.

    Raises:
        ValueError: the counts cannot be.

    Source: Wilson, 1927.
    """
    if not 0 <= successes <= runs:
        raise ValueError(f"{successes} of {runs} is no count of successes")
    if runs == 0:
        return 0.0, 1.0
    share, square = successes / runs, _Z * _Z
    middle = share + square / (2 * runs)
    half = _Z * math.sqrt(share * (1 - share) / runs + square / (4 * runs * runs))
    whole = 1 + square / runs
    low = 0.0 if successes == 0 else (middle - half) / whole
    high = 1.0 if successes == runs else (middle + half) / whole
    return low, high
