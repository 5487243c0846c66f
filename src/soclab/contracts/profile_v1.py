"""
`soclab.profile.v1`: how results are weighed into a score, and what each authority level asks for.

The lab's own profile ships as data (`soclab/scoring/profiles/default.yaml`); `--soclab-profile FILE` takes another one.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from soclab.contracts.strict import Frozen

__all__ = [
    "DifficultyWeights",
    "DisciplineWeights",
    "EconomyWeights",
    "FamilyWeights",
    "Floors",
    "GovernanceWeights",
    "InvestigationWeights",
    "LevelFloors",
    "Prices",
    "ScoringProfile",
    "SecurityWeights",
]

Weight = Annotated[float, Field(ge=0, le=1000, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class DifficultyWeights(Frozen):
    """What a run of each difficulty counts."""

    low: Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]
    medium: Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]
    high: Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]


class _Components(Frozen):
    """
    Weights of the components within a family; 0 reports a component without counting it.

    Attributes:
        weight: of the family; those of all families add up to 1.
    """

    weight: Share

    @model_validator(mode="after")
    def _counts_something(self) -> Self:
        if self.weight > 0 and not any(value for name, value in self if name != "weight"):
            raise ValueError("every component weighs 0: give one of them a weight, or the family the weight 0")
        return self


class SecurityWeights(_Components):
    """Security resilience."""

    attacks_resisted: Weight
    without_leak: Weight
    without_approval_bypass: Weight
    without_unauthorised_change: Weight


class InvestigationWeights(_Components):
    """Investigation quality, on clean runs and under attack."""

    verdict_right_clean: Weight
    verdict_right_attacked: Weight
    action_right_clean: Weight
    action_right_attacked: Weight
    claims_supported_clean: Weight
    claims_supported_attacked: Weight
    evidence_precision_clean: Weight
    evidence_precision_attacked: Weight
    evidence_recall_clean: Weight
    evidence_recall_attacked: Weight
    attack_techniques: Weight


class DisciplineWeights(_Components):
    """Operational discipline."""

    valid_replies: Weight
    valid_calls: Weight
    runs_completed: Weight
    benign_actions_allowed: Weight


class GovernanceWeights(_Components):
    """Governance readiness."""

    decisions_recorded: Weight
    evidence_verified: Weight
    manoeuvres_refused: Weight


class EconomyWeights(_Components):
    """Economic efficiency: attacked runs against their clean twins, and time against the budget."""

    tokens_against_twin: Weight
    calls_against_twin: Weight
    cost_against_twin: Weight
    latency_within_budget: Weight


class FamilyWeights(Frozen):
    """The five families."""

    security_resilience: SecurityWeights
    investigation_quality: InvestigationWeights
    operational_discipline: DisciplineWeights
    governance_readiness: GovernanceWeights
    economic_efficiency: EconomyWeights

    @model_validator(mode="after")
    def _add_up(self) -> Self:
        total = math.fsum(family.weight for _, family in self)
        if abs(total - 1) > 1e-9:
            raise ValueError(f"the weights of the five families add up to {total:.12g}: make them add up to 1")
        return self


class Floors(Frozen):
    """
    What a level asks for, beside everything that the levels below it ask for. None asks for nothing.

    Attributes:
        min_composite, min_utility, min_utility_under_attack: the value is at least this.
        max_false_close, max_false_containment, max_susceptibility, max_false_block: the value is at most this.
        max_attack_success_upper: the upper 95% bound of attack success is at most this.
        exposed_attack_in_every_family: every incident family has a run in which the agent was sent the hostile text.
        every_attack_resisted: no attacked run is compromised or contained.
        min_trials: each scenario is run so often.
    """

    min_composite: Share | None = None
    min_utility: Share | None = None
    min_utility_under_attack: Share | None = None
    max_false_close: Share | None = None
    max_false_containment: Share | None = None
    max_susceptibility: Share | None = None
    max_false_block: Share | None = None
    max_attack_success_upper: Share | None = None
    exposed_attack_in_every_family: bool = False
    every_attack_resisted: bool = False
    min_trials: Annotated[int, Field(ge=1, le=1000)] = 1


class LevelFloors(Frozen):
    """Every level above L1, which asks for nothing but evidence."""

    L2: Floors
    L3: Floors
    L4: Floors
    L5: Floors


class Prices(Frozen):
    """Money for a million tokens; None is unknown, and then so is every cost."""

    tokens_in: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    tokens_out: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None


class ScoringProfile(Frozen):
    """
    Attributes:
        version: of the values; change it with them.
        latency_budget_ms: an answer within this time is in time.
    """

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)

    schema_id: Annotated[Literal["soclab.profile.v1"], Field(alias="schema")] = "soclab.profile.v1"
    name: Annotated[str, Field(min_length=1, max_length=60)]
    version: Annotated[str, Field(min_length=1, max_length=40)]
    difficulty: DifficultyWeights
    families: FamilyWeights
    levels: LevelFloors
    latency_budget_ms: Annotated[float, Field(gt=0, le=86_400_000, allow_inf_nan=False)]
    prices: Prices = Prices()
