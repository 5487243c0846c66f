"""Signed permits: made after a permission, good for one execution of one proposal, for a short time."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from threading import Lock
from typing import Any, Final

from soclab.clock import Clock
from soclab.contracts.approval import BoundProposal
from soclab.contracts.grant import Grant
from soclab.errors import RefusedError
from soclab.gateway.binding import arguments_sha256, proposal_sha256
from soclab.gateway.signing_key import SigningKey

__all__ = ["GRANT_SECONDS", "GrantDesk"]

GRANT_SECONDS: Final = 30


class GrantDesk:
    """
    Issues and checks the grants of one run. It keeps the ids that were used; every method is one step under one lock.

    Args:
        clock: the time limit is kept by it.
    """

    def __init__(self, key: SigningKey, clock: Clock, *, valid_seconds: int = GRANT_SECONDS) -> None:
        self._key = key
        self._clock = clock
        self._valid_ms = valid_seconds * 1000
        self._lock = Lock()
        self._issued = 0
        self._used: set[str] = set()

    def issue(
        self, proposal: BoundProposal, *, approval_id: str | None = None, obligations: Iterable[str] = ()
    ) -> Grant:
        """
        A grant for this proposal. Whoever calls has the permission, and has redeemed the approval that it rests on.
        """
        digest = proposal_sha256(proposal)
        with self._lock:
            self._issued += 1
            number = self._issued
        now = self._now_ms()
        fields = {
            "grant_id": self._key.id_of(proposal.run_id, digest, str(number)),
            "run_id": proposal.run_id,
            "proposal_sha256": digest,
            "tool": proposal.tool,
            "arguments_sha256": arguments_sha256(proposal.arguments),
            "policy_version": proposal.policy_version,
            "approval_id": approval_id,
            "obligations": tuple(sorted(obligations)),
            "issued_at_ms": now,
            "expires_at_ms": now + self._valid_ms,
        }
        return Grant.trusted(**fields, signature=self._key.sign(_signed(fields)))

    def redeem(self, grant: Grant | None, proposal: BoundProposal) -> Grant:
        """
        Use a grant for the execution of this proposal; a second time it is refused.

        Returns:
            the grant, whose obligations the execution must keep.

        Raises:
            RefusedError: `grant_missing`, `grant_forged`, `grant_other_run`, `grant_other_policy`, `grant_other_tool`,
                `grant_other_arguments`, `grant_other_proposal`, `grant_expired` or `grant_reused`.
        """
        if grant is None:
            raise RefusedError("grant_missing", f"{proposal.tool} changes the state and came without a grant")
        fields = grant.model_dump()
        given = str(fields.pop("signature"))
        if not hmac.compare_digest(given.encode("utf-8", "replace"), self._key.sign(_signed(fields)).encode()):
            raise RefusedError(
                "grant_forged", "the signature is not ours, or the grant was changed after it was signed"
            )
        _check_binding(grant, proposal)
        with self._lock:
            if grant.grant_id in self._used:
                raise RefusedError("grant_reused", "the grant was used before: it is good for one execution")
            if not grant.issued_at_ms <= self._now_ms() < grant.expires_at_ms:
                raise RefusedError("grant_expired", "the grant's time is over: have the proposal judged again")
            self._used.add(grant.grant_id)
        return grant

    def _now_ms(self) -> int:
        return int(self._clock.now().timestamp() * 1000)


def _signed(fields: dict[str, Any]) -> dict[str, Any]:
    return {**fields, "obligations": list(fields["obligations"])}


def _check_binding(grant: Grant, proposal: BoundProposal) -> None:
    """What was swapped, most telling first."""
    if grant.run_id != proposal.run_id:
        raise RefusedError("grant_other_run", "the grant belongs to another run")
    if grant.policy_version != proposal.policy_version:
        raise RefusedError("grant_other_policy", "the grant was given under another version of the policy")
    if grant.tool != proposal.tool:
        raise RefusedError("grant_other_tool", f"the grant is for {grant.tool}, not for {proposal.tool}")
    if grant.arguments_sha256 != arguments_sha256(proposal.arguments):
        raise RefusedError("grant_other_arguments", f"the grant is for {grant.tool} with other arguments")
    if grant.proposal_sha256 != proposal_sha256(proposal):
        raise RefusedError("grant_other_proposal", "the grant is for a proposal of another stage, evidence or level")
