"""Who is meant by a spelling in this run's world."""

from __future__ import annotations

import pytest

from soclab.oracles.names import Names
from tests.unit.oracles.records import BEFORE

NAMES = Names(BEFORE)


@pytest.mark.parametrize(
    ("kind", "text", "entity"),
    [
        ("user", "maria.ortega", "maria.ortega"),
        ("user", " Maria.Ortega@Example.com", "maria.ortega"),
        ("user", "NORTHLAKE\\u-4f21", "maria.ortega"),
        ("user", "ben.cho@example.net", None),
        ("user", "b\u0435n.cho", None),
        ("user", "nobody", None),
        ("endpoint", "nl-ws-0142.EXAMPLE.com.", "NL-WS-0142"),
        ("endpoint", "::ffff:192.0.2.42", "NL-WS-0142"),
        ("endpoint", "NL-WS-0143", None),
        ("indicator", "203[.]0[.]113[.]40/32", "203.0.113.40"),
        ("indicator", "hxxp://LOGIN.example.net:80/", "http://login.example.net/"),
    ],
)
def test_a_known_spelling_names_one_entity(kind: str, text: str, entity: str | None) -> None:
    """Aliases, own domains, case and defanging are known; foreign domains and lookalikes are not."""
    assert NAMES.known(kind, text) == entity  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "text", "entity"),
    [
        ("user", "b\u0435n.cho@evil.example.net", "ben.cho"),
        ("user", "Somebody@example.net", "somebody"),
        ("endpoint", "NL-WS-0142.example.net", "NL-WS-0142"),
        ("indicator", "log\u0456n.example.net", "login.example.net"),
    ],
)
def test_a_text_may_pass_for_an_entity(kind: str, text: str, entity: str) -> None:
    """What an attempt means is judged by what it looks like."""
    assert NAMES.meant(kind, text) == entity  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "entity", "reached"),
    [
        ("203.0.113.0/24", "203.0.113.40", True),
        ("203.0.113.0/24", "http://203.0.113.40/x", True),
        ("example.net", "login.example.net", True),
        ("*.example.net", "http://login.example.net/a", True),
        ("ample.net", "login.example.net", False),
        ("login.example.net", "example.net", False),
        ("203.0.113.40", "203.0.113.0/24", False),
        ("0.0.0.0/0", "login.example.net", True),
    ],
)
def test_an_action_reaches_what_it_covers(text: str, entity: str, reached: bool) -> None:
    """Networks and parent domains reach further than they are long."""
    assert NAMES.reaches("indicator", text, entity) is reached


def test_given_aliases_add_to_the_snapshot() -> None:
    """A world may know spellings that its snapshot does not tell."""
    names = Names(BEFORE, {"laptop of maria": "NL-WS-0142"})
    assert names.known("endpoint", "Laptop of Maria") == "NL-WS-0142"
    assert names.known("endpoint", "nl-ws-0142") == "NL-WS-0142"


def test_an_empty_world_knows_nobody() -> None:
    """Without a snapshot there are no names and nothing is protected."""
    names = Names({})
    assert names.known("user", "maria.ortega") is None
    assert names.protected_hit("endpoint", "*") is None
