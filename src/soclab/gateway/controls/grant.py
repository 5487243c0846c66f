"""A change runs on a signed permit only."""

from __future__ import annotations

from soclab.contracts.proposal import ToolProposal
from soclab.gateway.control import CallFacts
from soclab.gateway.measured import Measured

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

    def measure(self, proposal: ToolProposal, call: CallFacts, found: Measured) -> None:
        """Nothing of a proposal: the grant comes after the permission."""


GRANT = Grant()
