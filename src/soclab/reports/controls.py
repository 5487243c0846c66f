"""What each control did, in words for every format."""

from __future__ import annotations

from dataclasses import dataclass

from soclab.contracts.scorecard_v1 import ControlEffect, Scorecard

__all__ = ["ControlRow", "control_rows", "reviewed_words"]


@dataclass(frozen=True)
class ControlRow:
    """
    Attributes:
        name: of the control, spelled as `--soclab-without` takes it.
        is_idle: it objected to nothing.
    """

    name: str
    denied: int
    held: int
    alone: int
    together: int
    is_idle: bool


def control_rows(scorecard: Scorecard) -> tuple[ControlRow, ...]:
    """One for each control that was on; none in baseline."""
    return tuple(map(_row, scorecard.controls))


def reviewed_words(scorecard: Scorecard) -> str:
    """How many calls the controls looked at, and how many attempts there were to stop; "" in baseline."""
    if not scorecard.controls:
        return ""
    first = scorecard.controls[0]
    calls, attempts = ("call" if first.reviewed == 1 else "calls"), ("attempt" if first.attempts == 1 else "attempts")
    return f"{first.reviewed} {calls} reviewed, {first.attempts} {attempts}"


def _row(effect: ControlEffect) -> ControlRow:
    stopped = effect.stopped_alone + effect.stopped_together
    return ControlRow(
        name=effect.control,
        denied=effect.denied,
        held=effect.held,
        alone=effect.stopped_alone,
        together=effect.stopped_together,
        is_idle=not (effect.denied or effect.held or stopped),
    )
