"""Bounds of rates and tests of differences, against a second implementation."""

from __future__ import annotations

import itertools

import pytest

from soclab.scoring.statistics.fisher import fisher_exact
from soclab.scoring.statistics.intervals import wilson_interval


@pytest.mark.parametrize("runs", [1, 2, 3, 11, 30, 100, 2400])
def test_bounds_are_wilsons(runs):
    """The bounds are those that scipy computes, for every count of successes."""
    stats = pytest.importorskip("scipy.stats")
    for successes in {0, 1, runs // 3, runs // 2, runs - 1, runs}:
        theirs = stats.binomtest(successes, runs).proportion_ci(0.95, method="wilson")
        assert wilson_interval(successes, runs) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize(("runs", "bound"), [(11, 0.259), (30, 0.114), (35, 0.099), (189, 0.020)])
def test_zero_successes_still_leave_an_upper_bound(runs, bound):
    """Zero of n is bounded from above by the published figures."""
    low, high = wilson_interval(0, runs)
    assert low == 0.0
    assert round(high, 3) == bound


def test_bounds_touch_the_ends_exactly():
    """No success gives exactly 0 below and no failure exactly 1 above."""
    assert [wilson_interval(0, n)[0] for n in range(1, 200)] == [0.0] * 199
    assert [wilson_interval(n, n)[1] for n in range(1, 200)] == [1.0] * 199


def test_no_runs_mean_no_knowledge():
    """Without a run the rate may be anything."""
    assert wilson_interval(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("successes", "runs"), [(-1, 3), (4, 3), (1, 0), (0, -1)])
def test_impossible_counts_are_refused(successes, runs):
    """Counts that cannot be raise instead of giving a number."""
    with pytest.raises(ValueError, match="is no count of successes"):
        wilson_interval(successes, runs)


def test_differences_are_fishers():
    """The p-value is scipy's for every small pair of groups."""
    stats = pytest.importorskip("scipy.stats")
    for first_runs, second_runs in itertools.product((1, 3, 7, 12), repeat=2):
        for first, second in itertools.product(range(first_runs + 1), range(second_runs + 1)):
            theirs = stats.fisher_exact([[first, first_runs - first], [second, second_runs - second]]).pvalue
            assert fisher_exact(first, first_runs, second, second_runs) == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("counts", [(0, 0, 0, 0), (0, 0, 2, 3), (3, 5, 0, 0), (0, 4, 0, 6)])
def test_groups_without_a_difference_show_none(counts):
    """An empty group, or two groups where nothing happened, have p-value 1."""
    assert fisher_exact(*counts) == 1.0
