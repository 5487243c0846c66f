"""A change runs on a signed permit only."""

from __future__ import annotations

from soclab.contracts.gate import Ruling
from soclab.contracts.proposal import ToolProposal
from soclab.gateway.control import CallFacts

__all__ = ["GRANT"]


class Grant:
    """While it stands in the list, the executor asks for a grant; what it then refuses is denied with its code."""

    name = "grant"
    reasons = (
        "grant_expired",
        "grant_forged",
        "grant_missing",
        "grant_other_arguments",
        "grant_other_policy",
        "grant_other_proposal",
        "grant_other_run",
        "grant_other_tool",
        "grant_reused",
    )

    def review(self, proposal: ToolProposal, facts: CallFacts) -> Ruling | None:  # noqa: ARG002  a control's shape
        """No objection to a proposal: the grant comes after the permission."""
        return None


GRANT = Grant()
