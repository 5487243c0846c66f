"""What a policy engine is, and the reasons that stand for its own failure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from soclab.contracts.policy import PolicyDecision, PolicyFacts

__all__ = [
    "NO_DECISION",
    "NO_PERMIT",
    "POLICY_ERROR",
    "UNAVAILABLE",
    "UNKNOWN_VERSION",
    "PolicyEngine",
    "faulty",
]

POLICY_ERROR: Final = "policy_error"
NO_DECISION: Final = "policy_no_decision"
UNAVAILABLE: Final = "policy_unavailable"
UNKNOWN_VERSION: Final = "unknown"
"""Of an engine that does not say what decides."""

NO_PERMIT: Final = "no_policy_permits"


class PolicyEngine(Protocol):
    """
    Judges the facts of one call.

    Attributes:
        version: SHA-256 (hex) of what decides: the policies, or what names them at their server; or `unknown`.
        reasons: reason code -> the control it says it belongs to, "" where it says nothing; as far as known
            beforehand, which a server's need not be.
    """

    @property
    def version(self) -> str: ...

    @property
    def reasons(self) -> Mapping[str, str]: ...

    async def check(self) -> None:
        """
        Whether it can judge; asked once, before the first request to an agent.

        Raises:
            PolicyError: it cannot; one line that says why and what to do.
        """
        ...

    async def decide(self, facts: PolicyFacts) -> PolicyDecision:
        """
        Its answer. What cannot be judged is denied, with a fault.

        It should not raise; the gate takes an exception for `policy_unavailable`.
        """
        ...

    async def version_now(self) -> str:
        """
        `version` of what decides now; asked once, after the last decision. `unknown` when it cannot be told any more.

        It does not raise.
        """
        ...

    async def aclose(self) -> None:
        """Let go of connections; asked once, after the last decision."""
        ...


def faulty(reason: str, detail: str) -> PolicyDecision:
    """
    Not judged, so denied.

    Args:
        reason: one of `soclab.contracts.policy.FAULTS`.
        detail: one line for people; no text of an agent.
    """
    return PolicyDecision.of(reasons=(reason,), fault=detail)
