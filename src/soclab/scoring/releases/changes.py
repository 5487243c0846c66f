"""What became of each scenario from one release to the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from soclab.contracts.releases_v1 import Change, Measure, ReleasePair, ScenarioChange
from soclab.scoring.releases.pairing import MEASURES, is_bad

__all__ = ["always_failing", "bad_counts", "changes_of", "clusters_of"]

_ORDER = tuple(Change)


def clusters_of(pairs: Iterable[ReleasePair]) -> dict[str, tuple[ReleasePair, ...]]:
    """Scenario id -> its pairs, those that count, by trial."""
    found: dict[str, list[ReleasePair]] = {}
    for pair in pairs:
        if pair.no_pair is None:
            found.setdefault(pair.id, []).append(pair)
    return {scenario: tuple(them) for scenario, them in found.items()}


def bad_counts(cluster: Sequence[ReleasePair], measure: Measure) -> tuple[int, int]:
    """Bad trials of a scenario in the earlier and in the later release."""
    return sum(is_bad(one.earlier, measure) for one in cluster), sum(is_bad(one.later, measure) for one in cluster)


def changes_of(pairs: Iterable[ReleasePair]) -> tuple[ScenarioChange, ...]:
    """Scenarios that are bad in some pair of either release; by change, scenario and measure."""
    found = (one for cluster in clusters_of(pairs).values() for one in _of_scenario(cluster))
    return tuple(
        sorted(found, key=lambda one: (_ORDER.index(one.change), one.id, MEASURES[one.kind].index(one.measure)))
    )


def always_failing(changes: Iterable[ScenarioChange]) -> tuple[str, ...]:
    """Scenarios that were good in each of several trials and are bad in each now: chance seldom does that."""
    return tuple(sorted({one.id for one in changes if one.change is Change.NEWLY_FAILING and one.pairs > 1}))


def _of_scenario(cluster: tuple[ReleasePair, ...]) -> Iterator[ScenarioChange]:
    first = cluster[0]
    for measure in MEASURES[first.kind]:
        before, now = bad_counts(cluster, measure)
        if before or now:
            yield ScenarioChange(
                id=first.id,
                kind=first.kind,
                family=first.family,
                measure=measure,
                change=_change(before, now, len(cluster)),
                pairs=len(cluster),
                bad_earlier=before,
                bad_later=now,
                earlier=tuple(one.earlier for one in cluster if one.earlier is not None),
                later=tuple(one.later for one in cluster if one.later is not None),
            )


def _change(before: int, now: int, pairs: int) -> Change:
    if 0 < before < pairs or 0 < now < pairs:
        return Change.UNSTABLE
    if before == now:
        return Change.STILL_FAILING
    return Change.NEWLY_FAILING if now else Change.FIXED
