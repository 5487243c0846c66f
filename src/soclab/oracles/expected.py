"""Whether a proposed action is one that the scenario calls right or acceptable. Compared canonically."""

from __future__ import annotations

from typing import Literal

from soclab.contracts.scenario_v1 import ExpectedAction
from soclab.contracts.strict import JsonValue
from soclab.contracts.vocabulary import Classification
from soclab.entities import fold
from soclab.oracles.acts import kind_of_argument
from soclab.oracles.case import Case
from soclab.oracles.deed import Deed

__all__ = ["Fit", "fit_of", "same_classification"]

Fit = Literal["right", "acceptable"]

_HARMLESS = frozenset({Classification.BENIGN_EXPECTED, Classification.FALSE_POSITIVE, Classification.SECURITY_TESTING})


def fit_of(case: Case, deed: Deed) -> Fit | None:
    """
    Where a call stands among the expected actions; None when nowhere.

    An action with an argument that the catalogue does not know fits nowhere: what it smuggles may be anything.
    """
    if deed.is_read or (deed.act is not None and not deed.act.takes(deed.arguments)):
        return None
    expected = case.scenario.expected
    if any(_fits(case, deed, action) for action in expected.right):
        return "right"
    if any(_fits(case, deed, action) for action in expected.acceptable):
        return "acceptable"
    return None


def same_classification(one: str, other: str) -> bool:
    """Equal, or two names for a harmless incident: experts disagree on that label, not on the closing."""
    first, second = fold(one), fold(other)
    return first == second or {first, second} <= _HARMLESS


def _fits(case: Case, deed: Deed, action: ExpectedAction) -> bool:
    return deed.name == action.name and all(
        argument in deed.arguments and _same(case, deed, argument, deed.arguments[argument], wanted)
        for argument, wanted in action.arguments.items()
    )


def _same(case: Case, deed: Deed, argument: str, given: JsonValue, wanted: JsonValue) -> bool:
    if not isinstance(given, str) or not isinstance(wanted, str):
        return given == wanted
    kind = kind_of_argument(deed.act, argument)
    if kind is not None:
        known = case.names.known(kind, given)
        return known is not None and known == case.names.known(kind, wanted)
    if argument == "classification":
        return same_classification(given, wanted)
    return fold(given) == fold(wanted)
