"""Folders of scenario files for tests, written from the factories' models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from soclab.contracts.fixture import Fixture
from soclab.contracts.scenario_v1 import Scenario
from tests.factories import make_fixture, make_scenario

__all__ = ["as_data", "write_pack", "write_yaml"]


def as_data(model: Scenario | Fixture) -> dict[str, Any]:
    """The model as plain data, keys spelled as files spell them."""
    return model.model_dump(mode="json", by_alias=True)


def write_yaml(path: Path, data: Any) -> Path:
    """Data as a YAML file, folders made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
    return path


def write_pack(
    folder: Path,
    scenario: dict[str, Any] | None = None,
    world: dict[str, Any] | None = None,
) -> Path:
    """A folder with one scenario and its world; the given keys replace those of the factories."""
    write_yaml(folder / "ATK-901.yaml", {**as_data(make_scenario()), **(scenario or {})})
    write_yaml(folder / "worlds" / "session_hijack.yaml", {**as_data(make_fixture()), **(world or {})})
    return folder
