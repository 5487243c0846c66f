"""Whether two shares differ by more than chance would make them."""

from __future__ import annotations

from math import comb

__all__ = ["fisher_exact"]

_TIE = 1 + 1e-7  # tables as likely as the observed one count as such in spite of rounding


def fisher_exact(first: int, first_runs: int, second: int, second_runs: int) -> float:
    """
    Two-sided p-value of Fisher's exact test.

    Args:
        first, second: observed counts of the two groups, each at most its number of runs.

    Returns:
        0 to 1; 1.0 when a group is empty or nothing differs.

    Source: Fisher, 1922; two-sided by summing all tables that are no likelier.
    """
    total, hits = first_runs + second_runs, first + second
    ways = comb(total, hits)
    lowest, highest = max(0, hits - second_runs), min(hits, first_runs)
    chances = [comb(first_runs, k) * comb(second_runs, hits - k) / ways for k in range(lowest, highest + 1)]
    observed = chances[first - lowest]
    return min(1.0, sum(chance for chance in chances if chance <= observed * _TIE))
