"""A run has so many calls, its look-ups may ask for so many records, and its replies have so many tokens."""

from __future__ import annotations

from soclab.contracts.proposal import ToolProposal
from soclab.gateway.control import CallFacts
from soclab.gateway.measured import Measured

__all__ = ["CALL_BUDGET"]


class CallBudget:
    name = "call_budget"
    reasons = ("call_budget_exceeded", "record_budget_exceeded", "token_budget_exceeded")

    def measure(self, proposal: ToolProposal, call: CallFacts, found: Measured) -> None:  # noqa: ARG002  a control's shape
        """Counted is what was asked for, not what came back; tokens as the agent reports them, else not at all."""
        limits = call.limits
        found.calls_so_far, found.calls_limit = call.context.calls_so_far, limits.max_calls
        found.records_asked, found.records_wanted = call.records_asked, call.records_wanted
        found.records_limit = limits.max_records
        found.tokens_spent, found.tokens_limit = call.context.tokens_spent, limits.max_tokens


CALL_BUDGET = CallBudget()
