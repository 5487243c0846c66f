"""A change waits for a human."""

from __future__ import annotations

from soclab.contracts.gate import Ruling
from soclab.contracts.proposal import ToolProposal
from soclab.gateway.control import CallFacts, deny, hold

__all__ = ["APPROVAL"]


class Approval:
    """What people said reaches it as one more fact of the call."""

    name = "approval"
    reasons = ("approval_denied", "approval_expired", "approval_required")

    def review(self, proposal: ToolProposal, facts: CallFacts) -> Ruling | None:  # noqa: ARG002  a control's shape
        """Hold every state change that is not free of risk until people agree; deny it when they do not."""
        if not facts.changes_state or facts.approval == "granted":
            return None
        if facts.approval in ("denied", "expired"):
            return deny(f"approval_{facts.approval}")
        return hold("approval_required")


APPROVAL = Approval()
