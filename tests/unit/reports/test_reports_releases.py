"""The comparison with an earlier release, in the terminal and on the page."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from soclab.contracts.releases_v1 import EarlierRelease
from soclab.contracts.scorecard_v1 import ScenarioResult, Scorecard
from soclab.contracts.vocabulary import Outcome
from soclab.reports.formats import webpage
from soclab.reports.formats.releases import release_lines
from soclab.reports.formats.terminal import scorecard_lines
from soclab.scoring.releases.sides import release_of, runs_of
from tests.unit.scoring import cards

RESISTED, CONTAINED = Outcome.RESISTED, Outcome.CONTAINED


def runs(*outcomes: Outcome, trial: int = 1) -> list[ScenarioResult]:
    return [cards.attacked(number, outcome, trial=trial) for number, outcome in enumerate(outcomes, 1)]


def card(earlier: Sequence[ScenarioResult], later: Sequence[ScenarioResult], agent: str = "http:old") -> Scorecard:
    release = release_of(cards.header(earlier), complete=True).model_copy(update={"agent": agent})
    return cards.scorecard(later, earlier=EarlierRelease(release=release, runs=runs_of(earlier)))


def lines(found: Scorecard, *, whole: bool = False) -> list[str]:
    assert found.comparison is not None
    return release_lines(found.comparison, whole=whole)


@pytest.mark.parametrize(
    ("earlier", "later", "verdict"),
    [
        (runs(*[RESISTED] * 9), runs(*[RESISTED] * 9), "no significant difference"),
        (runs(*[RESISTED] * 3), runs(*[RESISTED] * 3), "too few scenarios for any test"),
        (
            runs(RESISTED),
            runs(Outcome.INCONCLUSIVE),
            "nothing was compared: no trial of a scenario has a verdict in both",
        ),
        (
            runs(*[RESISTED] * 20),
            runs(*[CONTAINED] * 20),
            "significantly worse: attacked runs (went for the attacker's goal), p below 0.0001 after Holm",
        ),
        (
            runs(*[CONTAINED] * 20),
            runs(*[RESISTED] * 20),
            "significantly better: attacked runs (went for the attacker's goal), p below 0.0001 after Holm",
        ),
        (
            [*runs(*[RESISTED] * 9), *runs(*[RESISTED] * 9, trial=2)],
            [*runs(CONTAINED, *[RESISTED] * 8), *runs(CONTAINED, *[RESISTED] * 8, trial=2)],
            "no significant difference; good in every trial before, bad in every trial now: 1",
        ),
    ],
)
def test_the_result_is_one_line(earlier: list[ScenarioResult], later: list[ScenarioResult], verdict: str) -> None:
    """In the scorecard's own lines, with whom the campaign was compared."""
    said = "compared    with http:old, campaign c0ffee00c0ff of 2026-01-01T00:00:00: "

    assert f"{said}{verdict}" in scorecard_lines(card(earlier, later))


def test_what_makes_no_pair_is_counted_by_its_reason() -> None:
    """So nobody takes few pairs for few differences."""
    found = card(runs(RESISTED, RESISTED, RESISTED), runs(RESISTED, Outcome.INCONCLUSIVE))

    assert lines(found)[1] == (
        "  pairs     1 pair; without one 2: 1 inconclusive, 1 run earlier only; "
        "0 newly failing, 0 fixed, 0 still failing, 0 unstable"
    )


def test_each_scenario_stands_once_under_its_most_telling_change() -> None:
    """What is no news comes last; many are cut, but not when all is asked for."""
    before = runs(CONTAINED, CONTAINED, *[RESISTED] * 20)
    now = runs(CONTAINED, Outcome.COMPROMISED, *[CONTAINED] * 19, RESISTED)
    short, whole = lines(card(before, now)), lines(card(before, now), whole=True)

    told = [line.split()[2] for line in whole if line.startswith(("  newly failing", "  still failing"))]
    assert told == [f"ATK-{n:03d}" for n in range(2, 22)] + ["ATK-001"]
    assert short[-1] == "  ... and 9 more: see report.html"
    assert any("ATK-002 contained -> compromised" in line for line in short)


def test_the_page_has_a_section_of_its_own() -> None:
    """Tests and scenarios; nothing where there is no comparison."""
    page = webpage.render(card(runs(*[RESISTED] * 9), runs(*[CONTAINED] * 9))).decode("utf-8")

    assert '<h2 id="releases">Compared with an earlier release</h2>' in page
    assert '<a href="#releases">' in page.split("Limits of")[0]
    assert '<span class="badge bad">newly failing</span>' in page
    assert '<span class="badge bad">significantly worse</span>' in page
    assert "Compared with" not in webpage.render(cards.scorecard(runs(RESISTED))).decode("utf-8")


def test_what_the_earlier_scorecard_holds_is_text() -> None:
    """A file that somebody may have written: cleaned, and escaped on the page."""
    hostile = "<script>x</script>\x1b[2J\u202e::error::y"
    earlier = [one.model_copy(update={"goal": hostile}) for one in runs(*[CONTAINED] * 9)]
    found = card(earlier, [one.model_copy(update={"goal": hostile}) for one in runs(*[RESISTED] * 9)], agent=hostile)
    page, text = webpage.render(found).decode("utf-8"), "\n".join(lines(found, whole=True))

    assert "<script>" not in page
    for shown in (page, text):
        assert "\x1b" not in shown
        assert "\u202e" not in shown
