"""A comparison of releases in words; every format uses these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType

from soclab.contracts.releases_v1 import Change, FamilyTest, Measure, Release, ReleaseComparison, ScenarioChange
from soclab.contracts.vocabulary import Outcome
from soclab.redaction import clean
from soclab.reports.codes import in_words
from soclab.reports.words import plain

__all__ = [
    "ChangeRow",
    "FamilyRow",
    "change_rows",
    "detectable_words",
    "family_rows",
    "paired_words",
    "side_words",
    "verdict_words",
]

_SHORT = 120
_WHOLE: Mapping[str, str] = MappingProxyType({"attacked": "attacked runs", "clean": "clean runs"})
_BAD: Mapping[Measure, str] = MappingProxyType(
    {
        Measure.COMPROMISED: "the attacker's goal took effect",
        Measure.ATTEMPTED: "went for the attacker's goal",
        Measure.WRONG: "wrong or blocked",
    }
)
_RESULT: Mapping[str, str] = MappingProxyType(
    {
        "worse": "significantly worse",
        "better": "significantly better",
        "no_difference": "no significant difference",
        "too_few": "too few scenarios for a test",
    }
)
_WHY: Mapping[str, str] = MappingProxyType(
    {
        "only_earlier": "run earlier only",
        "only_later": "run now only",
        "not_finished": "not finished",
        "inconclusive": "inconclusive",
        "not_exposed": "not exposed",
    }
)


@dataclass(frozen=True)
class FamilyRow:
    """Clean texts. `name`: short, of the family; `tone`: bad, good or open."""

    name: str
    family: str
    bad: str
    is_tested: bool
    scenarios: int
    worse: int
    better: int
    p_exact: str
    p_mid: str
    p_holm: str
    detectable: str
    result: str
    tone: str


@dataclass(frozen=True)
class ChangeRow:
    """One scenario; `was` and `now` are outcomes, with their counts where there are several trials. Clean texts."""

    change: Change
    id: str
    family: str
    was: str
    now: str


def side_words(one: Release) -> str:
    """`http:agent, campaign c0ffee of 2026-01-01T00:00:00`."""
    return clean(f"{clean(one.agent, _SHORT)}, campaign {one.campaign_id} of {one.started_at[:19]}", 2 * _SHORT)


def verdict_words(found: ReleaseComparison) -> str:
    """Which families differ significantly, or that none does."""
    if not found.paired:
        return "nothing was compared: no trial of a scenario has a verdict in both"
    told = [
        f"{row.result}: {row.family} ({row.bad}), p {row.p_holm} after Holm"
        for row in family_rows(found)
        if row.tone != "open"
    ]
    if not told:
        too_few = all(one.result == "too_few" for one in found.tests)
        told = ["too few scenarios for any test" if too_few else "no significant difference"]
    if found.always_failing:
        told.append(f"good in every trial before, bad in every trial now: {len(found.always_failing)}")
    return "; ".join(told)


def paired_words(found: ReleaseComparison) -> str:
    """`20 pairs; 3 without: 2 inconclusive, 1 run now only`."""
    without = ", ".join(f"{count} {_WHY[reason]}" for reason, count in found.unpaired.items())
    pairs = f"{found.paired} {'pair' if found.paired == 1 else 'pairs'}"
    return f"{pairs}; without one {sum(found.unpaired.values())}: {without}" if without else pairs


def detectable_words(tests: Iterable[FamilyTest]) -> str:
    """
    What so many scenarios can show.

    Args:
        tests: at most one of a family.
    """
    parts = []
    for one in tests:
        kind = f"{one.scenarios} {_family(one.family) if one.scenarios != 1 else _family(one.family).removesuffix('s')}"
        if one.smallest_detectable is None:
            parts.append(f"no difference can be shown in {kind}")
        else:
            parts.append(f"a worsening in {one.smallest_detectable:.1%} of {kind} or more is noticed 4 times in 5")
    return "; ".join(parts) or "no scenario is in both"


def family_rows(found: ReleaseComparison) -> tuple[FamilyRow, ...]:
    return tuple(_family_row(one) for one in found.tests)


def change_rows(found: ReleaseComparison) -> tuple[ChangeRow, ...]:
    """Scenarios that are bad in either release, each once, under its most telling change; no news comes last."""
    seen: dict[str, ScenarioChange] = {}
    for one in found.changes:
        seen.setdefault(one.id, one)
    return tuple(
        ChangeRow(one.change, clean(one.id, _SHORT), _family(one.family), _outcomes(one.earlier), _outcomes(one.later))
        for one in sorted(seen.values(), key=lambda one: one.change is Change.STILL_FAILING)
    )


def _family(name: str) -> str:
    return clean(_WHOLE.get(name) or in_words(name), _SHORT)


def _family_row(one: FamilyTest) -> FamilyRow:
    return FamilyRow(
        name=clean(_WHOLE.get(one.family, one.family), _SHORT),
        family=_family(one.family),
        is_tested=one.p_exact is not None,
        bad=_BAD[one.measure],
        scenarios=one.scenarios,
        worse=one.worse,
        better=one.better,
        p_exact=_p(one.p_exact),
        p_mid=_p(one.p_mid),
        p_holm=_p(one.p_holm),
        detectable="-" if one.smallest_detectable is None else f"{one.smallest_detectable:.1%}",
        result=_RESULT[one.result],
        tone={"worse": "bad", "better": "good"}.get(one.result, "open"),
    )


def _p(value: float | None) -> str:
    if value is None:
        return "-"
    return "below 0.0001" if value < 0.0001 else f"{value:.4f}"


def _outcomes(outcomes: Sequence[Outcome]) -> str:
    """`resisted`, or `2 resisted, 1 contained`."""
    if len(outcomes) == 1:
        return plain(outcomes[0].value)
    return ", ".join(_counted(outcomes))


def _counted(outcomes: Sequence[Outcome]) -> Iterator[str]:
    for name, them in groupby(sorted(one.value for one in outcomes)):
        yield f"{len(list(them))} {plain(name)}"
