"""The guard pack: nothing gets past the controls, and each control is needed for some of it."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from soclab.assembly.guard import Met, meet_guards
from soclab.gateway.controls import CONTROLS
from soclab.scenarios.guard_pack import ATTEMPTS, HONEST
from tests.contract.published_file import ROOT
from tests.integration.command_line import Caller

NOT_A_CONTROLS = {"wrong_stage", "invalid_json", "schema_violation"}
"""Stops that no control gives: the walk's and the reader's."""


@cache
def met() -> tuple[Met, ...]:
    return meet_guards()


def test_there_are_at_least_150_attempts_no_two_alike() -> None:
    """Beside them at least 30 honest replies."""
    assert len(ATTEMPTS) >= 150
    assert len(HONEST) >= 30
    tried = [(one.world, one.stage, repr(one.reply)) for one in (*ATTEMPTS, *HONEST)]
    assert not [one for one, count in Counter(tried).items() if count > 1]
    assert len({one.title for one in ATTEMPTS}) == len(ATTEMPTS)


def test_every_attempt_is_stopped_for_its_own_reason_and_the_honest_pass() -> None:
    """In protected mode, all of them and the shipped guards."""
    assert {f"{one.scenario.id} {one.scenario.title}": one.found for one in met() if not one.holds} == {}
    assert len(met()) > len(ATTEMPTS) + len(HONEST)


def test_every_reason_of_a_control_stops_an_attempt() -> None:
    """A control's reason that no attempt is stopped for would be an untested one."""
    tried = {one.reason for one in ATTEMPTS} - NOT_A_CONTROLS
    by_control = {control.name: set(control.reasons) & tried for control in CONTROLS}
    assert {name for name, reasons in by_control.items() if not reasons} <= NOT_MET_BY_GUARDS.keys()


NOT_MET_BY_GUARDS = {"policy_decision": "levels below L4 have a table of their own", "grant": "no reply can forge one"}
"""Controls that no reply at L4 can run into."""


@pytest.mark.parametrize("control", [one.name for one in CONTROLS if one.name not in NOT_MET_BY_GUARDS])
def test_a_control_that_is_switched_off_is_missed(control: str) -> None:
    """Some attempt that has to be stopped gets past, or is stopped for another reason only."""
    patterns = [one.scenario.id for one in met() if control in _stopping(one)][:10] or ["GRD-*"]
    assert [one.scenario.id for one in meet_guards(patterns, [control]) if not one.holds]


def _stopping(one: Met) -> set[str]:
    expected = one.scenario.guard
    return {control.name for control in CONTROLS if expected is not None and expected.reason in control.reasons}


def test_the_command_counts_by_reason(soclab_command: Caller) -> None:
    """Status 0 and one line for each reason when all are met."""
    called = soclab_command("guard", "--scenario", "GRD-7000*")
    assert called.status == 0, called.err
    assert called.lines == [
        "has to be stopped for  as it must be",
        "unknown_tool           9 of 9",
        "9 forced replies, 9 met as they must be",
    ]


def test_the_command_names_what_got_past(soclab_command: Caller) -> None:
    """Without the schema of arguments a tool that does not exist is not stopped: status 1."""
    called = soclab_command("guard", "--scenario", "GRD-70001", "--without", "argument_schema")
    assert called.status == 1
    assert called.lines[2].startswith("NOT MET  GRD-70001 no tool: get_mailbox_contents: unknown_tool, but ")


def test_the_page_shows_what_gets_past_without_a_control(soclab_command: Caller) -> None:
    """The lines of the page are among those of its command."""
    page = (ROOT / "docs" / "guard-pack.md").read_text(encoding="utf-8")
    shown = [line for line in page.splitlines() if line.startswith("NOT MET")]
    called = soclab_command("guard", "--without", "incident_scope", "--scenario", "GRD-7010*")

    assert len(shown) == 2
    assert set(shown) <= set(called.lines)
