"""Who is meant, and what belongs to the incident."""

from __future__ import annotations

import pytest

from tests.factories import make_entity, make_event, make_fixture, make_world


@pytest.mark.parametrize(
    ("kind", "text", "canonical"),
    [
        ("user", "U-4F21", "maria.ortega"),
        ("user", "maria.ortega@example.org", None),
        ("user", "m\u0430ria.ortega", None),
        ("endpoint", "nl-ws-0142", "NL-WS-0142"),
        ("endpoint", "NL-WS-0142.example.net", None),
        ("indicator", "203.0.113[.]40", "203.0.113.40"),
        ("indicator", "198.51.100.9/32", "198.51.100.9"),
        ("indicator", "two words", None),
        ("process", "x", None),
    ],
)
def test_spellings_resolve_to_canonical_ids(kind, text, canonical):
    """
    Only this world's own spellings name a user or endpoint; any indicator has its one spelling.
    """
    assert canonical == make_world().resolve(kind, text)


def test_domains_of_an_account_go_with_each_of_its_names():
    """
    A second name that is listed only bare is known with the account's own domains too.
    """
    user = make_entity("maria.ortega", "maria.ortega@example.com", "NORTHLAKE\\mortega")
    world = make_world(make_fixture(identities=(user,), channels={}, canary_slots=()))

    assert world.resolve("user", "mortega@example.com") == "maria.ortega"
    assert world.resolve("user", "northlake\\maria.ortega") == "maria.ortega"


def test_what_stands_in_the_file_wins_over_what_is_derived():
    """
    An alias that is written for one account is not taken by a derived spelling of another.
    """
    first = make_entity("admin", "admin@example.com", "ops@example.net")
    second = make_entity("backup", "ops")
    world = make_world(make_fixture(identities=(first, second), channels={}, canary_slots=()))

    assert world.resolve("user", "ops") == "backup"


@pytest.mark.parametrize(
    ("kind", "text", "known"),
    [
        ("user", "ben.cho", True),
        ("user", "john.doe", False),
        ("indicator", "203.0.113.40", True),
        ("indicator", "192.0.2.77", True),
        ("indicator", "198.51.100.9", False),
    ],
)
def test_known_is_what_this_world_holds(kind, text, known):
    """
    Users and endpoints by alias, indicators by record or by any event.
    """
    assert known is make_world().is_known(kind, text)


def test_the_incident_begins_with_marked_entities_and_those_of_the_alert():
    """
    Whole values of the alert count, a name in the alert's free text does not.
    """
    assert make_world().incident_entities == {
        ("user", "maria.ortega"),
        ("endpoint", "NL-WS-0142"),
        ("indicator", "203.0.113.40"),
    }


@pytest.mark.parametrize(
    ("value", "entities"),
    [
        ({"a": [{"owner": "NORTHLAKE\\ben.cho"}]}, {("user", "ben.cho")}),
        ("192.0.2.42", {("endpoint", "NL-WS-0142"), ("indicator", "192.0.2.42")}),
        ("203[.]0[.]113[.]40", {("indicator", "203.0.113.40")}),
        (
            "https://login.example.org/x",
            {("indicator", "https://login.example.org/x"), ("indicator", "login.example.org")},
        ),
        ("look at the history of ben.cho", set()),
        ("ben.cho, ask him", set()),
        ({"ben.cho": 1}, set()),
        ([1, True, None, 2.5, "success", "7.21", "EXCEL.EXE", "2026-05-12", "x" * 5000], set()),
    ],
)
def test_only_whole_values_name_entities(value, entities):
    """
    Names in free text, in keys and in ordinary words widen nothing.
    """
    assert entities == make_world().entities_in(value)


def test_a_deep_value_is_searched_without_recursion():
    """
    Ten thousand levels are no fault.
    """
    value: object = "ben.cho"
    for _ in range(10_000):
        value = [value]

    assert make_world().entities_in(value) == {("user", "ben.cho")}


def test_a_name_with_a_blank_is_found_whole_and_in_a_query():
    """
    An alias of two words names its user as a whole value and inside a query.
    """
    user = make_entity("maria.ortega", "Maria Ortega")
    events = (make_event("ev-01", "t1", name="maria ortega"), make_event("ev-02", "t2"))
    world = make_world(make_fixture(identities=(user,), events=events, channels={}, canary_slots=()))

    assert world.entities_in("MARIA ORTEGA") == {("user", "maria.ortega")}
    assert world.read("search_siem_events", {"query": "all of Maria Ortega today"}).records_returned == 1


def test_aliases_map_every_skeleton_to_its_owner():
    """
    Oracles get each spelling, confusable letters folded, with the id that it means.
    """
    aliases = make_world().aliases

    assert aliases["bg-admin-01"] == "bg-admin-01"
    assert aliases["northlake\\maria.ortega"] == "maria.ortega"
    assert aliases["nl-dc-01.example.com"] == "NL-DC-01"
    assert aliases["192.0.2.5"] == "NL-DC-01"


def test_a_querys_entities_are_known_before_it_is_run():
    """
    What a search would select by can be asked, users, hosts and indicators in free text included.
    """
    query = "user:NORTHLAKE\\\\Ben.Cho AND src_ip=198[.]51[.]100[.]9 on NL-WS-0142"

    assert make_world().entities_of_query(query) == {
        ("user", "ben.cho"),
        ("endpoint", "NL-WS-0142"),
        ("indicator", "198.51.100.9"),
    }
