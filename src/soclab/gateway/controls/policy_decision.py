"""What the policy says that is no other control's: the authority level, and a team's own rules."""

from __future__ import annotations

from soclab.contracts.proposal import ToolProposal
from soclab.gateway.control import CallFacts
from soclab.gateway.measured import Measured
from soclab.policy.engine import NO_PERMIT

__all__ = ["POLICY_DECISION"]


class PolicyDecisionControl:
    """Every reason of unknown origin is its own, too. That no policy could be asked is no reason to be dropped."""

    name = "policy_decision"
    reasons = ("authority_level", NO_PERMIT, "recommendation_only")

    def measure(self, proposal: ToolProposal, call: CallFacts, found: Measured) -> None:  # noqa: ARG002  a control's shape
        """The level under test."""
        found.level = call.limits.level


POLICY_DECISION = PolicyDecisionControl()
