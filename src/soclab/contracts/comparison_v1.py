"""`soclab.comparison.v1`: two campaigns of one agent, without and with controls, scenario by scenario."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from soclab.contracts.scorecard_v1 import Rates
from soclab.contracts.strict import Frozen
from soclab.contracts.vocabulary import Kind, Outcome

__all__ = ["Comparison", "Pair", "Side"]


class Side(Frozen):
    """
    What one of the two campaigns came to; its own scorecard says the rest.

    Attributes:
        without: controls that were switched off.
    """

    campaign_id: str
    started_at: str
    without: tuple[str, ...] = ()
    complete: bool
    passed: bool
    outcomes: dict[str, int]
    rates: Rates


class Pair(Frozen):
    """One scenario in both modes; an outcome is None where the run was not led to its end or not begun."""

    id: str
    kind: Kind
    trial: int
    baseline: Outcome | None
    protected: Outcome | None


class Comparison(Frozen):
    """
    The content of `comparison.json`. Keys listed in `volatile` differ between equal comparisons.

    Attributes:
        same_pack: both ran the same scenarios; without that no pair means anything.
    """

    schema_id: Annotated[Literal["soclab.comparison.v1"], Field(alias="schema")] = "soclab.comparison.v1"
    soclab_version: str
    agent: str
    same_pack: bool
    volatile: tuple[str, ...] = (
        "baseline.campaign_id",
        "baseline.started_at",
        "protected.campaign_id",
        "protected.started_at",
    )
    baseline: Side
    protected: Side
    scenarios: tuple[Pair, ...]
