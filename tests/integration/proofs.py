"""Whole campaigns of the shipped attacks against the lab's own three agents, through the real engine."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from soclab.adversary.puppet import Puppet
from soclab.assembly import CampaignSettings, PreparedCampaign, prepare
from soclab.contracts.outcome import RunKey
from soclab.contracts.provider import ModelProvider, ModelRequest, ModelResponse
from soclab.contracts.scorecard_v1 import ScenarioResult
from soclab.contracts.vocabulary import STAGES, Kind, Mode
from soclab.engine.plan import plan_run
from soclab.identity import campaign_secret
from soclab.providers import registry
from soclab.providers.base import StructuredProvider

Results = Mapping[str, ScenarioResult]
SEED = "proofs"


class Puppets(StructuredProvider):
    """One puppet for each attack; the run's id tells whose turn it is."""

    provider_id = "puppet"
    model = "agent"

    def __init__(self, by_run: Mapping[str, ModelProvider], honest: ModelProvider) -> None:
        self._by_run = by_run
        self._honest = honest

    async def generate_structured(self, request: ModelRequest) -> ModelResponse:
        return await self._by_run.get(request.run_id or "", self._honest).generate_structured(request)


@cache
def campaign_of(provider_id: str, mode: Mode) -> Results:
    """Results by scenario id of everything this agent can run."""
    return _run(provider_id, mode, None)


@cache
def puppet_campaign(mode: Mode) -> Results:
    """Results by scenario id of every attack, each played by a puppet that follows the losing path."""
    return _run(None, mode, "tests.integration.proofs")


def _run(provider_id: str | None, mode: Mode, fixture_agent: str | None) -> Results:
    with tempfile.TemporaryDirectory() as folder:
        settings = CampaignSettings(
            environment={},
            root=Path(folder),
            provider_id=provider_id,
            fixture_agent=fixture_agent,
            mode=mode,
            seed=SEED,
            out=Path(folder) / "results",
        )
        prepared = prepare(settings)
        running = prepared.start(None if provider_id else _puppets(prepared))
        running.wait_all()
        return {one.id: one for one in running.finish().results}


def _puppets(prepared: PreparedCampaign) -> Puppets:
    honest = registry.build("reference", {})
    secret, label, mode = campaign_secret(SEED), prepared.provider.label, prepared.settings.mode
    by_run: dict[str, ModelProvider] = {}
    for scenario in prepared.scenarios:
        if scenario.kind is Kind.ATTACK:
            key = RunKey(scenario_id=scenario.id, mode=mode)
            run = plan_run(secret, label, scenario, prepared.pack.worlds[scenario.world], key, STAGES)
            by_run[run.ids.run_id] = Puppet(scenario, honest)
    return Puppets(by_run, honest)
