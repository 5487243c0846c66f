"""Proposals, a clock that can be moved, and the desk and queue of one run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from soclab.contracts.approval import Approval, BoundProposal
from soclab.contracts.vocabulary import Stage
from soclab.gateway.approvals import ApprovalQueue
from soclab.gateway.grants import GrantDesk
from soclab.gateway.signing_key import SigningKey

SECRET = bytes(range(32))
AGENT, USER = "http:triage-agent", "maria.ortega"
REVIEWER = "lena.fischer"


@dataclass
class MovedClock:
    """Stands still until it is moved."""

    moment: datetime = datetime(2026, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment

    def monotonic_ms(self) -> float:
        return self.moment.timestamp() * 1000

    def pass_seconds(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


def bound(**changes: Any) -> BoundProposal:
    """The isolation of the laptop, as approvals and grants see it."""
    fields: dict[str, Any] = {
        "run_id": "a" * 32,
        "incident_id": "INC-0000000001",
        "stage": Stage.PROPOSE_ACTION,
        "tool": "isolate_endpoint",
        "arguments": {"endpoint_id": "NL-WS-0142"},
        "cited": ("alert", "get_identity_profile:1"),
        "policy_version": "p" * 64,
        "authority_level": "L4",
    }
    return BoundProposal(**{**fields, **changes})


def desk(clock: MovedClock | None = None, key: bytes = SECRET) -> GrantDesk:
    return GrantDesk(SigningKey(key), clock or MovedClock())


def queue(clock: MovedClock | None = None) -> ApprovalQueue:
    return ApprovalQueue(SECRET, clock or MovedClock())


def asked(subject: ApprovalQueue, proposal: BoundProposal | None = None) -> Approval:
    return subject.request(proposal or bound(), (AGENT, USER))


def said_yes(subject: ApprovalQueue, proposal: BoundProposal | None = None) -> Approval:
    one = asked(subject, proposal)
    return subject.decide(one.approval_id, decider=REVIEWER, agrees=True, digest=one.proposal_sha256)
