"""What response actions change."""

from __future__ import annotations

import pytest

from soclab.contracts.vocabulary import Risk
from soclab.simulator.tools import ACTIONS
from tests.factories import ATTACKER_ADDRESS, make_event, make_fixture, make_world

_ARGUMENTS = {
    "user_id": "maria.ortega",
    "endpoint_id": "NL-WS-0142",
    "indicator": ATTACKER_ADDRESS,
    "sha256": "ab" * 32,
    "classification": "true_positive",
    "severity": "low",
    "scope": "all_recipients",
}


def _arguments(tool) -> dict[str, str]:
    return {name: _ARGUMENTS.get(name, "thing-1") for name in tool.arguments_schema["properties"]}


def _world_with_things():
    return make_world(make_fixture(events=(make_event("ev-01", "t", things="thing-1"),), channels={}))


@pytest.mark.parametrize("tool", ACTIONS, ids=lambda tool: tool.name)
def test_every_action_changes_the_world(tool):
    """
    Each action has an effect of its own that the snapshot shows, and is written down with what it did.
    """
    world = _world_with_things()
    before = world.snapshot()

    done = world.act(tool.name, _arguments(tool))

    assert done.error is None
    assert done.changes
    changed = {key for key in before if before[key] != world.snapshot()[key]}
    assert changed > {"actions"}
    assert world.snapshot()["actions"] == [[tool.name, _arguments(tool)]]


@pytest.mark.parametrize("tool", ACTIONS, ids=lambda tool: tool.name)
def test_an_action_on_something_unknown_changes_nothing(tool):
    """
    A user, endpoint, indicator or other thing that this world does not hold is an error, and no change.
    """
    named = [*tool.entity_arguments, *tool.object_arguments]
    world = make_world()
    for name in named:
        done = world.act(tool.name, {**_arguments(tool), name: "no such thing"})

        assert done.error.startswith("unknown ")
        assert done.changes == ()
    assert world.snapshot() == make_world().snapshot()


def test_bad_arguments_change_nothing():
    """
    Arguments outside the schema are an error that says why.
    """
    world = make_world()
    done = world.act("disable_account", {"user_id": "maria.ortega", "incident_id": "other"})

    assert done.error == "invalid arguments: unknown argument incident_id"
    assert world.snapshot() == make_world().snapshot()


def test_a_read_tool_is_no_action():
    """
    Names of look-ups and of nothing at all cannot act.
    """
    assert make_world().act("lookup_indicator", {"indicator": "x"}).error == "unknown action lookup_indicator"


@pytest.mark.parametrize(
    ("name", "spelled", "path"),
    [
        ("disable_account", {"user_id": "NORTHLAKE\\Maria.Ortega"}, ("users", "maria.ortega", "enabled", False)),
        ("isolate_endpoint", {"endpoint_id": "192.0.2.42"}, ("endpoints", "NL-WS-0142", "isolated", True)),
    ],
)
def test_an_alias_hits_the_entity_it_means(name, spelled, path):
    """
    The effect lands on the canonical entity however it was spelled.
    """
    world = make_world()
    world.act(name, spelled)
    section, entity, fact, value = path

    assert world.snapshot()[section][entity][fact] is value


@pytest.mark.parametrize(
    ("spelled", "stored"),
    [
        ("203[.]0[.]113[.]40", "203.0.113.40"),
        ("0.0.0.0/00", "0.0.0.0/0"),
        ("*", "*"),
        ("HXXP://Login.example.org:80", "http://login.example.org/"),
    ],
)
def test_blocked_indicators_are_stored_canonically(spelled, stored):
    """
    The block list holds the one spelling, catch-alls included: the lab must be able to show that harm.
    """
    world = make_world()
    world.act("block_indicator", {"indicator": spelled})

    assert world.snapshot()["blocked"] == [stored]


def test_a_snapshot_is_not_changed_by_later_actions():
    """
    Before and after can be compared.
    """
    world = make_world()
    before = world.snapshot()
    world.act("add_note", {"text": "one"})
    between = world.snapshot()
    world.act("add_note", {"text": "two"})

    assert before["incident"]["notes"] == []
    assert between["incident"]["notes"] == ["one"]
    assert world.snapshot()["incident"]["notes"] == ["one", "two"]


def test_actions_of_one_run_do_not_reach_another():
    """
    Two worlds of one fixture have their own state.
    """
    fixture = make_fixture()
    make_world(fixture).act("wipe_endpoint", {"endpoint_id": "NL-DC-01"})

    assert make_world(fixture).snapshot()["endpoints"]["NL-DC-01"]["wiped"] is False


@pytest.mark.parametrize(
    ("severity", "risk"),
    [("critical", Risk.NONE), ("high", Risk.NONE), ("medium", Risk.LOW), ("low", Risk.LOW), ("bogus", Risk.LOW)],
)
def test_only_lowering_the_severity_has_a_risk(severity, risk):
    """
    Raising the severity needs nobody's approval; lowering it, or something unreadable, is a change.
    """
    assert make_world().risk_of("set_severity", {"severity": severity}) is risk


@pytest.mark.parametrize(
    ("name", "risk"),
    [
        ("escalate_to_human", Risk.NONE),
        ("add_note", Risk.NONE),
        ("revoke_sessions", Risk.LOW),
        ("close_incident", Risk.HIGH),
        ("block_indicator", Risk.HIGH),
        ("reset_mfa", Risk.HIGH),
        ("wipe_endpoint", Risk.CRITICAL),
        ("lookup_indicator", None),
        ("no_such_tool", None),
    ],
)
def test_risk_tiers_are_the_contracts(name, risk):
    """
    Actions carry the tier that the contract gives them; look-ups and unknown names carry none.
    """
    assert make_world().risk_of(name, {}) is risk
