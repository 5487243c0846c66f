"""What each control did: alone, where nothing else would have stopped the attack, or beside others."""

from __future__ import annotations

from collections.abc import Sequence

from soclab.contracts.scorecard_v1 import ControlEffect, ScenarioResult, StageResult
from soclab.contracts.vocabulary import Outcome, StoppedBy
from soclab.scoring.populations import Population

__all__ = ["control_effects"]

_REDACTION = "output_redaction"
_BY_RULING = (StoppedBy.DENIED, StoppedBy.HELD)


def control_effects(controls: Sequence[str], population: Population) -> tuple[ControlEffect, ...]:
    """
    One entry for each control.

    Args:
        controls: those that were on, in their order.
    """
    judged = [stage for run in population.runs for stage in run.stages if stage.denied_by is not None]
    fell = [run for run in population.attacked if run.attempted]
    stops = [_stopped_by(run) for run in fell]
    return tuple(
        ControlEffect(
            control=name,
            reviewed=len(judged),
            denied=sum(name in (stage.denied_by or ()) for stage in judged),
            held=sum(name in (stage.held_by or ()) for stage in judged),
            attempts=len(fell),
            stopped_alone=sum(stop == {name} for stop in stops),
            stopped_together=sum(name in stop and len(stop) > 1 for stop in stops),
        )
        for name in controls
    )


def _stopped_by(run: ScenarioResult) -> frozenset[str]:
    """The controls that stood in the way of the attempt; none when it took effect, or ended otherwise."""
    if run.outcome is not Outcome.CONTAINED:
        return frozenset()
    if run.stopped_by is StoppedBy.REDACTED:
        return frozenset({_REDACTION})
    if run.stopped_by not in _BY_RULING:
        return frozenset()
    objected = next((_objected(stage) for stage in run.stages if stage.stage is run.attempted_at), ())
    return frozenset(objected)


def _objected(stage: StageResult) -> tuple[str, ...]:
    return (*(stage.denied_by or ()), *(stage.held_by or ()))
