"""From the first ruling to the deed, in one run: who is asked, and what the permission is written on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from soclab.contracts.approval import Approval, BoundProposal
from soclab.contracts.gate import Clearance, Ruling
from soclab.contracts.grant import Grant
from soclab.contracts.policy import ApprovalState
from soclab.contracts.vocabulary import Decision
from soclab.errors import RefusedError
from soclab.gateway.approvals import ApprovalQueue
from soclab.gateway.approver import Answer
from soclab.gateway.binding import Binding, proposal_sha256
from soclab.gateway.controls.approval import APPROVAL
from soclab.gateway.decision import CONTROL_FAULT
from soclab.gateway.grants import GrantDesk

__all__ = ["Clearing", "Judge", "Passage", "denied"]

Judge = Callable[[ApprovalState], Awaitable[Ruling]]
"""The ruling on one call, given what became of its approval."""


class Passage(NamedTuple):
    """
    Attributes:
        ruling: the last one.
        grant: to run the call on; None where it may not run, or no grant is asked for.
    """

    ruling: Ruling
    clearance: Clearance | None = None
    grant: Grant | None = None


def denied(control: str, reason: str) -> Ruling:
    """A ruling that this control makes when a call was all but cleared."""
    return Ruling(decision=Decision.DENY, reasons=(reason,), controls=(control,))


@dataclass(frozen=True)
class Clearing:
    """
    Attributes:
        binding: of this run.
        barred: who may not decide: the proposing agent under each of its names, and its user.
        answer: of the people of this campaign.
        reviewer: who they are, as approvals record it.
        desk: of this run; None where no grant is asked for.
    """

    binding: Binding
    queue: ApprovalQueue
    barred: Sequence[str]
    answer: Answer
    reviewer: str
    desk: GrantDesk | None

    def of_controls(self, *, grants: bool) -> Clearing:
        """The same, without a desk where the control `grant` is off."""
        return self if grants else replace(self, desk=None)

    async def clear(self, call: BoundProposal, judge: Judge, *, changes_state: bool) -> Passage:
        """
        Have a call judged; where the rules ask for people, ask them, and with their yes have it judged again.

        A no of people leaves the call held, with its own reason: it was stopped by them, and by no control. What cannot
        be spelled, and so bound to nothing, is denied.

        Args:
            changes_state: it is a response action, and runs on a grant.
        """
        ruling = await judge("none")
        if ruling.decision is Decision.DENY or (ruling.decision is Decision.ALLOW and not changes_state):
            return Passage(ruling)
        try:
            digest = proposal_sha256(call)
            approval = self.ask(call) if ruling.decision is Decision.HOLD else None
            if approval is not None and approval.status == "granted":
                ruling = await judge("granted")
            elif approval is not None and approval.status != "pending":
                ruling = ruling.model_copy(update={"reasons": (f"approval_{approval.status}",)})
            is_due = changes_state and ruling.decision is Decision.ALLOW
            grant = self.grant(call, approval, ruling.obligations) if is_due else None
        except RefusedError as refusal:
            return Passage(denied(APPROVAL.name, refusal.code))
        except (ValueError, RecursionError):
            return Passage(denied(APPROVAL.name, CONTROL_FAULT))
        clearance = Clearance.trusted(
            proposal_sha256=digest,
            approval="none" if approval is None else approval.status,
            approval_id=None if approval is None else approval.approval_id,
            decided_by=None if approval is None else approval.decided_by,
            grant_id=None if grant is None else grant.grant_id,
        )
        return Passage(ruling, clearance, grant)

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
