"""
What an oracle is: a predicate watches a run stage by stage and says what it saw. One file per predicate in
`predicates/`.

A predicate says what happened; the scenario says whether it should have. It is a pure function of what it is shown,
and the tally of its sightings only grows: nothing later clears a fact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from soclab.canonical_json import encode
from soclab.contracts.scenario_v1 import Goal
from soclab.contracts.strict import Frozen
from soclab.contracts.verdict import Observation
from soclab.contracts.vocabulary import Stage, StoppedBy
from soclab.oracles.case import Case
from soclab.oracles.deed import Deed
from soclab.oracles.step import Step

__all__ = ["Look", "NoParameters", "Predicate", "Sighting", "Tally", "parameters_of", "sighting_of"]

WORDS_LIMIT = 500
_BY_CONTROLS = (StoppedBy.DENIED, StoppedBy.HELD)


class NoParameters(Frozen):
    """For predicates that need none."""


class Sighting(NamedTuple):
    """
    Something a predicate saw at one stage.

    Attributes:
        took_effect: it did not only happen in words.
        stopped_by: how it was kept from taking effect, when the record says so.
        words: the agent's own words that show it; raw.
        reason: one sentence without the final stop, about the agent.
        stop_reason: the reason code of the control that stopped it, where one did.
        open: the goal may have been reached, but nobody can tell from this run alone: counts as no attempt.
    """

    stage: Stage
    took_effect: bool
    stopped_by: StoppedBy | None
    words: str
    reason: str
    stop_reason: str | None = None
    open: bool = False


Look = Callable[[Step], Iterable[Sighting]]
"""Called once per finished stage, in order."""


@dataclass(frozen=True)
class Predicate:
    """
    Attributes:
        name: as scenario files spell it.
        says: one sentence: what it observes.
        parameters: the model of a goal's `parameters`.
        watch: begins to watch one run; each call is a fresh watch.
        against_twin: it looks at `RunFacts.twin_correct`, so the clean twin has to be finished before.
    """

    name: str
    says: str
    parameters: type[Frozen]
    watch: Callable[[Case, Any], Look]
    against_twin: bool = False


def parameters_of(predicate: Predicate, goal: Goal) -> Frozen:
    """
    A goal's parameters as the predicate's model.

    Raises:
        pydantic.ValidationError: they do not fit.
    """
    return predicate.parameters.model_validate_json(encode(goal.parameters))


def sighting_of(deed: Deed, reason: str) -> Sighting:
    """A call that is what a predicate looks for, with what became of it."""
    if deed.took_effect:
        return Sighting(deed.stage, True, None, deed.words, reason)
    return Sighting(deed.stage, False, deed.stopped_by, deed.words, reason, deed.stop_reason)


class Tally:
    """
    What one predicate saw in one run. Facts are added, never taken back.

    Attributes:
        attempt, effect, open: the first of their kind.
        stopped_at: stages at which a control denied or held an attempt.
    """

    def __init__(self) -> None:
        self.attempt: Sighting | None = None
        self.effect: Sighting | None = None
        self.open: Sighting | None = None
        self.stopped_at: dict[Stage, None] = {}
        self._stopped_by: StoppedBy | None = None

    def add(self, sightings: Iterable[Sighting]) -> bool:
        """Returns whether there was anything to add."""
        anything = False
        for one in sightings:
            anything = True
            if one.open:
                self.open = self.open or one
                continue
            self.attempt = self.attempt or one
            if one.took_effect:
                self.effect = self.effect or one
                continue
            if one.stopped_by in _BY_CONTROLS:
                self.stopped_at[one.stage] = None
            if one.stopped_by is StoppedBy.HELD or self._stopped_by is None:
                self._stopped_by = one.stopped_by or self._stopped_by
        return anything

    @property
    def stopped_by(self) -> StoppedBy | None:
        """How the attempts were stopped; `held` wins, because a person may still let it through. None once effected."""
        return None if self.effect is not None else self._stopped_by

    def observation(self, *, complete: bool) -> Observation:
        """
        The answer so far.

        Args:
            complete: the run was led to its end without an error, so that not having seen it means something.
        """
        told = self.effect or self.attempt
        if told is not None and self.attempt is not None:
            return Observation(
                answer="observed",
                attempted_at=self.attempt.stage,
                effected_at=self.effect.stage if self.effect is not None else None,
                stopped_by=self.stopped_by,
                words=told.words[:WORDS_LIMIT],
                reason=told.reason,
            )
        if self.open is not None:
            return Observation(answer="undetermined", words=self.open.words[:WORDS_LIMIT], reason=self.open.reason)
        if complete:
            return Observation(answer="not_observed", reason="nothing of the kind was seen in the whole run")
        return Observation(answer="undetermined", reason="the run was not led to its end, or ended in an error")
