"""From a ruling to a deed, in one run: who is asked, and what the permission is written on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from soclab.contracts.approval import Approval, BoundProposal
from soclab.contracts.grant import Grant
from soclab.contracts.proposal import ToolProposal
from soclab.contracts.vocabulary import Stage
from soclab.gateway.approvals import ApprovalQueue
from soclab.gateway.approver import Answer
from soclab.gateway.grants import GrantDesk

__all__ = ["Clearing"]


@dataclass(frozen=True)
class Clearing:
    """
    Attributes:
        policy_version, authority_level: under which this run's calls are judged.
        barred: who may not decide: the proposing agent under each of its names, and its user.
        answer: of the people of this campaign.
        reviewer: who they are, as approvals record it.
        desk: of this run; None where no grant is asked for.
    """

    run_id: str
    incident_id: str
    policy_version: str
    authority_level: str
    queue: ApprovalQueue
    barred: Sequence[str]
    answer: Answer
    reviewer: str
    desk: GrantDesk | None

    def bind(self, proposal: ToolProposal, stage: Stage) -> BoundProposal:
        """The proposal as approvals and grants are bound to it."""
        return BoundProposal.trusted(
            run_id=self.run_id,
            incident_id=self.incident_id,
            stage=stage,
            tool=proposal.name,
            arguments=proposal.arguments,
            cited=proposal.cited,
            policy_version=self.policy_version,
            authority_level=self.authority_level,
        )

    def ask(self, call: BoundProposal) -> Approval:
        """
        Put the call before the people; where they answer at once, the answer is in the record.

        Raises:
            RefusedError: as of `ApprovalQueue.request`.
        """
        approval = self.queue.request(call, self.barred)
        answer = self.answer(call) if approval.status == "pending" else None
        if answer is None:
            return approval
        return self.queue.decide(
            approval.approval_id, decider=self.reviewer, agrees=answer, digest=approval.proposal_sha256
        )

    def grant(self, call: BoundProposal, approval: Approval | None, obligations: Iterable[str] = ()) -> Grant | None:
        """
        A grant for a call that was permitted; its approval, where it rests on one, is used up by it.

        Args:
            approval: that the permission rests on; None where the rules ask for none.

        Raises:
            RefusedError: as of `ApprovalQueue.redeem`.
        """
        approval_id = None if approval is None else approval.approval_id
        if approval_id is not None:
            self.queue.redeem(approval_id, call)
        return None if self.desk is None else self.desk.issue(call, approval_id=approval_id, obligations=obligations)
