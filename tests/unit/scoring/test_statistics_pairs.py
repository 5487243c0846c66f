"""Tests of paired results, of several at once, and what they can notice: against second implementations and by sums."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as some

from soclab.scoring.statistics.detectable import fewest_worse, power_of, smallest_detectable
from soclab.scoring.statistics.holm import holm
from soclab.scoring.statistics.mcnemar import mcnemar
from soclab.scoring.statistics.tails import binomial

P_VALUES = some.floats(0, 1, allow_nan=False)


def test_the_exact_p_value_is_the_reference_s() -> None:
    """Two implementations agree for every small pair of counts, and for large ones."""
    reference = pytest.importorskip("statsmodels.stats.contingency_tables")
    large = [(0, 60), (200, 260), (900, 1000), (2000, 2100)]
    for first, second in [*itertools.product(range(13), repeat=2), *large]:
        if first + second == 0:
            continue
        theirs = reference.mcnemar([[5, first], [second, 7]], exact=True).pvalue
        assert mcnemar(first, second).exact == pytest.approx(theirs, rel=1e-9, abs=1e-300)


def test_the_mid_p_value_counts_equally_extreme_tables_half() -> None:
    """By its definition: what is more extreme counts whole, what is as extreme counts half."""
    coin = pytest.importorskip("scipy.stats").binom
    for first, second in itertools.product(range(25), repeat=2):
        pairs = first + second
        if pairs == 0:
            continue
        points = [(abs(2 * heads - pairs), coin.pmf(heads, pairs, 0.5)) for heads in range(pairs + 1)]
        seen = abs(first - second)
        wanted = sum(p for far, p in points if far > seen) + sum(p for far, p in points if far == seen) / 2
        assert mcnemar(first, second).mid_p == pytest.approx(wanted, abs=1e-12)


def test_pairs_that_agree_show_nothing() -> None:
    """No pair differs: both p-values are 1."""
    assert mcnemar(0, 0) == (1.0, 1.0)


@pytest.mark.parametrize("counts", [(-1, 2), (2, -1)])
def test_impossible_counts_of_pairs_are_refused(counts: tuple[int, int]) -> None:
    """They raise instead of giving a number."""
    with pytest.raises(ValueError, match="are no counts of pairs"):
        mcnemar(*counts)


def test_the_exact_test_raises_no_more_false_alarms_than_it_says() -> None:
    """Summed exactly over every number of differing pairs up to 300, and every level: the error never exceeds it."""
    for pairs in range(1, 301):
        points = binomial(pairs, 0.5)
        worst = dict.fromkeys((0.001, 0.01, 0.05, 0.1, 0.2), 0.0)
        for heads in range(pairs + 1):
            said = mcnemar(heads, pairs - heads).exact
            for level in worst:
                worst[level] += points[heads] if said <= level else 0.0
        assert all(alarms <= level + 1e-9 for level, alarms in worst.items()), (pairs, worst)


@pytest.mark.parametrize("scenarios", [30, 40, 100, 300])
@pytest.mark.parametrize("flips", [0.02, 0.1, 0.4])
def test_two_runs_of_an_unstable_agent_rarely_alarm(scenarios: int, flips: float) -> None:
    """Over the number of pairs that happen to differ, too: at most 5% of comparisons of an agent with itself."""
    assert power_of(scenarios, flips / 2, flips / 2) <= 0.05


def test_adjusted_p_values_are_the_reference_s() -> None:
    """Holm's, for many sets of p-values, ties and ends included."""
    reference = pytest.importorskip("statsmodels.stats.multitest").multipletests
    sets = [[0.01, 0.04, 0.03, 0.005], [0.5], [1.0, 1.0], [0.02, 0.02, 0.02], [0.0, 0.9, 0.049, 0.2, 0.3]]
    for values in sets:
        theirs = reference(values, method="holm")[1]
        assert list(holm(dict(enumerate(values))).values()) == pytest.approx(list(theirs), abs=1e-12)


@given(some.dictionaries(some.text(max_size=3), P_VALUES, max_size=12))
def test_adjusting_never_makes_a_result_stronger(p_values: dict[str, float]) -> None:
    """Adjusted values are no smaller, keep the order of keys and of sizes, and stay within 1."""
    adjusted = holm(p_values)
    assert list(adjusted) == list(p_values)
    assert all(p_values[key] <= value <= 1 for key, value in adjusted.items())
    for first, second in itertools.combinations(p_values, 2):
        if p_values[first] < p_values[second]:
            assert adjusted[first] <= adjusted[second]


def test_six_pairs_must_become_worse_before_anything_is_significant() -> None:
    """Five of five have p 0.0625; with four families the count rises."""
    assert fewest_worse() == 6
    assert fewest_worse(0.05 / 4) == 8


def test_the_chance_to_notice_is_an_exact_sum() -> None:
    """Equal to summing McNemar's verdict over every outcome of 25 pairs."""
    pairs, worse, better = 25, 0.3, 0.05
    wanted = 0.0
    for first, second in itertools.product(range(pairs + 1), repeat=2):
        if first + second <= pairs and mcnemar(first, second).exact <= 0.05:
            same = pairs - first - second
            ways = math.factorial(pairs) / (math.factorial(first) * math.factorial(second) * math.factorial(same))
            wanted += ways * worse**first * better**second * (1 - worse - better) ** same
    assert power_of(pairs, worse, better) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("noise", [0.0, 0.05])
def test_more_scenarios_notice_smaller_differences(noise: float) -> None:
    """The figure falls with the number of pairs, and the chance at it is what was asked for."""
    found = {pairs: smallest_detectable(pairs, noise=noise) for pairs in (20, 40, 100, 300)}
    shares = [share for share in found.values() if share is not None]
    assert len(shares) == len(set(shares)) == len(found)
    assert shares == sorted(shares, reverse=True)
    for pairs, share in zip(found, shares, strict=True):
        assert power_of(pairs, share + noise, noise) >= 0.8
        assert power_of(pairs, share - 0.001 + noise, noise) < 0.8


@pytest.mark.parametrize("pairs", [0, 5])
def test_five_pairs_can_show_nothing(pairs: int) -> None:
    """Not even when every one of them becomes worse; six can, if all of them do."""
    assert smallest_detectable(pairs) is None
    assert power_of(pairs, 1.0) == 0.0
    assert power_of(6, 1.0) == 1.0
