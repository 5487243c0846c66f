"""The search rule of search_siem_events."""

from __future__ import annotations

import pytest

from tests.factories import make_event, make_fixture, make_world


def _found(query: str, fixture=None) -> list[str]:
    result = make_world(fixture).read("search_siem_events", {"query": query}).result
    return [event["event_id"] for event in result["events"]]


@pytest.mark.parametrize(
    "query",
    [
        "failed logons today",
        "*",
        "index=main | stats count by user",
        "john.doe",
        "event.id:4625 AND status:failure",
        "build 10.0.19045",
    ],
)
def test_a_query_without_an_entity_gives_the_incidents_events(query):
    """
    Words, wild cards, query language and names nobody knows select the incident, and no other incident's events.
    """
    assert _found(query) == ["ev-01", "ev-02", "ev-03"]


@pytest.mark.parametrize(
    ("query", "events"),
    [
        ("maria.ortega", ["ev-01", "ev-02"]),
        ("user:NORTHLAKE\\\\maria.ortega", ["ev-01", "ev-02"]),
        ('where UserPrincipalName == "Maria.Ortega@example.com"', ["ev-01", "ev-02"]),
        ("u-4f21", ["ev-01", "ev-02"]),
        ("host.name:(NL-WS-0142)", ["ev-03"]),
        ("NL-WS-0142.", ["ev-03"]),
        ("192.0.2.42", ["ev-03"]),
        ("203.0.113.40", ["ev-02"]),
        ("src_ip=203[.]0[.]113[.]40", ["ev-02"]),
        ("::ffff:203.0.113.40", ["ev-02"]),
        ("203.0.113.0/24", ["ev-02"]),
        ("login.example.org", ["ev-01"]),
        ("LOGIN[.]example[.]org", ["ev-01"]),
        ("https://login.example.org/common/auth?id=7", ["ev-01"]),
        ("hxxps://login.example.org/other", ["ev-01"]),
        ("NL-WS-0142 203.0.113.40", ["ev-02", "ev-03"]),
        ("ben.cho", ["ev-90"]),
        ("ben.cho or maria.ortega", ["ev-90", "ev-01", "ev-02"]),
        ("198.51.100.9", []),
        ("someone@example.net", []),
        ("ab" * 32, []),
    ],
)
def test_entities_select_the_events_that_hold_one_of_them(query, events):
    """
    Users, hosts and indicators in any spelling select events of every incident, newest last; unknown ones none.
    """
    assert _found(query) == events


def test_entities_inside_free_text_of_an_event_count():
    """
    An event whose note names a user is found by that user.
    """
    fixture = make_fixture(
        events=(make_event("ev-01", "2026-03-10T08:00:00Z", note="Call of BEN.CHO, see 203[.]0[.]113[.]9."),),
        channels={},
    )

    assert _found("ben.cho", fixture) == ["ev-01"]
    assert _found("203.0.113.9", fixture) == ["ev-01"]


def test_at_most_fifty_events_come_the_newest_ones_newest_last():
    """
    Of sixty events the last fifty by time are returned, and total counts all.
    """
    times = [f"2026-03-10T08:{minute:02d}:00Z" for minute in range(60)]
    events = tuple(make_event(f"ev-{minute:02d}", time) for minute, time in enumerate(times))
    world = make_world(make_fixture(events=events[::-1], channels={}))

    found = world.read("search_siem_events", {"query": "everything"})

    assert [f"ev-{minute:02d}" for minute in range(10, 60)] == [event["event_id"] for event in found.result["events"]]
    assert (found.result["total"], found.result["returned"]) == (60, 50)
    assert (found.records_requested, found.records_returned) == (50, 50)


def test_events_without_times_keep_their_order():
    """
    Where an event has no time, the order of the file stands.
    """
    first = make_event("ev-b", "2026-03-10T09:00:00Z")
    second = first.model_copy(update={"event_id": "ev-a", "record": {"event_id": "ev-a"}})

    assert _found("all of it", make_fixture(events=(first, second), channels={})) == ["ev-b", "ev-a"]
