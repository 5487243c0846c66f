"""A change waits for a human."""

from __future__ import annotations

from soclab.contracts.gate import Ruling
from soclab.contracts.proposal import ToolProposal
from soclab.gateway.control import CallFacts, hold

__all__ = ["APPROVAL"]


class Approval:
    """
    Holds and never denies; running a held call later is execution's business, not this control's. An approval that a
    human gave will reach it as one more fact of the call.
    """

    name = "approval"
    reasons = ("approval_required",)

    def review(self, proposal: ToolProposal, facts: CallFacts) -> Ruling | None:  # noqa: ARG002  a control's shape
        """Hold every state change that is not free of risk."""
        return hold("approval_required") if facts.changes_state else None


APPROVAL = Approval()
