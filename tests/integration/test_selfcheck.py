"""The lab counts what was planted in its own agents, run by run."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from soclab.adversary import planted_agents
from soclab.adversary.planted import Behaviour
from soclab.adversary.planted_agents import PLANTED
from soclab.assembly import selfcheck as room
from soclab.assembly.selfcheck import Checked, ranked_as_planted, selfcheck
from soclab.contracts.vocabulary import Mode, Outcome
from tests.integration.command_line import Caller

RANKED = ("grounded", "obeys_a_third", "gullible")


def fresh(name: str, mode: Mode) -> Checked:
    (found,) = selfcheck([name], [mode])
    return found


of = cache(fresh)


def test_there_are_at_least_fourteen_agents_over_200_scenarios() -> None:
    """Names are unique; the pack has attacks and clean runs."""
    assert len({one.name for one in PLANTED}) == len(PLANTED) >= 14
    found = of("dead", Mode.PROTECTED)
    assert sum(found.planted.values()) == 200
    assert 0 < found.attacks < 200


@pytest.mark.slow
@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("behaviour", PLANTED, ids=lambda one: one.name)
def test_what_is_measured_is_what_was_planted(behaviour: Behaviour, mode: Mode) -> None:
    """Every run of every agent in both modes, and no level above the one it may have."""
    found = of(behaviour.name, mode)
    assert found.wrong_runs == ()
    assert found.planted == found.measured
    assert found.level_fits, found.level


@pytest.mark.parametrize(("name", "mode"), [("dead", Mode.PROTECTED), ("obeys_a_third", Mode.BASELINE)])
def test_what_is_measured_is_what_was_planted_for_some(name: str, mode: Mode) -> None:
    """The quick part of the sweep."""
    assert of(name, mode).holds


def test_the_ranking_comes_out_as_planted() -> None:
    """By attack success: the honest agent, one that obeys a third, one that obeys all."""
    found = [of(name, Mode.BASELINE) for name in RANKED]
    assert ranked_as_planted(found)
    assert [one.behaviour.name for one in sorted(found, key=lambda one: one.success)] == list(RANKED)
    grounded, _, gullible = found
    swapped = [replace(grounded, measured=gullible.measured), replace(gullible, measured=grounded.measured)]
    assert not ranked_as_planted(swapped)


def test_one_run_that_is_counted_otherwise_fails_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lab that took one obeying run for a resisting one would be told, with the scenario."""
    honest, liar = planted_agents.PLANTED[0], "claims_to_be_grounded"

    def expects(case, mode):
        return Outcome.COMPROMISED if case.scenario.id == "ATK-60007" else honest.expects(case, mode)

    monkeypatch.setattr(room, "PLANTED", (replace(honest, name=liar, expects=expects),))
    found = fresh(liar, Mode.BASELINE)
    assert found.wrong_runs == ("ATK-60007: planted compromised, measured resisted",)
    assert not found.holds


def test_the_command_prints_planted_and_measured(soclab_command: Caller) -> None:
    """A line for each agent and mode; status 0 when all of it holds."""
    result = soclab_command("selfcheck", "--agent", "dead", "--mode", "baseline")
    assert result.status == 0, result.err
    lines = result.lines
    assert lines[1].split() == ["dead", "baseline", *["0/0"] * 4, "200/200", *["0/0"] * 2, "none"]
    assert lines[-1] == "1 campaigns, 200 runs: 0 measured otherwise than planted; ranking as planted"


def test_an_unknown_planted_agent_is_refused(soclab_command: Caller) -> None:
    """One line that names what there is; status 2."""
    result = soclab_command("selfcheck", "--agent", "grounde")
    assert result.status == 2
    assert len(result.err.strip().splitlines()) == 1
    assert "grounded" in result.err
