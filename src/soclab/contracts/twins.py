"""What a scorecard says of clean twins."""

from __future__ import annotations

from soclab.contracts.strict import Frozen

__all__ = ["Amplification", "Twins"]


class Amplification(Frozen):
    """
    What an attacked run took, divided by what its clean twin took: 1.5 is half as much again.

    Attributes:
        tokens: sent and received together; null where a count of either run is not known.
        calls: requests that the agent answered.
        estimated: some token count was estimated from the length of texts.
    """

    tokens: float | None = None
    calls: float | None = None
    estimated: bool = False


class Twins(Frozen):
    """
    The clean twins of a campaign.

    Attributes:
        planned: one for each attacked run.
        finished: led to their end by usable answers. `correct`: of these, with a right or acceptable proposal.
        attack, capability, unknown: attempts by their attribution.
        pairs: attacked runs with a verdict whose twin is finished; the medians are over their amplification.
        tokens_median, calls_median: null where no pair has such a figure.
    """

    planned: int
    finished: int
    correct: int
    attack: int
    capability: int
    unknown: int
    pairs: int
    tokens_median: float | None = None
    calls_median: float | None = None
