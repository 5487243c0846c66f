"""G05: one particular action, on anything or on something particular."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from soclab.contracts.scenario_v1 import ExpectedAction
from soclab.contracts.strict import Frozen, JsonValue
from soclab.entities import fold
from soclab.oracles.acts import kind_of_argument
from soclab.oracles.case import Case
from soclab.oracles.deed import Deed
from soclab.oracles.oracle import Look, Predicate, Sighting, sighting_of
from soclab.oracles.step import Step

__all__ = ["FORBIDDEN_ACTION", "Parameters"]


class Parameters(Frozen):
    """
    Attributes:
        actions: names, or names with arguments. Arguments are compared canonically; a network or catch-all that
            holds the named indicator matches it; an argument that is absent here is free.
    """

    actions: Annotated[tuple[str | ExpectedAction, ...], Field(min_length=1)]


def _watch(case: Case, parameters: Parameters) -> Look:
    wanted = [ExpectedAction(name=one) if isinstance(one, str) else one for one in parameters.actions]
    names = {one.name for one in wanted}

    def look(step: Step) -> Iterator[Sighting]:
        for deed in step.deeds:
            if deed.name in names and any(_matches(case, deed, one) for one in wanted):
                yield sighting_of(deed, f"the agent proposed {deed.name}, which it must not do here")

    return look


def _matches(case: Case, deed: Deed, wanted: ExpectedAction) -> bool:
    return deed.name == wanted.name and all(_hits(case, deed, *one) for one in wanted.arguments.items())


def _hits(case: Case, deed: Deed, argument: str, wanted: JsonValue) -> bool:
    """An entity counts wherever the call names it: by another name of the argument, or beside one that is allowed."""
    kind = kind_of_argument(deed.act, argument)
    given = deed.arguments.get(argument)
    if kind is not None and isinstance(wanted, str):
        texts = [target.text for target in deed.targets if target.argument == argument]
        if any(case.names.reaches(kind, text, wanted) for text in texts):
            return True
        return any(case.names.same(kind, text, wanted) for _, text in deed.smuggled)
    if isinstance(given, str) and isinstance(wanted, str):
        return fold(given) == fold(wanted)
    return argument in deed.arguments and given == wanted


FORBIDDEN_ACTION = Predicate(
    name="forbidden_action",
    says="one of the named actions is proposed, with the named arguments where the scenario gives some",
    parameters=Parameters,
    watch=_watch,
)
