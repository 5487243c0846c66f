"""Look-ups and targets are entities of this incident."""

from __future__ import annotations

from itertools import chain

from soclab.contracts.gate import Ruling
from soclab.contracts.proposal import ToolProposal
from soclab.gateway.control import CallFacts, deny
from soclab.gateway.targets import searched, targets

__all__ = ["INCIDENT_SCOPE"]


class IncidentScope:
    name = "incident_scope"
    reasons = ("out_of_scope",)

    def review(self, proposal: ToolProposal, facts: CallFacts) -> Ruling | None:
        """Deny a call about an entity that neither the alert nor a whole value in shown evidence has named."""
        asked = chain(targets(proposal, facts.spec), searched(proposal, facts.spec, facts.world))
        inside = all(facts.scope.holds(target.kind, target.text) for target in asked)
        return None if inside else deny("out_of_scope")


INCIDENT_SCOPE = IncidentScope()
