"""The signed permit for one execution of one state change."""

from __future__ import annotations

from soclab.contracts.strict import Frozen

__all__ = ["Grant"]


class Grant(Frozen):
    """
    What `soclab.gateway.grants` signs. Whatever is changed in it, the signature no longer fits.

    Attributes:
        grant_id: 32 hexadecimal digits; good for one execution.
        proposal_sha256: of the whole proposal; `tool` and `arguments_sha256` only tell a refusal what was swapped.
        approval_id: of the approval that it rests on; None where the rules ask for none.
        obligations: what the rules attached to their permission, sorted.
        issued_at_ms, expires_at_ms: milliseconds since 1970, UTC.
        signature: HMAC-SHA256 over the canonical JSON of everything else, lower-case hexadecimal.
    """

    grant_id: str
    run_id: str
    proposal_sha256: str
    tool: str
    arguments_sha256: str
    policy_version: str
    approval_id: str | None
    obligations: tuple[str, ...]
    issued_at_ms: int
    expires_at_ms: int
    signature: str
