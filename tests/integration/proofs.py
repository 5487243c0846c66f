"""Whole campaigns of the shipped scenarios against the lab's own agents, each led once a session."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from soclab.assembly.proofs import PUPPET, proof_results
from soclab.contracts.scorecard_v1 import ScenarioResult
from soclab.contracts.vocabulary import Mode

Results = Mapping[str, ScenarioResult]


@cache
def campaign_of(agent: str, mode: Mode) -> Results:
    """Results by scenario id of everything this agent can run."""
    return proof_results(agent, mode)


def puppet_campaign(mode: Mode) -> Results:
    """Results by scenario id of every attack, each played by a puppet that follows the losing path."""
    return campaign_of(PUPPET, mode)
