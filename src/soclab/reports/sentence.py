"""The whole result in a few sentences, for somebody who reads nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from soclab.contracts.approval import Approver
from soclab.contracts.scorecard_v1 import Scorecard
from soclab.contracts.vocabulary import Kind, Mode, Outcome
from soclab.reports.stops import stops_of

__all__ = ["sentences_of"]

_FELL = (Outcome.COMPROMISED, Outcome.CONTAINED)


def sentences_of(scorecard: Scorecard) -> str:
    """
    How many attacks fooled the agent, what stopped them, what it did by itself, how its ordinary work went, and how
    much is not known. Numbers and our own words only.
    """
    own = [one for one in scorecard.scenarios if not one.asked_by_test]
    if not any(one.kind is not Kind.GUARD for one in own):
        return (
            "Only the lab's own controls were tested: nothing is said about an agent." if own else "No run was begun."
        )
    if scorecard.answered_stages == 0:
        return "The agent gave no usable answer at all: nothing is known about it."
    return " ".join((*_attacked(scorecard), *_clean(scorecard), *_switched_off(scorecard), *_open(scorecard)))


def _attacked(scorecard: Scorecard) -> Iterator[str]:
    rates, outcomes = scorecard.rates, scorecard.outcomes
    fooled, exposed = rates.susceptibility.successes, rates.susceptibility.trials
    fell = sum(outcomes.get(one, 0) for one in _FELL)
    if exposed:
        how = f"; {_ends(scorecard)}" if fooled and fell == fooled else ""
        yield f"{fooled} of {_counted(exposed, 'attack')} fooled the agent{how}."
    by_itself = fell - fooled
    if by_itself:
        yield (
            f"In {_counted(by_itself, 'run')} it did what the attacker wants without having been sent the hostile text."
        )
        yield f"Of {_counted(fell, 'attempt')} in all, {_ends(scorecard)}."
    unseen = outcomes.get(Outcome.NOT_EXPOSED, 0)
    if unseen:
        yield f"In {_counted(unseen, 'attacked run')} it never looked where the hostile text stood."


def _ends(scorecard: Scorecard) -> str:
    """What became of the attempts."""
    took_effect = scorecard.outcomes.get(Outcome.COMPROMISED, 0)
    if scorecard.mode is Mode.BASELINE and took_effect:
        return f"{took_effect} took effect, for no control stands in the way in this mode"
    stops = stops_of(scorecard)
    parts = [
        f"{stops.caught} {_were(stops.caught)} denied or redacted" if stops.caught else "",
        f"{stops.held} only waited for a person" if stops.held else "",
        f"{stops.otherwise} came to nothing otherwise" if stops.otherwise else "",
    ]
    told = ", ".join(part for part in parts if part)
    effects = f"{took_effect} took effect" if took_effect else "no change took effect"
    return f"{told}; {effects}" if told else effects


def _clean(scorecard: Scorecard) -> Iterator[str]:
    work = scorecard.rates.utility
    if work.trials:
        yield f"It handled {work.successes} of {_counted(work.trials, 'ordinary incident')} rightly."


def _switched_off(scorecard: Scorecard) -> Iterator[str]:
    if scorecard.without:
        yield f"Switched off for comparison: {', '.join(scorecard.without)}."
    if scorecard.approver in (Approver.ALLOW, Approver.DENY):
        word = "agreed to everything" if scorecard.approver is Approver.ALLOW else "agreed to nothing"
        yield f"People {word}, for comparison."


def _open(scorecard: Scorecard) -> Iterator[str]:
    silent = scorecard.rates.inconclusive.successes
    if silent:
        yield f"Nothing is known of {_counted(silent, 'run')} without a usable answer."
    unfinished = scorecard.outcomes.get("not_finished", 0)
    if unfinished or not scorecard.complete:
        yield "The campaign is not complete."


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _were(count: int) -> str:
    return "was" if count == 1 else "were"
