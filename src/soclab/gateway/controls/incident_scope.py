"""Look-ups and targets are entities of this incident."""

from __future__ import annotations

from itertools import chain

from soclab.contracts.proposal import ToolProposal
from soclab.gateway.control import CallFacts
from soclab.gateway.measured import Measured
from soclab.gateway.targets import searched, targets

__all__ = ["INCIDENT_SCOPE"]


class IncidentScope:
    name = "incident_scope"
    reasons = ("out_of_scope",)

    def measure(self, proposal: ToolProposal, call: CallFacts, found: Measured) -> None:
        """Entities of the call, and those that neither the alert nor a whole value in shown evidence has named."""
        asked = [*chain(targets(proposal, call.spec), searched(proposal, call.spec, call.world))]
        outside = sum(not call.scope.holds(target.kind, target.text) for target in asked)
        found.targets, found.outside = len(asked), outside


INCIDENT_SCOPE = IncidentScope()
