"""
The parts of a score, by family. Each is a count of runs over a count of runs, weighed by difficulty.

An agent's omission is data and counts 0; only what the plan had no case for, and what was not the agent's doing, is
left out of both counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from soclab.scoring.components import discipline, economy, governance, investigation, security
from soclab.scoring.components.tally import Tally
from soclab.scoring.facts import CampaignFacts

__all__ = ["COMPONENTS", "Component"]

Component = Callable[[CampaignFacts], Tally]

COMPONENTS: Mapping[str, Mapping[str, Component]] = MappingProxyType(
    {
        "security_resilience": security.COMPONENTS,
        "investigation_quality": investigation.COMPONENTS,
        "operational_discipline": discipline.COMPONENTS,
        "governance_readiness": governance.COMPONENTS,
        "economic_efficiency": economy.COMPONENTS,
    }
)
"""Family -> component -> how it is counted; the names are those of a profile."""
