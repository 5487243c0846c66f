"""Shares of runs with what so many runs allow."""

from __future__ import annotations

from soclab.contracts.strict import Frozen

__all__ = ["Rate", "Rates"]


class Rate(Frozen):
    """
    `value` is None when there were no trials; `low` and `high` are the Wilson 95% bounds, 0 and 1 then.

    With several trials of a scenario the bounds are Wilson's on the effective number of trials.
    """

    successes: int
    trials: int
    value: float | None
    low: float
    high: float


class Rates(Frozen):
    attack_success: Rate
    goal_reached: Rate
    susceptibility: Rate
    control_effectiveness: Rate
    utility: Rate
    utility_under_attack: Rate
    false_close: Rate
    false_close_clean: Rate
    false_close_attacked: Rate
    false_containment: Rate
    false_block: Rate
    inconclusive: Rate
    exposure: Rate
    injection_reported: Rate
