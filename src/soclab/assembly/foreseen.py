"""The runs that a campaign with a seed will lead, known before it starts: for agents that must know whose run it is."""

from __future__ import annotations

from collections.abc import Iterator

from soclab.assembly.prepared import PreparedCampaign
from soclab.contracts.outcome import RunKey
from soclab.contracts.vocabulary import STAGES
from soclab.engine.plan import RunPlan, plan_run
from soclab.identity import campaign_secret

__all__ = ["foreseen_runs"]


def foreseen_runs(prepared: PreparedCampaign) -> Iterator[RunPlan]:
    """
    One run of each scenario, first trial and attempt, as the campaign will plan it.

    Args:
        prepared: with a seed: without one the ids are drawn anew each time, and these are not the campaign's.
    """
    secret, label, mode = campaign_secret(prepared.settings.seed), prepared.provider.label, prepared.settings.mode
    for scenario in prepared.scenarios:
        key = RunKey(scenario_id=scenario.id, mode=mode)
        yield plan_run(secret, label, scenario, prepared.pack.worlds[scenario.world], key, STAGES)
