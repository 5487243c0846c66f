"""What a look-up is about and what it costs, as the gate sees it before the world does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soclab.contracts.strict import JsonObject
from soclab.gateway.spending import records_wanted
from soclab.gateway.targets import searched
from soclab.simulator.catalog import ACTIONS, READ_TOOLS, tool_named
from soclab.simulator.events import entities_of_text
from soclab.simulator.names import Names
from tests.unit.gateway.incident import FIXTURE, call, fresh_world

WORLD = fresh_world()
NAMES = Names(FIXTURE)
SEARCH = tool_named("search_siem_events")

ARGUMENTS: dict[str, JsonObject] = {
    "search_siem_events": {"query": "maria.ortega"},
    "get_identity_profile": {"user_id": "maria.ortega"},
    "get_authentication_history": {"user_id": "maria.ortega"},
    "get_endpoint_status": {"endpoint_id": "NL-WS-0142"},
    "lookup_indicator": {"indicator": "203.0.113.40"},
}


@pytest.mark.parametrize("name", [spec.name for spec in READ_TOOLS])
def test_records_are_counted_as_the_world_counts_them(name: str) -> None:
    """
    What a look-up is expected to ask for is what the world then says was asked for.
    """
    assert WORLD.read(name, ARGUMENTS[name]).records_requested == records_wanted(tool_named(name), ARGUMENTS[name])


@pytest.mark.parametrize(
    ("limit", "wanted"), [(7, 7), (7.0, 7), (10**30, 10**30), (-1, 0), (1.5, 1), (True, 1), ("9", 1)]
)
def test_a_limit_is_what_is_wanted(limit: object, wanted: int) -> None:
    """
    A whole number is taken as it is; what is none asks for one record.
    """
    arguments: JsonObject = {"user_id": "maria.ortega", "limit": limit}  # type: ignore[dict-item]

    assert wanted == records_wanted(tool_named("get_authentication_history"), arguments)


@pytest.mark.parametrize("name", [ACTIONS[0].name, "get_mailbox"])
def test_only_look_ups_want_records(name: str) -> None:
    """
    Actions and unknown tools ask for none.
    """
    assert records_wanted(tool_named(name), {"limit": 5}) == 0


WORDS = st.sampled_from(
    [
        "maria.ortega",
        "BEN.CHO",
        "NORTHLAKE\\bg-admin-01",
        "ben.cho@example.com",
        "ben[.]cho",
        "updater.py",
        "Ben Cho",
        "Maria  Ortega",
        "NL-WS-0200",
        "nl-dc-01.example.com",
        "198.51.100.7",
        "198[.]51[.]100[.]7",
        "2001:db8::10",
        "203.0.113.0/24",
        "http://login.example.net/s",
        "other.example.org",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "events",
        "of",
        "user",
        "ip",
    ]
)
MARKS = st.sampled_from(
    [" ", ":", "=", '"', "'", "(", ")", ",", " AND ", " OR ", "|", ".", "!", "\n", "*", "[", "]", "\u00a0"]
)


@given(st.lists(st.tuples(MARKS, WORDS, MARKS).map("".join), max_size=4).map("".join))
def test_a_search_is_read_as_the_search_reads_it(query: str) -> None:
    """
    Every entity for which the simulated SIEM selects events is one that the gate has looked at.
    """
    seen = {
        (target.kind, WORLD.resolve(target.kind, target.text))
        for target in searched(call("search_siem_events", query=query), SEARCH, WORLD)
    }

    assert set(entities_of_text(query, NAMES)) <= seen
