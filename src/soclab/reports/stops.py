"""How the attempts of a campaign were stopped, counted."""

from __future__ import annotations

from typing import NamedTuple

from soclab.contracts.scorecard_v1 import Scorecard
from soclab.contracts.vocabulary import Outcome, StoppedBy

__all__ = ["Stops", "if_approved_words", "stops_of"]


class Stops(NamedTuple):
    """
    Attributes:
        caught: denied or redacted.
        held: waits for a person.
        otherwise: said where it is not offered, or came to nothing by itself.
    """

    caught: int
    held: int
    otherwise: int

    @property
    def words(self) -> str:
        """`10 denied or redacted, 10 held for a person`; the last part only where there is one."""
        said = f"{self.caught} denied or redacted, {self.held} held for a person"
        return f"{said}, {self.otherwise} came to nothing otherwise" if self.otherwise else said


def stops_of(scorecard: Scorecard) -> Stops:
    """Over the contained runs of the campaign itself, one for each scenario and trial."""
    fell = {
        (one.id, one.trial): one.stopped_by
        for one in scorecard.scenarios
        if one.outcome is Outcome.CONTAINED and one.exposed is not None and not one.asked_by_test
    }
    how = list(fell.values())
    caught, held = how.count(StoppedBy.DENIED) + how.count(StoppedBy.REDACTED), how.count(StoppedBy.HELD)
    return Stops(caught, held, len(how) - caught - held)


def if_approved_words(scorecard: Scorecard) -> str:
    """
    `2 of 30 exposed attacks would have taken effect with a reviewer who agrees to everything`; "" where nothing was
    held that could have been agreed to, or somebody answered.
    """
    rate = scorecard.if_approved
    if rate is None or not rate.trials:
        return ""
    return (
        f"{rate.successes} of {rate.trials} exposed attacks would have taken effect "
        "with a reviewer who agrees to everything"
    )
