"""Which scenarios there are, and which of them an agent can run."""

from __future__ import annotations

from collections.abc import Iterable

from soclab.assembly.agent import answers_freely
from soclab.assembly.packs import checked_pack
from soclab.assembly.settings import CampaignSettings
from soclab.contracts.scenario_v1 import Scenario
from soclab.contracts.vocabulary import Kind
from soclab.scenarios.guard_pack import guard_pack
from soclab.scenarios.pack import Pack

__all__ = ["named_pack", "split_by_agent"]


def named_pack(settings: CampaignSettings) -> Pack:
    """The user's scenarios or the shipped ones; for the agent that says what it is told, with the guard pack."""
    pack = checked_pack(settings.scenarios_folder)
    forced = settings.scenarios_folder is None and not answers_freely(settings)
    return guard_pack(pack) if forced else pack


def split_by_agent(chosen: Iterable[Scenario], settings: CampaignSettings) -> tuple[list[Scenario], dict[str, str]]:
    """Those it can run, and id -> why not of the others."""
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
