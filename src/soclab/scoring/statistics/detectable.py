"""What so many pairs can show: the chance to notice a difference, and the smallest one that is noticed."""

from __future__ import annotations

from functools import lru_cache

from soclab.scoring.statistics.mcnemar import mcnemar
from soclab.scoring.statistics.tails import binomial, significant_tail

__all__ = ["fewest_worse", "power_of", "smallest_detectable"]

_STEPS = 1000
_NEGLIGIBLE = 1e-12


def fewest_worse(level: float = 0.05) -> int:
    """Pairs that must have become worse, with none better, before the exact test falls to the level."""
    worse = 1
    while mcnemar(worse, 0).exact > level:
        worse += 1
    return worse


def power_of(pairs: int, worse: float, better: float = 0.0, level: float = 0.05) -> float:
    """
    Chance that McNemar's exact test calls the difference significant; an exact sum.

    Args:
        pairs: scenarios that both runs answer.
        worse, better: shares of pairs that truly change for the worse, for the better; at most 1 together.
    """
    changing = worse + better
    if changing <= 0:
        return 0.0
    chance = 0.0
    for changed, weight in enumerate(binomial(pairs, min(1.0, changing))):
        if weight < _NEGLIGIBLE or (most := _most_fewer(changed, level)) < 0:
            continue
        points = binomial(changed, worse / changing)
        chance += weight * (sum(points[: most + 1]) + sum(points[changed - most :]))
    return min(1.0, chance)


def smallest_detectable(pairs: int, *, noise: float = 0.0, level: float = 0.05, power: float = 0.8) -> float | None:
    """
    The smallest worsening (share of pairs, net) that is noticed with this chance, to a tenth of a percent.

    Args:
        noise: share of pairs that change for the better by chance, and as many for the worse; 0 for an agent that
            always answers the same.
        level: of the test; divided by their number where several families are tested.

    Returns:
        None when even the largest difference would go unnoticed.
    """
    low, high = 0, int((1 - 2 * noise) * _STEPS)
    if high <= 0 or _power(pairs, high, noise, level) < power:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _power(pairs, middle, noise, level) >= power else (middle, high)
    return high / _STEPS


def _power(pairs: int, steps: int, noise: float, level: float) -> float:
    return power_of(pairs, steps / _STEPS + noise, noise, level)


@lru_cache(maxsize=20_000)
def _most_fewer(changed: int, level: float) -> int:
    """The largest smaller count of so many differing pairs that is still significant; -1 when none is."""
    return significant_tail(changed, level / 2)
