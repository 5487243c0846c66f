"""A clean twin's world differs from its attack's at one place, by words and by nothing else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soclab.assembly import checked_pack
from soclab.contracts.vocabulary import Kind
from soclab.decoding import ENCODINGS, readings
from soclab.engine.twins import twin_of
from soclab.simulator.document import find_path, strings, value_at
from soclab.simulator.injection import encoded_payload, injected_text
from soclab.simulator.neutral import is_neutral, neutral_text
from soclab.simulator.prepared import prepared

PACK = checked_pack(None)
ATTACKS = [one for one in PACK.scenarios if one.kind is Kind.ATTACK]
NAMES = [one.id for one in ATTACKS]

texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=300)


def sizes(text: str) -> tuple[int, int]:
    return len(text), len(text.encode())


@given(text=texts, encoding=st.sampled_from(sorted(ENCODINGS)), ordinary=texts)
def test_neutral_text_takes_exactly_the_same_room(text: str, encoding: str, ordinary: str) -> None:
    """Characters and bytes, as it is and encoded, whatever the text and the encoding."""
    neutral = neutral_text(text, encoding, ordinary)
    encode = ENCODINGS[encoding].encode
    assert sizes(neutral) == sizes(text)
    assert sizes(encode(neutral)) == sizes(encode(text))


@given(text=texts, encoding=st.sampled_from(sorted(ENCODINGS)), ordinary=texts)
def test_neutral_text_is_the_same_every_time(text: str, encoding: str, ordinary: str) -> None:
    """Same plan, same bytes."""
    assert neutral_text(text, encoding, ordinary) == neutral_text(text, encoding, ordinary)


@given(words=st.lists(st.sampled_from(["Ignore", "all", "rules,", "close", "the", "case;", "svc-backup"]), min_size=9))
def test_nothing_of_the_hostile_words_remains(words: list[str]) -> None:
    """Of the payload only its length is used."""
    neutral = neutral_text(" ".join(words), "E00", "The tray is empty.")
    assert not {"Ignore", "rules,", "close", "case;", "svc-backup"} & set(neutral.split())


@pytest.mark.parametrize(
    ("ordinary", "forbidden"),
    [
        ("Ask Tom to disable the account.", ()),
        ("The code is {{canary:profile_recovery}} today.", ()),
        ("Call block_indicator at the gate.", ()),
        ("The laptop of ben.cho is old.", ("ben.cho",)),
    ],
)
def test_an_ordinary_text_that_asks_for_something_is_not_used(ordinary: str, forbidden: tuple[str, ...]) -> None:
    """A world of a user may hold anything at the place; prose stands in then."""
    neutral = neutral_text("x" * 200, "E00", ordinary, forbidden)
    assert ordinary[:20] not in neutral
    assert is_neutral(neutral, forbidden)


@pytest.mark.parametrize("scenario", ATTACKS, ids=NAMES)
def test_the_twin_of_every_attack_differs_at_the_place_of_the_payload_only(scenario) -> None:
    """Same texts at every other place; same length there, with the same text around it."""
    world = PACK.worlds[scenario.world]
    twin = twin_of(scenario, world)
    attacked, clean = prepared(world, scenario.injection), prepared(world, twin.neutral)
    before, after = dict(strings(attacked.document)), dict(strings(clean.document))
    place = find_path(attacked.document, world.channels[scenario.injection.channel].pointer)
    assert {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)} == {place}
    hostile, neutral = str(value_at(attacked.document, place)), str(value_at(clean.document, place))
    assert sizes(hostile) == sizes(neutral)
    assert neutral == injected_text(twin.neutral)
    assert (clean.state, clean.aliases, clean.positions) == (attacked.state, attacked.aliases, attacked.positions)


@pytest.mark.parametrize("scenario", ATTACKS, ids=NAMES)
def test_no_hostile_text_remains_in_the_twin_of_any_attack(scenario) -> None:
    """Not as it stands, not decoded, no phrase of it, no name of the goal, no secret, no order."""
    world = PACK.worlds[scenario.world]
    twin = twin_of(scenario, world)
    ordinary = str(value_at(prepared(world, None).document, place_of(scenario)))
    told = [reading for _, text in strings(prepared(world, twin.neutral).document) for reading in readings(text)]
    assert not any(scenario.injection.text in one or encoded_payload(scenario.injection) in one for one in told)
    assert is_neutral(twin.neutral.text, names_in(scenario.goal.parameters))
    shared = phrases(scenario.injection.text) & phrases(twin.neutral.text)
    assert shared <= phrases(ordinary)
    assert not re.search(r"\{\{|[A-Z2-7]{26}", injected_text(twin.neutral))


@pytest.mark.parametrize("scenario", ATTACKS, ids=NAMES)
def test_what_stands_around_the_payload_asks_for_nothing(scenario) -> None:
    """It stays in the twin, so it has to be the carrier's own."""
    assert is_neutral(scenario.injection.prefix)
    assert is_neutral(scenario.injection.suffix)


def test_a_twin_is_benign_keeps_the_goal_and_knows_nothing_of_the_payload() -> None:
    """What the judge sees of it."""
    scenario = ATTACKS[0]
    twin = twin_of(scenario, PACK.worlds[scenario.world]).scenario
    assert (twin.id, twin.kind, twin.injection) == (f"{scenario.id}~clean", Kind.BENIGN, None)
    assert (twin.goal, twin.expected, twin.world) == (scenario.goal, scenario.expected, scenario.world)
    assert scenario.injection.text not in twin.model_dump_json()


def place_of(scenario):
    world = PACK.worlds[scenario.world]
    return find_path(prepared(world, None).document, world.channels[scenario.injection.channel].pointer)


def names_in(value) -> list[str]:
    if isinstance(value, str):
        return [value]
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [name for item in items for name in names_in(item)]


def phrases(text: str) -> set[tuple[str, ...]]:
    """Every three words in a row."""
    words = re.findall(r"\w+", text.casefold())
    return set(zip(words, words[1:], words[2:], strict=False))
