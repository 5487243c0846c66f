"""The score on the page: level and why, families with their components, and the rates where they differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from soclab.contracts.scorecard_v1 import FamilyScore, Rate, Scorecard
from soclab.redaction import clean
from soclab.reports.codes import CODES
from soclab.reports.figures import bounds_of, share_of, value_of
from soclab.reports.scores import COMPONENTS, DIMENSIONS, FAMILIES, level_words, score_words
from soclab.reports.words import plain

__all__ = ["BreakdownRow", "BreakdownTable", "ComponentRow", "FamilyRow", "ScorePart", "breakdown_of", "score_of"]

_SHORT, _LONG = 120, 500
_SHOWN = ("attack_success", "susceptibility", "utility_under_attack")
"""Rates that the tables show; all others stand in scorecard.json."""


@dataclass(frozen=True)
class ComponentRow:
    name: str
    says: str
    share: str
    value: str
    weight: str


@dataclass(frozen=True)
class FamilyRow:
    title: str
    weight: str
    value: str
    components: tuple[ComponentRow, ...]


@dataclass(frozen=True)
class ScorePart:
    """`held_back_by`, `said`: clean sentences; `said` is the level with its first reason. No `families`: no score."""

    score: str
    level: str
    is_good: bool
    held_back_by: tuple[str, ...]
    families: tuple[FamilyRow, ...]
    incident_families: tuple[tuple[str, str, str], ...]
    profile: str
    said: str


@dataclass(frozen=True)
class BreakdownRow:
    """`rates`: share, value and bounds of each shown rate."""

    value: str
    words: str
    rates: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class BreakdownTable:
    title: str
    heads: tuple[str, ...]
    rows: tuple[BreakdownRow, ...]


def score_of(scorecard: Scorecard) -> ScorePart:
    families = tuple(_family(one) for one in scorecard.families or ())
    return ScorePart(
        score=clean(score_words(scorecard), _SHORT),
        level=level_words(scorecard.recommended_authority_level),
        is_good=scorecard.recommended_authority_level not in (None, "L1"),
        held_back_by=tuple(clean(one, _LONG) for one in scorecard.held_back_by),
        families=families,
        incident_families=tuple(
            (clean(one.family, _SHORT), str(one.runs), "none" if one.composite is None else f"{one.composite:.3f}")
            for one in scorecard.incident_families
        ),
        profile=_profile(scorecard),
        said=clean(_said(scorecard), _LONG) if families else "",
    )


def breakdown_of(scorecard: Scorecard) -> tuple[BreakdownTable, ...]:
    """A table for each dimension with a trial anywhere; a rate without a trial there is `not measured`."""
    return tuple(_tables(scorecard))


def _tables(scorecard: Scorecard) -> Iterator[BreakdownTable]:
    for dimension, values in scorecard.breakdown.items():
        rows = tuple(
            BreakdownRow(clean(value, _SHORT), CODES.get(value, ""), tuple(_cell(rates.get(one)) for one in _SHOWN))
            for value, rates in values.items()
        )
        if any(share for row in rows for share, _, _ in row.rates):
            heads = tuple(plain(one).capitalize() for one in _SHOWN)
            yield BreakdownTable(DIMENSIONS.get(dimension, clean(dimension, _SHORT)), heads, rows)


def _cell(rate: Rate | None) -> tuple[str, str, str]:
    return ("", "", "not measured") if rate is None else (share_of(rate), value_of(rate), bounds_of(rate))


def _family(family: FamilyScore) -> FamilyRow:
    return FamilyRow(
        title=FAMILIES.get(family.family, clean(family.family, _SHORT)),
        weight=f"{family.weight:.0%}",
        value="not measured" if family.value is None else f"{family.value:.3f}",
        components=tuple(
            ComponentRow(
                name=plain(one.name),
                says=COMPONENTS.get(one.name, ""),
                share="" if one.value is None else f"{one.numerator:.4g} of {one.denominator:.4g}",
                value="not measured" if one.value is None else f"{one.value:.3f}",
                weight=f"{one.weight:g}" if one.weight else "only reported",
            )
            for one in family.components
        ),
    )


def _said(scorecard: Scorecard) -> str:
    """The level, and the first of what holds it back: for somebody who reads no further."""
    level = scorecard.recommended_authority_level
    if level is None:
        said, joint = "No authority level is recommended", ": "
    else:
        said, joint = f"{level_words(level)} is the recommended authority level", "; held back "
    if not scorecard.held_back_by:
        return f"{said}."
    first, *more = scorecard.held_back_by
    others = f" ({len(more)} more below)" if more else ""
    return f"{said}{joint}{first}{others}."


def _profile(scorecard: Scorecard) -> str:
    profile = scorecard.profile
    if profile is None:
        return ""
    return clean(f"{profile.name} {profile.version}, SHA-256 {(scorecard.profile_sha256 or '')[:16]}", _SHORT)
