"""Several tests at once: the more questions, the likelier one of them seems to have an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

__all__ = ["holm"]

Key = TypeVar("Key")


def holm(p_values: Mapping[Key, float]) -> dict[Key, float]:
    """
    P-values adjusted for their number, in the order given: compare each with the level of the whole.

    The chance that any true "no difference" falls below the level is at most that level.

    Source: Holm, 1979.
    """
    adjusted: dict[Key, float] = {}
    highest, rest = 0.0, len(p_values)
    for key in sorted(p_values, key=lambda one: p_values[one]):
        highest = max(highest, min(1.0, rest * p_values[key]))
        adjusted[key] = highest
        rest -= 1
    return {key: adjusted[key] for key in p_values}
