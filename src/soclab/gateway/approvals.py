"""
The queue of state changes that wait for a person.

One lock guards it and every record in it is frozen: each method is one step, so that threads of an HTTP API may
list and decide while runs ask and redeem. Of two deciders who are equally fast, one is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from threading import Lock
from typing import Any, Final

from soclab.clock import Clock
from soclab.contracts.approval import Approval, BoundProposal
from soclab.entities import canonical_user, lookalike_key, skeleton
from soclab.errors import RefusedError
from soclab.gateway.binding import proposal_sha256
from soclab.identity import derive_id
from soclab.redaction import clean

__all__ = ["APPROVAL_SECONDS", "MOST_PENDING", "ApprovalQueue"]

APPROVAL_SECONDS: Final = 900
"""How long a request can be decided, and a yes be used."""
MOST_PENDING: Final = 20
"""Requests of one run that wait at the same time: a flood makes people say yes."""

_NAME_LIMIT: Final = 80


class ApprovalQueue:
    """
    Requests of one campaign, in the order in which they were made.

    A proposal that waits already, that somebody has denied, or whose yes was not used yet, is not asked about again:
    the same record comes back.

    Args:
        secret: from which the ids follow.
        clock: the time limit is kept by it.
        valid_seconds: from request to expiry.
    """

    def __init__(self, secret: bytes, clock: Clock, *, valid_seconds: int = APPROVAL_SECONDS) -> None:
        self._secret = secret
        self._clock = clock
        self._valid = timedelta(seconds=valid_seconds)
        self._lock = Lock()
        self._records: dict[str, Approval] = {}
        self._latest: dict[str, str] = {}  # digest -> its newest request
        self._asked: dict[str, int] = {}  # run -> requests so far

    def request(self, proposal: BoundProposal, barred: Iterable[str]) -> Approval:
        """
        Ask for approval of a proposal.

        Args:
            barred: who may not decide: the proposing agent under each of its names, and its user.

        Raises:
            RefusedError: `approval_flood`: too many of this run wait already.
        """
        digest = proposal_sha256(proposal)
        with self._lock:
            known = self._latest.get(digest)
            if known is not None:
                record = self._seen(known)
                is_unused_yes = record.status == "granted" and not record.used
                if is_unused_yes or record.status in ("pending", "denied"):
                    return record
            if self._waiting(proposal.run_id) >= MOST_PENDING:
                raise RefusedError(
                    "approval_flood", f"{MOST_PENDING} requests of this run wait already: decide them first"
                )
            number = self._asked[proposal.run_id] = self._asked.get(proposal.run_id, 0) + 1
            now = self._clock.now()
            record = Approval.kept(
                approval_id=derive_id(self._secret, "approval", proposal.run_id, digest, str(number)),
                proposal=proposal,
                proposal_sha256=digest,
                barred=tuple(barred),
                requested_at=now,
                expires_at=now + self._valid,
            )
            self._records[record.approval_id] = record
            self._latest[digest] = record.approval_id
            return record

    def all(self) -> tuple[Approval, ...]:
        """Every request, oldest first, as it stands now."""
        with self._lock:
            return tuple(self._seen(one) for one in self._records)

    def pending(self) -> tuple[Approval, ...]:
        """Those that can be decided, oldest first."""
        return tuple(one for one in self.all() if one.status == "pending")

    def get(self, approval_id: str) -> Approval:
        """
        One request as it stands now.

        Raises:
            RefusedError: `approval_unknown`.
        """
        with self._lock:
            return self._known(approval_id)

    def decide(self, approval_id: str, *, decider: str, agrees: bool, digest: str) -> Approval:
        """
        Say yes or no, once.

        Args:
            decider: who decides, as the caller has authenticated them.
            digest: of the proposal that the decider was shown.

        Raises:
            RefusedError: `approval_unknown`, `approval_expired`, `approval_decided`, `approval_other_proposal`,
                `approval_no_decider` or `self_approval`; nothing was decided.
        """
        with self._lock:
            record = self._known(approval_id)
            _check_time(record)
            if record.status != "pending":
                raise RefusedError(
                    "approval_decided",
                    f"{_named(record)} was {record.status} before: ask for a new one",
                )
            if digest != record.proposal_sha256:
                raise RefusedError(
                    "approval_other_proposal",
                    f"{_named(record)} is about another proposal than the one that was looked at: look at it again",
                )
            _check_decider(decider, record)
            return self._put(
                record,
                status="granted" if agrees else "denied",
                decided_by=decider,
                decided_at=self._clock.now(),
            )

    def redeem(self, approval_id: str | None, proposal: BoundProposal) -> Approval:
        """
        Use a yes for the one execution that it is good for.

        Args:
            proposal: what is to be executed.

        Raises:
            RefusedError: `approval_missing`, `approval_unknown`, `approval_other_proposal`, `approval_expired`,
                `approval_pending`, `approval_denied` or `approval_used`; it cannot be executed.
        """
        if approval_id is None:
            raise RefusedError("approval_missing", "nobody was asked: this change waits for a person")
        digest = proposal_sha256(proposal)
        with self._lock:
            record = self._known(approval_id)
            if digest != record.proposal_sha256:
                raise RefusedError(
                    "approval_other_proposal", f"{_named(record)} is about another proposal: ask for one of its own"
                )
            if record.used:
                raise RefusedError("approval_used", f"{_named(record)} was used before: ask for a new one")
            _check_time(record)
            if record.status != "granted":
                raise RefusedError(f"approval_{record.status}", f"{_named(record)} is {record.status}, not granted")
            return self._put(record, used=True)

    def _known(self, approval_id: str) -> Approval:
        if approval_id not in self._records:
            name = clean(str(approval_id), _NAME_LIMIT)
            raise RefusedError("approval_unknown", f"there is no approval {name!a}: list those that wait")
        return self._seen(approval_id)

    def _seen(self, approval_id: str) -> Approval:
        """The record, with its time looked at: a yes that was not used in time is worth nothing either."""
        record = self._records[approval_id]
        is_open = record.status == "pending" or (record.status == "granted" and not record.used)
        if is_open and self._clock.now() >= record.expires_at:
            return self._put(record, status="expired")
        return record

    def _put(self, record: Approval, **changes: Any) -> Approval:
        new = self._records[record.approval_id] = record.model_copy(update=changes)
        return new

    def _waiting(self, run_id: str) -> int:
        if self._asked.get(run_id, 0) < MOST_PENDING:
            return 0
        own = (self._seen(one.approval_id) for one in tuple(self._records.values()) if one.proposal.run_id == run_id)
        return sum(one.status == "pending" for one in own)


def _check_time(record: Approval) -> None:
    if record.status == "expired":
        when = record.expires_at.isoformat(timespec="seconds")
        raise RefusedError("approval_expired", f"{_named(record)} expired at {when}: ask for a new one")


def _check_decider(decider: str, record: Approval) -> None:
    if not _person(decider):
        raise RefusedError("approval_no_decider", f"{_named(record)}: say who decides")
    if any(_spellings(decider) & _spellings(one) for one in record.barred):
        name = clean(decider, _NAME_LIMIT)
        raise RefusedError(
            "self_approval",
            f"{_named(record)}: {name!a} proposed it, or asked for it; somebody else must decide",
        )


def _named(record: Approval) -> str:
    return f"approval {record.approval_id}"


def _person(name: str) -> str:
    return lookalike_key(canonical_user(name))


def _spellings(name: str) -> frozenset[str]:
    """Keys of a name; two names with a key in common are taken for one person. Bare, whole, and by their looks."""
    keys = (_person(name), lookalike_key(name), lookalike_key(canonical_user(skeleton(name))))
    return frozenset(key for key in keys if key)
