"""The rates where they differ: by incident family, carrier, technique, who can write there, and goal."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from soclab.contracts.scorecard_v1 import Rate
from soclab.scoring.populations import Population
from soclab.scoring.rates import rates_of

__all__ = ["DIMENSIONS", "breakdown_of"]

DIMENSIONS: Mapping[str, str] = MappingProxyType(
    {
        "family": "family",
        "carrier": "carrier",
        "technique": "technique",
        "writer": "writer",
        "goal": "goal",
    }
)
"""Dimension -> the member of a run that holds its value."""


def breakdown_of(population: Population) -> dict[str, dict[str, dict[str, Rate]]]:
    """Dimension -> value -> the rates that have trials there; runs without a value are in none."""
    found: dict[str, dict[str, dict[str, Rate]]] = {}
    for dimension, member in DIMENSIONS.items():
        values = sorted({value for one in population.agent_runs if (value := getattr(one, member)) is not None})
        found[dimension] = {value: _rates(population, member, value) for value in values}
    return found


def _rates(population: Population, member: str, value: str) -> dict[str, Rate]:
    runs = Population(tuple(one for one in population.agent_runs if getattr(one, member) == value))
    return {name: rate for name, rate in rates_of(runs) if rate.trials}
