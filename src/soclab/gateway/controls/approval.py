"""A change waits for a human."""

from __future__ import annotations

from soclab.contracts.proposal import ToolProposal
from soclab.gateway.control import CallFacts
from soclab.gateway.measured import Measured

__all__ = ["APPROVAL"]


class Approval:
    name = "approval"
    reasons = ("approval_denied", "approval_expired", "approval_required")

    def measure(self, proposal: ToolProposal, call: CallFacts, found: Measured) -> None:  # noqa: ARG002  a control's shape
        """What became of the approval of exactly this call."""
        found.approval = call.approval


APPROVAL = Approval()
