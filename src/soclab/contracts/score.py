"""The parts of a score, as the scorecard holds them."""

from __future__ import annotations

from soclab.contracts.strict import Frozen

__all__ = ["ComponentScore", "FamilyScore", "IncidentFamilyScore"]


class ComponentScore(Frozen):
    """
    Attributes:
        weight: within its family.
        numerator, denominator: runs, each counted as its difficulty weighs; a run may count in part.
        value: one by the other; None when the plan has no case for it.
    """

    name: str
    weight: float
    numerator: float
    denominator: float
    value: float | None


class FamilyScore(Frozen):
    """`value`: weighted mean of the components that have one; None when none has, or none of them weighs anything."""

    family: str
    weight: float
    value: float | None
    components: tuple[ComponentScore, ...] = ()


class IncidentFamilyScore(Frozen):
    """What the composite would be if there were no other incidents than those of this family."""

    family: str
    runs: int
    composite: float | None
