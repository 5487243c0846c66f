"""The model that answers is the one that was approved."""

from __future__ import annotations

from soclab.contracts.gate import Ruling
from soclab.contracts.proposal import ToolProposal
from soclab.gateway.control import CallFacts, deny

__all__ = ["APPROVED_MODEL"]


class ApprovedModel:
    name = "approved_model"
    reasons = ("unapproved_model",)

    def review(self, proposal: ToolProposal, facts: CallFacts) -> Ruling | None:  # noqa: ARG002  a control's shape
        """Deny every call of a model whose label is not on the list; whether it is, the lab has looked up."""
        return None if facts.context.model_approved else deny("unapproved_model")


APPROVED_MODEL = ApprovedModel()
