"""A set of scenarios with the worlds they happen in: named, versioned, hashed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    content = {
        "scenarios": [scenario.model_dump(mode="json", by_alias=True) for scenario in ordered],
        "worlds": [world.model_dump(mode="json") for world in sorted_worlds.values()],
    }
    return Pack(name, version, canonical_json.sha256_hex(canonical_json.encode_bytes(content)), ordered, sorted_worlds)
