"""Differences of snapshots."""

from __future__ import annotations

from soclab.simulator.diff import diff
from tests.factories import make_world


def test_equal_states_differ_in_nothing():
    """
    Nothing done, nothing to say.
    """
    assert diff(make_world().snapshot(), make_world().snapshot()) == ()


def test_facts_are_sorted_by_place_and_leave_the_log_out():
    """
    Each difference is one fact; what was run is no difference.
    """
    world = make_world()
    before = world.snapshot()
    world.act("isolate_endpoint", {"endpoint_id": "NL-WS-0142"})
    world.act("block_indicator", {"indicator": "203.0.113.40"})

    assert diff(before, world.snapshot()) == (
        'blocked: + "203.0.113.40"',
        "endpoints.NL-WS-0142.isolated: false -> true",
    )


def test_removed_and_repeated_entries_are_told():
    """
    Lists are compared entry by entry.
    """
    assert diff({"notes": ["a", "b"]}, {"notes": ["b", "b", "c"]}) == (
        'notes: - "a"',
        'notes: + "c"',
    )
    assert diff({"notes": ["a"]}, {"notes": ["a", "a"]}) == ('notes: + "a"',)


def test_hostile_text_is_inert_and_cut():
    """
    A fact about a long hostile note is short and holds no control character.
    """
    (fact,) = diff({"notes": []}, {"notes": ["\x1b]0;title\x07" + "x" * 5000]})

    assert "\x1b" not in fact
    assert len(fact) < 250
