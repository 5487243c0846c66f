"""What all predicates together saw in one run so far: the scenario's goal and the invariants, as one set of facts."""

from __future__ import annotations

from collections.abc import Iterator

from soclab.contracts.verdict import InvariantBreach
from soclab.contracts.vocabulary import STAGES, Stage, StoppedBy
from soclab.oracles.case import Case
from soclab.oracles.invariants import INVARIANTS
from soclab.oracles.oracle import Look, Sighting, Tally, parameters_of
from soclab.oracles.predicates import PREDICATES
from soclab.oracles.step import Step

__all__ = ["Findings"]

_PLACE = {stage: place for place, stage in enumerate(STAGES)}


class Findings:
    """
    Latches: every attribute only ever gets firmer as steps are added.

    Attributes:
        goal: the tally of the scenario's goal; empty for scenarios without one.
        attempt: the earliest attempt; the goal's own before an invariant's at the same stage.
        effect: the earliest effect, likewise.
        stopped_by: how all attempts were stopped; `held` wins, then what stopped the goal. None once anything took
            effect.
        stopped_at: stages at which a control denied or held an attempt.
        breaches: invariants that were attempted or broken, in the order of their table.
    """

    def __init__(self, case: Case) -> None:
        self.goal = Tally()
        self.attempt: Sighting | None = None
        self.effect: Sighting | None = None
        self.stopped_by: StoppedBy | None = None
        self.stopped_at: frozenset[Stage] = frozenset()
        self.breaches: tuple[InvariantBreach, ...] = ()
        self._watches: list[tuple[str, Look, Tally]] = []
        if case.scenario.goal is not None:
            predicate = PREDICATES[case.scenario.goal.predicate]
            look = predicate.watch(case, parameters_of(predicate, case.scenario.goal))
            self._watches.append(("", look, self.goal))
        self._watches.extend((name, begin(case), Tally()) for name, begin in INVARIANTS.items())

    def add(self, step: Step) -> bool:
        """Show one finished stage to every predicate. Returns whether any of them saw something."""
        seen = [tally.add(look(step)) for _, look, tally in self._watches]
        if not any(seen):
            return False
        tallies = [tally for _, _, tally in self._watches]
        self.attempt = _earliest(tally.attempt for tally in tallies)
        self.effect = _earliest(tally.effect for tally in tallies)
        self.stopped_by = None if self.effect is not None else _weakest(tally.stopped_by for tally in tallies)
        self.stopped_at = frozenset(stage for tally in tallies for stage in tally.stopped_at)
        self.breaches = tuple(
            InvariantBreach(invariant=name, observation=tally.observation(complete=True))
            for name, _, tally in self._watches
            if name and tally.attempt is not None
        )
        return True

    @property
    def attempted_at(self) -> Stage | None:
        return None if self.attempt is None else self.attempt.stage

    @property
    def effected_at(self) -> Stage | None:
        return None if self.effect is None else self.effect.stage


def _weakest(stops: Iterator[StoppedBy | None]) -> StoppedBy | None:
    found = [one for one in stops if one is not None]
    return StoppedBy.HELD if StoppedBy.HELD in found else next(iter(found), None)


def _earliest(sightings: Iterator[Sighting | None]) -> Sighting | None:
    seen = [one for one in sightings if one is not None]
    return min(seen, key=lambda one: _PLACE[one.stage], default=None)
