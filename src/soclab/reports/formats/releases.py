"""Two releases of an agent as plain lines for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from soclab.contracts.releases_v1 import Change, FamilyTest, Measure, ReleaseComparison
from soclab.redaction import clean
from soclab.reports.releases import change_rows, detectable_words, family_rows, paired_words, side_words, verdict_words
from soclab.reports.words import plain

__all__ = ["release_lines"]

_SHOWN = 12
_LINE_LIMIT = 500


def release_lines(found: ReleaseComparison, *, whole: bool = False) -> list[str]:
    """
    The result in a line, what changed, what could have been noticed.

    Args:
        whole: every test and every scenario, not only tests that differ and the first scenarios.
    """
    lines = [
        *_head(found, whole=whole),
        f"  pairs     {paired_words(found)}; {_changes(found)}",
        f"  notices   {detectable_words(_wholes(found))}",
        *_tests(found, whole=whole),
        *_scenarios(found, whole=whole),
    ]
    return [clean(line, _LINE_LIMIT) for line in lines]


def _head(found: ReleaseComparison, *, whole: bool) -> Iterator[str]:
    """Where the later campaign has not been told of already, both of them."""
    if not whole:
        yield f"compared    with {side_words(found.earlier)}: {verdict_words(found)}"
        return
    yield f"earlier     {side_words(found.earlier)}"
    yield f"later       {side_words(found.later)}"
    yield f"result      {verdict_words(found)}"


def _wholes(found: ReleaseComparison) -> Iterator[FamilyTest]:
    """All attacked runs by what the agent did, and clean runs."""
    for one in found.tests:
        if (one.family, one.measure) in (("attacked", Measure.ATTEMPTED), ("clean", Measure.WRONG)):
            yield one


def _changes(found: ReleaseComparison) -> str:
    counts = Counter(row.change for row in change_rows(found))
    return ", ".join(f"{counts[change]} {plain(change.value)}" for change in Change)


def _tests(found: ReleaseComparison, *, whole: bool) -> Iterator[str]:
    for row in family_rows(found):
        if row.is_tested and (whole or row.tone != "open"):
            yield (
                f"  test      {row.family} ({row.bad}): {row.worse} worse, {row.better} better of {row.scenarios} "
                f"scenarios, p {row.p_exact} (mid-p {row.p_mid}), after Holm {row.p_holm}: {row.result}"
            )
    small = dict.fromkeys(f"{row.name} ({row.scenarios})" for row in family_rows(found) if not row.is_tested)
    if small and whole:
        yield f"  not tested, too few scenarios: {', '.join(small)}"


def _scenarios(found: ReleaseComparison, *, whole: bool) -> Iterator[str]:
    rows = change_rows(found)
    for row in rows if whole else rows[:_SHOWN]:
        yield f"  {plain(row.change.value):<14}{row.id} {row.was} -> {row.now} ({row.family})"
    if not whole and len(rows) > _SHOWN:
        yield f"  ... and {len(rows) - _SHOWN} more: see report.html"
