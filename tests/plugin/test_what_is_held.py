"""What a session holds of the campaign's items when they are over: pytest's own reports, and nothing beside them."""

from __future__ import annotations

from collections import Counter

import pytest

from soclab.contracts.outcome import Trial
from soclab.contracts.vocabulary import STAGES
from soclab.pytest_plugin.collection import Place
from soclab.pytest_plugin.told import ToldStages
from tests.plugin.lab import GULLIBLE, HONEST, Lab

COUNTS = """
    import gc

    def pytest_sessionfinish(session):
        gc.collect()
        names = [type(one).__name__ for one in gc.get_objects()]
        print(*(f"{name}={names.count(name)}" for name in ("StageOutcome", "Told", "Place")), end=" ")
        print("properties", sum(len(one.user_properties) for one in session.items))

    def pytest_terminal_summary(terminalreporter):
        kept = [one for group in ("passed", "failed") for one in terminalreporter.stats.get(group, [])]
        told = [pair for one in kept for pair in one.user_properties if pair[0] == "soclab_run_id"]
        print(f"reported {len(told)} run ids in {len({id(one) for one in told})} properties")
"""


def test_nothing_is_held_of_items_that_passed(lab: Lab) -> None:
    """The reports have their properties still, and what is equal in them is one object."""
    lab.pytester.makeconftest(COUNTS)
    result = lab.run(*HONEST, "soclab::ATK-001", "soclab::BEN-001")

    result.stdout.fnmatch_lines(["*StageOutcome=0 Told=0 Place=0 properties 0"])
    result.stdout.fnmatch_lines([f"reported {2 * len(STAGES)} run ids in 2 properties"])


def test_of_a_broken_run_its_first_broken_stage_is_held(lab: Lab) -> None:
    """The line of progress counts it; Python keeps the last exception, and with it the place where it was raised."""
    lab.pytester.makeconftest(COUNTS)
    result = lab.run(*GULLIBLE, "--soclab-mode", "baseline", "soclab::ATK-001")

    result.stdout.fnmatch_lines(["*StageOutcome=1 Told=0 Place=[01] properties 0"])


@pytest.mark.parametrize("later", [True, False])
def test_the_latest_word_about_a_stage_counts(later: bool) -> None:
    """A rerun tells the same stage again."""
    told, place = ToldStages(), Place(Trial("ATK-001", 2), STAGES[3])
    for was_reached in (not later, later):
        told.add(place, was_reached=was_reached)

    assert told.has_reached is later
    assert (len(told), place in told) == (1, True)


def test_every_stage_of_every_trial_is_one_of_its_own() -> None:
    """No stage stands for another."""
    places = [Place(Trial("ATK-001", number), stage) for number in (1, 2) for stage in STAGES]
    for one in places:
        told = ToldStages()
        told.add(one, was_reached=False)
        assert Counter(place in told for place in places) == {True: 1, False: len(places) - 1}
        assert not told.has_reached
