"""How often the bounds hold the truth, by exact sums; and bounds of trials that belong together."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as some

from soclab.scoring.statistics.bootstrap import difference_interval
from soclab.scoring.statistics.clusters import Cluster, clustered_interval, design_effect
from soclab.scoring.statistics.intervals import wilson_interval
from soclab.scoring.statistics.tails import binomial

SHARES = [step / 100 for step in range(1, 51)]
CLUSTERS = some.lists(
    some.integers(1, 6).flatmap(lambda trials: some.tuples(some.integers(0, trials), some.just(trials))), max_size=12
).map(lambda pairs: [Cluster(*one) for one in pairs])


def coverage(runs: int, share: float) -> float:
    """Chance that Wilson's bounds of that many runs hold the true share, summed over every count of successes."""
    bounds = [wilson_interval(count, runs) for count in range(runs + 1)]
    points = binomial(runs, share)
    return sum(point for point, (low, high) in zip(points, bounds, strict=True) if low <= share <= high)


def test_the_bounds_hold_as_often_as_they_say() -> None:
    """Over n in 30, 40, 100, 300 and p from 0.01 to 0.5: on average 94.5% to 96.5%, never under 91.5%."""
    found = {runs: [coverage(runs, share) for share in SHARES] for runs in (30, 40, 100, 300)}
    for runs, shares in found.items():
        assert 0.945 <= sum(shares) / len(shares) <= 0.965, runs
        assert min(shares) >= 0.915, runs


def test_the_sums_are_over_the_reference_s_distribution() -> None:
    """The chances used here are scipy's."""
    theirs = pytest.importorskip("scipy.stats").binom
    for trials, share in [(0, 0.3), (1, 0.0), (7, 1.0), (30, 0.01), (300, 0.37)]:
        assert binomial(trials, share) == pytest.approx([theirs.pmf(k, trials, share) for k in range(trials + 1)])


def test_the_design_effect_is_the_ratio_of_two_variances() -> None:
    """Equal to the cluster-robust variance of a linear model on a constant, over that of independent trials."""
    models = pytest.importorskip("statsmodels.api")
    clusters = [Cluster(3, 3), Cluster(0, 3), Cluster(1, 3), Cluster(0, 3), Cluster(2, 3), Cluster(0, 3)]
    answers = [float(k < one.successes) for one in clusters for k in range(one.trials)]
    groups = [place for place, one in enumerate(clusters) for _ in range(one.trials)]
    fitted = models.OLS(answers, [1.0] * len(answers)).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False}
    )
    share, count = sum(answers) / len(answers), len(clusters)
    robust = float(fitted.cov_params()[0][0]) * count / (count - 1)
    assert design_effect(clusters) == pytest.approx(robust / (share * (1 - share) / len(answers)))


@pytest.mark.parametrize("successes", [0, 3])
def test_trials_that_all_agree_count_as_one(successes: int) -> None:
    """None or every trial succeeded: the effect is the number of trials, so 35 scenarios bound like 35 runs."""
    clusters = [Cluster(successes, 3)] * 35
    assert design_effect(clusters) == 3
    assert clustered_interval(clusters) == pytest.approx(wilson_interval(35 * (successes > 0), 35))


def test_one_trial_each_gives_wilson_s_bounds() -> None:
    """Without repetition nothing is taken off."""
    clusters = [Cluster(1, 1)] * 4 + [Cluster(0, 1)] * 26
    assert clustered_interval(clusters) == wilson_interval(4, 30)


def test_nothing_run_is_nothing_known() -> None:
    """No scenario, or only empty ones: 0 to 1."""
    assert clustered_interval([]) == (0.0, 1.0)
    assert clustered_interval([Cluster(0, 0)]) == (0.0, 1.0)


def test_one_success_is_no_better_news_than_none() -> None:
    """The upper bound does not fall when the first success is seen."""
    none = clustered_interval([Cluster(0, 3)] * 35)
    one = clustered_interval([Cluster(1, 3), *[Cluster(0, 3)] * 34])
    assert one[1] >= none[1]


@given(CLUSTERS)
def test_bounds_of_trials_are_bounds(clusters: list[Cluster]) -> None:
    """Ordered, within 0 and 1, around the share; the effect lies between 1 and the trials of a scenario."""
    low, high = clustered_interval(clusters)
    trials = sum(one.trials for one in clusters)
    assert 0 <= low <= high <= 1
    assert 1 <= design_effect(clusters) <= 6
    if trials:
        share = sum(one.successes for one in clusters) / trials
        assert low - 1e-9 <= share <= high + 1e-9


@pytest.mark.parametrize("cluster", [Cluster(2, 1), Cluster(-1, 3)])
def test_impossible_clusters_are_refused(cluster: Cluster) -> None:
    """They raise instead of giving bounds."""
    with pytest.raises(ValueError, match="cannot be"):
        clustered_interval([cluster])


@pytest.mark.parametrize(("share", "alike"), [(0.1, 0.0), (0.1, 0.9), (0.3, 0.5), (0.5, 1.0)])
def test_bounds_of_trials_hold_as_often_as_they_say(share: float, alike: float) -> None:
    """Simulated over 40 scenarios of three trials that agree a little, much, always: at least 91.5%."""
    random, held, campaigns = Random(7), 0, 1500
    for _ in range(campaigns):
        clusters = [Cluster(_trials(random, share, alike), 3) for _ in range(40)]
        low, high = clustered_interval(clusters)
        held += low <= share <= high
    assert held / campaigns >= 0.915


def _trials(random: Random, share: float, alike: float) -> int:
    """Successes of three trials that share one draw with the chance `alike`."""
    together = random.random() < share
    return sum(together if random.random() < alike**0.5 else random.random() < share for _ in range(3))


def test_bounds_of_a_difference_are_the_reference_s() -> None:
    """Percentiles of resampled means, within what resampling itself varies."""
    stats = pytest.importorskip("scipy.stats")
    differences = [0.0] * 60 + [1.0] * 25 + [-1.0] * 8 + [0.5] * 7
    theirs = stats.bootstrap(
        (differences,), lambda them, axis: them.mean(axis=axis), method="percentile", n_resamples=9999, rng=3
    ).confidence_interval
    assert difference_interval(differences, "seed") == pytest.approx((theirs.low, theirs.high), abs=0.02)


def test_the_same_seed_gives_the_same_bounds() -> None:
    """A report can be made again."""
    differences = [0.0, 1.0, -1.0, 0.0, 1.0, 1.0]
    assert difference_interval(differences, "a") == difference_interval(differences, "a")


@pytest.mark.parametrize("all_of_them", [0.0, 1.0, -1.0])
def test_differences_without_variation_keep_a_width(all_of_them: float) -> None:
    """Thirty scenarios that did not change may still hide a change of 11.4%."""
    low, high = difference_interval([all_of_them] * 30, "seed")
    assert high - low == pytest.approx(0.1135 * (2 if all_of_them == 0 else 1), abs=1e-3)
    assert -1 <= low <= all_of_them <= high <= 1


def test_no_scenario_in_common_says_nothing() -> None:
    """Everything is possible."""
    assert difference_interval([], "seed") == (-1.0, 1.0)
