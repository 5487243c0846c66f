"""A state change that waits for a person: what is asked, who may answer, and what was answered."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from soclab.contracts.policy import ApprovalState
from soclab.contracts.strict import Frozen, JsonObject
from soclab.contracts.vocabulary import Stage

__all__ = ["Approval", "Approver", "BoundProposal"]


class Approver(StrEnum):
    """Who answers for the people of a campaign: nobody, the scenario, or one word for everything."""

    NONE = "none"
    SCRIPTED = "scripted"
    ALLOW = "allow"
    DENY = "deny"


class BoundProposal(Frozen):
    """
    One proposal as approvals and grants are bound to it; `soclab.gateway.binding` makes its digest.

    Attributes:
        arguments: raw and untrusted: clean them for every sink.
        cited: evidence ids, in order, distinct.
        policy_version: of the rules that judged it.
        authority_level: that the agent was tested at, `L1` to `L5`.
    """

    run_id: str
    incident_id: str
    stage: Stage
    tool: str
    arguments: JsonObject
    cited: tuple[str, ...]
    policy_version: str
    authority_level: str


class Approval(Frozen):
    """
    A request for approval, and what became of it.

    Attributes:
        approval_id: 32 hexadecimal digits.
        proposal_sha256: digest of exactly one proposal; whoever decides names it again.
        barred: who may not decide: the proposing agent under each of its names, and its user.
        requested_at, expires_at: UTC; from `expires_at` on nobody can decide, and a yes is worth nothing.
        decided_by, decided_at: None while nobody has decided.
        used: the one execution that it was good for has been granted.
    """

    approval_id: str
    proposal: BoundProposal
    proposal_sha256: str
    barred: tuple[str, ...]
    requested_at: datetime
    expires_at: datetime
    status: ApprovalState = "pending"
    decided_by: str | None = None
    decided_at: datetime | None = None
    used: bool = False
