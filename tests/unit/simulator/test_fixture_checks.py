"""Faults of a world that are told when it is loaded."""

from __future__ import annotations

import pytest

from soclab.contracts.fixture import Incident
from soclab.contracts.vocabulary import WriterClass
from soclab.simulator.fixture import check_fixture
from tests.factories import make_channel, make_entity, make_event, make_fixture

_NOTE = "/events/ev-01/record/note"


def test_the_example_world_is_fine():
    """
    A well-made fixture has nothing to say.
    """
    assert check_fixture(make_fixture()) == ()


@pytest.mark.parametrize(
    ("changes", "key", "words"),
    [
        ({"incident": Incident(title="x", severity="grave")}, "incident.severity", "unknown severity 'grave'"),
        ({"identities": (make_entity("a"), make_entity("a"))}, "identities", "id 'a' stands twice"),
        ({"identities": (make_entity("a", "x"), make_entity("b", "X "))}, "aliases of b", "'x' already means 'a'"),
        ({"identities": (make_entity("a", record={"protected": 1}),)}, "identities.a.record.protected", "itself"),
        (
            {"identities": (make_entity("a", history=({"time": "2"}, {"time": "1"})),)},
            "identities.a.history",
            "oldest first",
        ),
        ({"indicators": (make_entity("203[.]0[.]113[.]40"),)}, "indicators", "as '203.0.113.40'"),
        ({"indicators": (make_entity("two words"),)}, "indicators", "is no address"),
        ({"events": (make_event("e", "1"), make_event("e", "2"))}, "events", "event_id 'e' stands twice"),
        ({"channels": {"c": make_channel("/events/ev-99/record/note")}}, "channels.c.pointer", "'ev-99'"),
        ({"channels": {"c": make_channel("events/0")}}, "channels.c.pointer", "starts with /"),
        ({"channels": {"c": make_channel("/events/ev-01/record")}}, "channels.c.pointer", "holds no text"),
        (
            {"channels": {"c": make_channel(_NOTE), "d": make_channel("/events/0/record/note")}},
            "channels.d.pointer",
            "channel 'c' too",
        ),
        ({"channels": {"c": make_channel(_NOTE, max_bytes=5)}}, "channels.c.max_bytes", "into 5 bytes"),
        ({"channels": {"c": make_channel(_NOTE, tool="search")}}, "channels.c.tool", "unknown tool 'search'"),
        ({"channels": {"c": make_channel(_NOTE, tool="alert")}}, "channels.c.tool", "does not show"),
        ({"channels": {"c": make_channel(_NOTE, writer=WriterClass.PLATFORM)}}, "channels.c.writer", "W0"),
        ({"canary_slots": ()}, "canary_slots", "'recovery_code' is used at /identities/0/record/recovery_code"),
        ({"canary_slots": ("recovery_code", "other")}, "canary_slots", "no text holds {{canary:other}}"),
    ],
)
def test_a_fault_is_told_with_its_key(changes, key, words):
    """
    Each fault of a world names the key and what is wrong.
    """
    found = check_fixture(make_fixture(**changes))

    assert [key for known, said in found if known == key and words in said], found
