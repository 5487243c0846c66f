"""All controls' words on one call, as one ruling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from soclab.contracts.gate import Ruling
from soclab.contracts.proposal import ToolProposal
from soclab.contracts.vocabulary import Decision
from soclab.gateway.control import CallFacts, Control, deny

__all__ = ["ALLOWED", "CONTROL_FAULT", "decide"]

CONTROL_FAULT: Final = "control_fault"
ALLOWED: Final = Ruling(decision=Decision.ALLOW)


def decide(controls: Sequence[Control], proposal: ToolProposal, facts: CallFacts) -> Ruling:
    """
    Every control is asked; a denial hides no other denial, and it goes before a hold.

    A control that raises denies: what cannot be judged does not run.
    """
    objections = [(control.name, ruling) for control in controls if (ruling := _ask(control, proposal, facts))]
    for decision in (Decision.DENY, Decision.HOLD):
        given = [(name, ruling.reasons) for name, ruling in objections if ruling.decision is decision]
        if given:
            return Ruling(
                decision=decision,
                reasons=tuple(sorted({reason for _, reasons in given for reason in reasons})),
                controls=tuple(name for name, _ in given),
            )
    return ALLOWED


def _ask(control: Control, proposal: ToolProposal, facts: CallFacts) -> Ruling | None:
    try:
        return control.review(proposal, facts)
    except Exception:  # whatever it is, the call was not cleared
        return deny(CONTROL_FAULT)
