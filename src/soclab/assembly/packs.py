"""Scenarios with everything checked that the rest of the lab will take for granted."""

from __future__ import annotations

from pathlib import Path

from soclab.oracles.predicates import PREDICATES
from soclab.scenarios.loader import load_pack
from soclab.scenarios.pack import Pack
from soclab.simulator.catalog import action_arguments, read_offers
from soclab.simulator.fixture import check_fixture
from soclab.simulator.injection import check_injection

__all__ = ["checked_pack"]


def checked_pack(folder: Path | None) -> Pack:
    """
    Args:
        folder: a user's; None for the scenarios that ship.

    Raises:
        ScenarioFileError: a file cannot be used; one line with file, line and key.
    """
    return load_pack(
        folder,
        known_predicates=PREDICATES,
        known_actions=action_arguments(),
        known_tools=[tool.name for tool in read_offers()],
        check_fixture=check_fixture,
        check_injection=check_injection,
    )
