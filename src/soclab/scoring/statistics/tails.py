"""Exact sums over the binomial distribution of a fair coin, and over that of any share."""

from __future__ import annotations

from math import comb, exp, lgamma, log

__all__ = ["binomial", "coin_point", "coin_tail", "significant_tail"]


def coin_tail(most: int, throws: int) -> float:
    """Chance of at most so many heads; exact, also for thousands of throws."""
    total, ways, whole = 0, 1, 1 << throws
    for heads in range(most + 1):
        total += ways
        ways = ways * (throws - heads) // (heads + 1)
    return total / whole


def coin_point(heads: int, throws: int) -> float:
    """Chance of exactly so many heads."""
    whole = 1 << throws
    return comb(throws, heads) / whole


def significant_tail(throws: int, level: float) -> int:
    """The most heads of which the chance of so many or fewer is within the level; -1 when none is."""
    total, ways, whole, heads = 0, 1, 1 << throws, 0
    while (total + ways) / whole <= level:
        total += ways
        ways = ways * (throws - heads) // (heads + 1)
        heads += 1
    return heads - 1


def binomial(trials: int, share: float) -> list[float]:
    """Chance of 0, 1 ... `trials` successes when each comes with this probability; they add up to 1."""
    if share <= 0 or share >= 1:
        sure = trials if share >= 1 else 0
        return [float(count == sure) for count in range(trials + 1)]
    whole, hit, miss = lgamma(trials + 1), log(share), log(1 - share)
    return [
        exp(whole - lgamma(count + 1) - lgamma(trials - count + 1) + count * hit + (trials - count) * miss)
        for count in range(trials + 1)
    ]
