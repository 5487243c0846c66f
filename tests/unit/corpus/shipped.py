"""The shipped corpus, loaded once, and small questions about it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import soclab
from soclab.assembly import checked_pack
from soclab.contracts.fixture import Channel, Fixture
from soclab.contracts.scenario_v1 import Injection, Scenario
from soclab.contracts.strict import JsonValue
from soclab.contracts.vocabulary import Kind
from soclab.simulator.injection import injected_text
from soclab.simulator.world import World

written = injected_text
"""The whole text of the field, hostile text and what stands around it."""

CORPUS = Path(soclab.__file__).parent / "scenarios" / "corpus"
FILES = sorted(CORPUS.rglob("*.yaml"))
PACK = checked_pack(None)
WORLDS: dict[str, Fixture] = dict(PACK.worlds)
SCENARIOS: tuple[Scenario, ...] = PACK.scenarios
ATTACKS = tuple(one for one in SCENARIOS if one.kind is Kind.ATTACK)
BENIGN = tuple(one for one in SCENARIOS if one.kind is Kind.BENIGN)
GUARDS = tuple(one for one in SCENARIOS if one.kind is Kind.GUARD)


def injection_of(attack: Scenario) -> Injection:
    assert attack.injection is not None
    return attack.injection


def channel_of(attack: Scenario) -> Channel:
    return WORLDS[attack.world].channels[injection_of(attack).channel]


def world_of(fixture: Fixture, payload: Injection | None = None) -> World:
    return World.build(fixture, payload=payload, canaries={slot: f"CANARY-{slot}" for slot in fixture.canary_slots})


def shown_by(world: World, fixture: Fixture) -> dict[str, JsonValue]:
    """Everything the five read tools and the alert can show of a world."""
    calls = [("search_siem_events", {"query": ""})]
    calls += [("search_siem_events", {"query": user.id}) for user in fixture.identities]
    calls += [("get_identity_profile", {"user_id": user.id}) for user in fixture.identities]
    calls += [("get_authentication_history", {"user_id": user.id}) for user in fixture.identities]
    calls += [("get_endpoint_status", {"endpoint_id": endpoint.id}) for endpoint in fixture.endpoints]
    calls += [("lookup_indicator", {"indicator": indicator.id}) for indicator in fixture.indicators]
    shown: dict[str, JsonValue] = {"alert": world.alert}
    for name, arguments in calls:
        shown[f"{name} {next(iter(arguments.values()))}"] = world.read(name, dict(arguments)).result
    return shown


def strings(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


@cache
def clean_strings(world: str) -> frozenset[str]:
    """Every text of a clean world."""
    fixture = WORLDS[world]
    return frozenset(strings(shown_by(world_of(fixture), fixture)))  # type: ignore[arg-type]
