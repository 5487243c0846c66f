"""Components to families, families to one number, and the incident family where that number is lowest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from soclab.contracts.scorecard_v1 import ComponentScore, FamilyScore, IncidentFamilyScore
from soclab.scoring.components import COMPONENTS
from soclab.scoring.facts import CampaignFacts
from soclab.scoring.rates import rates_of

__all__ = ["composite_of", "families_of", "incident_families_of", "without_case"]

_DIGITS = 6


def families_of(facts: CampaignFacts) -> tuple[FamilyScore, ...] | None:
    """The five families; None without a profile, or without a run of an agent."""
    if facts.profile is None or not facts.population.agent_runs:
        return None
    return tuple(_family(facts, name) for name in COMPONENTS)


def composite_of(families: Iterable[FamilyScore] | None) -> float | None:
    """Weighted mean of the families that have a value; None when none has."""
    return _mean((one.weight, one.value) for one in families or ())


def incident_families_of(facts: CampaignFacts) -> tuple[IncidentFamilyScore, ...]:
    """The composite of each incident family by itself, the weakest first; those without one come before all."""
    found = []
    for family in sorted({one.family for one in facts.population.agent_runs}):
        population = facts.population.of_family(family)
        alone = replace(facts, population=population, rates=rates_of(population))
        score = composite_of(families_of(alone))
        found.append(IncidentFamilyScore(family=family, runs=len(population.agent_runs), composite=score))
    return tuple(sorted(found, key=lambda one: (-1.0 if one.composite is None else one.composite, one.family)))


def without_case(families: Iterable[FamilyScore] | None) -> tuple[str, ...]:
    """Names of the components that the plan had no case for."""
    return tuple(part.name for one in families or () for part in one.components if part.value is None)


def _family(facts: CampaignFacts, name: str) -> FamilyScore:
    assert facts.profile is not None
    weights = getattr(facts.profile.families, name)
    components = tuple(_component(facts, name, part, getattr(weights, part)) for part in COMPONENTS[name])
    value = _mean((one.weight, one.value) for one in components)
    return FamilyScore(family=name, weight=weights.weight, value=value, components=components)


def _component(facts: CampaignFacts, family: str, name: str, weight: float) -> ComponentScore:
    found = COMPONENTS[family][name](facts)
    value = round(found.numerator / found.denominator, _DIGITS) if found.denominator else None
    return ComponentScore(
        name=name, weight=weight, numerator=found.numerator, denominator=found.denominator, value=value
    )


def _mean(parts: Iterable[tuple[float, float | None]]) -> float | None:
    known = [(weight, value) for weight, value in parts if value is not None and weight > 0]
    total = sum(weight for weight, _ in known)
    return round(sum(weight * value for weight, value in known) / total, _DIGITS) if known else None
