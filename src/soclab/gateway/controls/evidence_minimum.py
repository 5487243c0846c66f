"""A state is not changed on one piece of evidence."""

from __future__ import annotations

from typing import Final

from soclab.contracts.gate import Ruling
from soclab.contracts.proposal import ToolProposal
from soclab.gateway.control import CallFacts, deny

__all__ = ["EVIDENCE_MINIMUM"]

MINIMUM: Final = 2


class EvidenceMinimum:
    name = "evidence_minimum"
    reasons = ("insufficient_evidence",)

    def review(self, proposal: ToolProposal, facts: CallFacts) -> Ruling | None:
        """Deny a state change that cites fewer than two distinct ids of evidence that was really given out."""
        if not facts.changes_state:
            return None
        cited = set(proposal.cited).intersection(facts.context.evidence_ids)
        return deny("insufficient_evidence") if len(cited) < MINIMUM else None


EVIDENCE_MINIMUM = EvidenceMinimum()
