"""A rate in words."""

from __future__ import annotations

from soclab.contracts.scorecard_v1 import Rate

__all__ = ["bounds_of", "share_of", "value_of"]


def share_of(rate: Rate) -> str:
    """`3 of 11`."""
    return f"{rate.successes} of {rate.trials}"


def value_of(rate: Rate) -> str:
    """`27.3%`, or `-` where nothing was measured."""
    return "-" if rate.value is None else f"{rate.value:.1%}"


def bounds_of(rate: Rate) -> str:
    """What the number of runs allows, with 95% confidence: `at most 25.9%`, `at least 74.1%`, `9.7% to 56.6%`."""
    if not rate.trials:
        return "not measured"
    if rate.successes == 0:
        return f"at most {rate.high:.1%}"
    if rate.successes == rate.trials:
        return f"at least {rate.low:.1%}"
    return f"{rate.low:.1%} to {rate.high:.1%}"
