"""What all runs of a campaign share of approvals and grants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from soclab.clock import Clock
from soclab.contracts.approval import Approver
from soclab.contracts.scenario_v1 import ApprovalRule
from soclab.gateway.approvals import ApprovalQueue
from soclab.gateway.approver import answers_of
from soclab.gateway.binding import Binding
from soclab.gateway.clearing import Clearing
from soclab.gateway.grants import GrantDesk
from soclab.gateway.signing_key import SigningKey
from soclab.simulator.world import World

__all__ = ["ControlPlane"]


@dataclass(frozen=True)
class ControlPlane:
    """
    Attributes:
        secret: of the campaign; runs get keys of their own from it where no key was given.
        key: that the user gave; None for none.
        barred: who may not decide: the agent under each of its names.
        policy_version, authority_level: under which calls are judged.
    """

    secret: bytes
    clock: Clock
    queue: ApprovalQueue
    approver: Approver = Approver.NONE
    key: SigningKey | None = None
    barred: tuple[str, ...] = ()
    policy_version: str = ""
    authority_level: str = "L4"

    def desk(self, run_id: str) -> GrantDesk:
        """The grants of one run."""
        return GrantDesk(self.key or SigningKey.derived(self.secret, run_id), self.clock)

    def clearing(self, run_id: str, incident_id: str, world: World, rules: Sequence[ApprovalRule] = ()) -> Clearing:
        """
        What one run needs.

        Args:
            rules: what the scenario's people agree to.
        """
        return Clearing(
            binding=Binding(run_id, incident_id, self.policy_version, self.authority_level),
            queue=self.queue,
            barred=self.barred,
            answer=answers_of(self.approver, rules, world),
            reviewer=f"soclab reviewer ({self.approver.value})",
            desk=self.desk(run_id),
        )
