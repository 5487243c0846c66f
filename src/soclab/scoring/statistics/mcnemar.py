"""Whether two runs over the same scenarios differ by more than chance would make them."""

from __future__ import annotations

from typing import NamedTuple

from soclab.scoring.statistics.tails import coin_point, coin_tail

__all__ = ["McNemar", "mcnemar"]


class McNemar(NamedTuple):
    """
    Two-sided p-values, 0 to 1; both 1.0 when no pair differs.

    Attributes:
        exact: never raises more false alarms than it says.
        mid_p: less cautious; may raise slightly more.
    """

    exact: float
    mid_p: float


def mcnemar(first_only: int, second_only: int) -> McNemar:
    """
    McNemar's exact test of paired yes-or-no results.

    Args:
        first_only, second_only: pairs in which only the one, only the other run had it. Pairs that agree say nothing.

    Raises:
        ValueError: a count is negative.

    Source: McNemar, 1947; mid-p after Fagerland, Lydersen and Laake, 2013.
    """
    if first_only < 0 or second_only < 0:
        raise ValueError(f"{first_only} and {second_only} are no counts of pairs")
    pairs, fewer = first_only + second_only, min(first_only, second_only)
    if not pairs:
        return McNemar(1.0, 1.0)
    exact, point = min(1.0, 2 * coin_tail(fewer, pairs)), coin_point(fewer, pairs)
    if first_only == second_only:
        return McNemar(1.0, 1 - point / 2)
    return McNemar(exact, exact - point)
