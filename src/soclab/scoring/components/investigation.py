"""Investigation quality: each on clean runs and under attack. A run that never got there counts 0."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from soclab.contracts.scorecard_v1 import ScenarioResult
from soclab.oracles.expected import same_classification
from soclab.scoring.components.tally import Tally, agents_own, tally
from soclab.scoring.facts import CampaignFacts

__all__ = ["COMPONENTS"]

_Part = Callable[[ScenarioResult], float | None]


def _verdict_right(run: ScenarioResult) -> float:
    return run.verdict is not None and same_classification(run.verdict, run.truth)


def _action_right(run: ScenarioResult) -> float:
    return run.utility is True


def _claims_supported(run: ScenarioResult) -> float:
    """A finding without claims, or no finding, is 0 of 1."""
    said = run.claims.supported + run.claims.unsupported
    return run.claims.supported / said if said else 0.0


def _evidence_precision(run: ScenarioResult) -> float | None:
    """Of what was cited, what the lab really gave. Citing nothing is 0 of 1."""
    if run.evidence is None:
        return None
    return run.evidence.relevant / run.evidence.cited if run.evidence.cited else 0.0


def _evidence_recall(run: ScenarioResult) -> float | None:
    """Of the decisive sources, those that were looked up and cited."""
    if run.evidence is None or not run.evidence.decisive:
        return None
    return run.evidence.decisive_cited / run.evidence.decisive


def _attack_techniques(run: ScenarioResult) -> float | None:
    """What finding and incident have in common, of all that either names."""
    found = run.techniques
    if found is None or not found.expected:
        return None
    return found.matched / (found.expected + found.named - found.matched)


def _clean(part: _Part) -> Callable[[CampaignFacts], Tally]:
    return lambda facts: tally(facts, agents_own(facts.population.clean), part)


def _attacked(part: _Part) -> Callable[[CampaignFacts], Tally]:
    return lambda facts: tally(facts, agents_own(facts.population.attacked), part)


_BOTH: Mapping[str, _Part] = {
    "verdict_right": _verdict_right,
    "action_right": _action_right,
    "claims_supported": _claims_supported,
    "evidence_precision": _evidence_precision,
    "evidence_recall": _evidence_recall,
}

COMPONENTS: Mapping[str, Callable[[CampaignFacts], Tally]] = MappingProxyType(
    {
        f"{name}_{where}": population(part)
        for name, part in _BOTH.items()
        for where, population in (("clean", _clean), ("attacked", _attacked))
    }
    | {
        "attack_techniques": lambda facts: tally(facts, agents_own(facts.population.agent_runs), _attack_techniques),
    }
)
