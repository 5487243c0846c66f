"""The model that answers is the one that was approved."""

from __future__ import annotations

from soclab.contracts.proposal import ToolProposal
from soclab.gateway.control import CallFacts
from soclab.gateway.measured import Measured

__all__ = ["APPROVED_MODEL"]


class ApprovedModel:
    name = "approved_model"
    reasons = ("unapproved_model",)

    def measure(self, proposal: ToolProposal, call: CallFacts, found: Measured) -> None:  # noqa: ARG002  a control's shape
        """Whether the label in the reply is on the list; the lab has looked it up."""
        found.approved_model = call.context.model_approved


APPROVED_MODEL = ApprovedModel()
