"""A set of scenarios with the worlds they happen in: named, versioned, hashed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from soclab import canonical_json
from soclab.contracts.fixture import Fixture
from soclab.contracts.scenario_v1 import Scenario

__all__ = ["Pack", "make_pack"]


@dataclass(frozen=True)
class Pack:
    """
    Attributes:
        sha256: of the content of scenarios and worlds; file names, comments and key order do not matter.
        scenarios: sorted by id.
        worlds: name -> fixture, sorted by name; every scenario's world is in it.
    """

    name: str
    version: str
    sha256: str
    scenarios: tuple[Scenario, ...]
    worlds: dict[str, Fixture]


def make_pack(name: str, version: str, scenarios: Iterable[Scenario], worlds: Mapping[str, Fixture]) -> Pack:
    """The pack of these scenarios and worlds."""
    ordered = tuple(sorted(scenarios, key=lambda scenario: scenario.id))
    sorted_worlds = {key: worlds[key] for key in sorted(worlds)}
    digest = hashlib.sha256()
    for piece in _content(ordered, sorted_worlds.values()):
        digest.update(piece)
    return Pack(name, version, digest.hexdigest(), ordered, sorted_worlds)


def _content(scenarios: Iterable[Scenario], worlds: Iterable[Fixture]) -> Iterator[bytes]:
    """
    Canonical JSON of `{"scenarios": [...], "worlds": [...]}`, in pieces: thousands of scenarios take some hundred
    megabytes as one.
    """
    yield b'{"scenarios":['
    for place, scenario in enumerate(scenarios):
        yield b"," if place else b""
        yield canonical_json.encode_bytes(scenario.model_dump(mode="json", by_alias=True))
    yield b'],"worlds":['
    for place, world in enumerate(worlds):
        yield b"," if place else b""
        yield canonical_json.encode_bytes(world.model_dump(mode="json"))
    yield b"]}"
