"""Scenarios with everything checked that the rest of the lab will take for granted."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from soclab.assembly.agent import answers_freely
from soclab.assembly.settings import CampaignSettings
from soclab.contracts.scenario_v1 import Scenario
from soclab.contracts.vocabulary import Kind
from soclab.oracles.predicates import PREDICATES
from soclab.scenarios.loader import load_pack
from soclab.scenarios.pack import Pack
from soclab.simulator.catalog import action_arguments, read_offers
from soclab.simulator.fixture import check_fixture
from soclab.simulator.injection import check_injection

__all__ = ["checked_pack", "named_pack", "split_by_agent"]


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


def named_pack(settings: CampaignSettings) -> Pack:
    """
    The user's scenarios or the shipped ones; for an agent whose replies are forced, with the guard pack.

    Raises:
        ScenarioFileError: as of `checked_pack`.
    """
    pack = checked_pack(settings.scenarios_folder)
    forced = settings.scenarios_folder is None and not answers_freely(settings)
    if not forced:
        return pack
    from soclab.scenarios.guard_pack import guard_pack  # of no use to any other agent

    return guard_pack(pack)


def split_by_agent(chosen: Iterable[Scenario], settings: CampaignSettings) -> tuple[list[Scenario], dict[str, str]]:
    """Those that the agent of the settings can run, and id -> why not of the others."""
    free = answers_freely(settings)
    runnable: list[Scenario] = []
    left_out: dict[str, str] = {}
    for scenario in chosen:
        if (scenario.kind is Kind.GUARD) is not free:
            runnable.append(scenario)
        elif scenario.kind is Kind.GUARD:
            left_out[scenario.id] = "forces its replies: provider 'scripted' only"
        else:
            left_out[scenario.id] = f"has no script: any provider but {settings.provider_id!r}"
    return runnable, left_out
