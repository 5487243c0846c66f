"""The comparison with an earlier release, as the page shows it."""

from __future__ import annotations

from dataclasses import dataclass

from soclab.contracts.releases_v1 import Change, Measure, ReleaseComparison
from soclab.reports.releases import (
    FamilyRow,
    change_rows,
    detectable_words,
    family_rows,
    paired_words,
    side_words,
    verdict_words,
)
from soclab.reports.words import plain

__all__ = ["ReleasesView", "releases_view"]

_TONES = {Change.NEWLY_FAILING: "bad", Change.FIXED: "good", Change.STILL_FAILING: "bad", Change.UNSTABLE: "warn"}
_WHOLE = (("attacked", Measure.ATTEMPTED), ("clean", Measure.WRONG))


@dataclass(frozen=True)
class ChangedRow:
    id: str
    change: str
    tone: str
    was: str
    now: str
    family: str


@dataclass(frozen=True)
class ReleasesView:
    """Clean texts."""

    verdict: str
    earlier: str
    later: str
    paired: str
    detectable: str
    level: str
    tests: tuple[FamilyRow, ...]
    changes: tuple[ChangedRow, ...]


def releases_view(found: ReleaseComparison | None) -> ReleasesView | None:
    if found is None:
        return None
    whole = [one for one in found.tests if (one.family, one.measure) in _WHOLE]
    return ReleasesView(
        verdict=_sentence(verdict_words(found)),
        earlier=side_words(found.earlier),
        later=side_words(found.later),
        paired=_sentence(paired_words(found)),
        detectable=_sentence(detectable_words(whole)),
        level=f"{found.level:g}",
        tests=family_rows(found),
        changes=tuple(
            ChangedRow(row.id, plain(row.change.value), _TONES[row.change], row.was, row.now, row.family)
            for row in change_rows(found)
        ),
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
