"""A run has so many calls, and its look-ups may ask for so many records."""

from __future__ import annotations

from soclab.contracts.gate import Ruling
from soclab.contracts.proposal import ToolProposal
from soclab.gateway.control import CallFacts, deny

__all__ = ["CALL_BUDGET"]


class CallBudget:
    name = "call_budget"
    reasons = ("call_budget_exceeded", "record_budget_exceeded")

    def review(self, proposal: ToolProposal, facts: CallFacts) -> Ruling | None:  # noqa: ARG002  a control's shape
        """Deny the call that would go over: counted is what was asked for, not what came back."""
        reasons = []
        if facts.context.calls_so_far >= facts.limits.max_calls:
            reasons.append("call_budget_exceeded")
        if facts.records_wanted and facts.records_asked + facts.records_wanted > facts.limits.max_records:
            reasons.append("record_budget_exceeded")
        return deny(*reasons)


CALL_BUDGET = CallBudget()
