"""McNemar's exact test family by family, with Holm's adjustment over all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from soclab.contracts.releases_v1 import FamilyTest, Measure, NoPair, ReleasePair
from soclab.contracts.vocabulary import Kind
from soclab.scoring.releases.changes import bad_counts, clusters_of
from soclab.scoring.releases.pairing import MEASURES
from soclab.scoring.statistics.detectable import fewest_worse, smallest_detectable
from soclab.scoring.statistics.holm import holm
from soclab.scoring.statistics.mcnemar import mcnemar

__all__ = ["ATTACKED", "FEWEST", "LEVEL", "families_of", "family_tests"]

LEVEL = 0.05
"""Two-sided, over all tests together; of the worse side alone it is half of that."""

FEWEST = fewest_worse(LEVEL)
"""Scenarios below which not even a change of all of them is significant: such a family is not tested."""

ATTACKED = "attacked"
"""All attacked runs, whatever the goal."""

_ONLY = (NoPair.ONLY_EARLIER, NoPair.ONLY_LATER)


class Family(NamedTuple):
    """`members`: scenario -> its pairs, which may be none; of scenarios that both releases ran."""

    name: str
    kind: Kind
    members: Mapping[str, Sequence[ReleasePair]]


class _Counted(NamedTuple):
    worse: int
    better: int
    scenarios: int
    pairs: int


def families_of(pairs: Sequence[ReleasePair]) -> tuple[Family, ...]:
    """All attacked runs, each goal where there are several, and clean runs."""
    shared = {one.id: one for one in pairs if one.no_pair not in _ONLY}
    clusters = clusters_of(pairs)
    named: dict[tuple[Kind, str], dict[str, Sequence[ReleasePair]]] = {}
    for scenario, pair in sorted(shared.items()):
        named.setdefault((pair.kind, pair.family), {})[scenario] = clusters.get(scenario, ())
    attacked = {
        scenario: them
        for (kind, _), members in named.items()
        if kind is Kind.ATTACK
        for scenario, them in members.items()
    }
    goals = tuple(Family(name, kind, named[kind, name]) for kind, name in sorted(named) if kind is Kind.ATTACK)
    others = tuple(Family(name, kind, named[kind, name]) for kind, name in sorted(named) if kind is not Kind.ATTACK)
    whole = (Family(ATTACKED, Kind.ATTACK, attacked),) if attacked else ()
    return (*whole, *(goals if len(goals) > 1 else ()), *others)


def family_tests(pairs: Sequence[ReleasePair]) -> tuple[FamilyTest, ...]:
    """
    One test a family and measure. With several trials a scenario counts once, by the sign of its difference: trials of
    one scenario are no independent evidence, and which trial stands against which says nothing.
    """
    counted = {
        (family.name, measure): _count(family, measure)
        for family in families_of(pairs)
        for measure in MEASURES[family.kind]
    }
    planned = {family.name: len(family.members) for family in families_of(pairs)}
    tested = {key: mcnemar(one.worse, one.better) for key, one in counted.items() if one.scenarios >= FEWEST}
    adjusted = holm({key: found.exact for key, found in tested.items()})
    strictest = LEVEL / max(1, len(tested))
    found = []
    for (name, measure), one in counted.items():
        p, p_holm = tested.get((name, measure)), adjusted.get((name, measure))
        found.append(
            FamilyTest(
                measure=measure,
                family=name,
                planned=planned[name],
                scenarios=one.scenarios,
                pairs=one.pairs,
                worse=one.worse,
                better=one.better,
                p_exact=p and p.exact,
                p_mid=p and p.mid_p,
                p_holm=p_holm,
                smallest_detectable=smallest_detectable(one.scenarios, level=strictest) if p else None,
                result=_result(p_holm, one),
            )
        )
    return tuple(found)


def _count(family: Family, measure: Measure) -> _Counted:
    used = [one for one in family.members.values() if one]
    changes = [now - before for before, now in (bad_counts(one, measure) for one in used)]
    return _Counted(
        worse=sum(one > 0 for one in changes),
        better=sum(one < 0 for one in changes),
        scenarios=len(used),
        pairs=sum(map(len, used)),
    )


def _result(p_holm: float | None, one: _Counted) -> Literal["worse", "better", "no_difference", "too_few"]:
    if p_holm is None:
        return "too_few"
    if p_holm >= LEVEL:
        return "no_difference"
    return "worse" if one.worse > one.better else "better"
