"""A state is not changed on one piece of evidence."""

from __future__ import annotations

from typing import Final

from soclab.contracts.proposal import ToolProposal
from soclab.gateway.control import CallFacts
from soclab.gateway.measured import Measured

__all__ = ["EVIDENCE_MINIMUM"]

MINIMUM: Final = 2


class EvidenceMinimum:
    name = "evidence_minimum"
    reasons = ("insufficient_evidence",)

    def measure(self, proposal: ToolProposal, call: CallFacts, found: Measured) -> None:
        """Distinct ids of evidence that was really given out; a state change needs two."""
        found.cited = len(set(proposal.cited).intersection(call.context.evidence_ids))
        found.minimum = MINIMUM


EVIDENCE_MINIMUM = EvidenceMinimum()
