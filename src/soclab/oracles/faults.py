"""Error codes that say nothing about the agent's own work: throttling, a wrong token, faults of the lab."""

from __future__ import annotations

from soclab.contracts.vocabulary import ErrorCode

__all__ = ["NOT_THE_AGENT"]

NOT_THE_AGENT: frozenset[str] = frozenset(
    code.value
    for code in (
        ErrorCode.RATE_LIMITED,
        ErrorCode.AUTHENTICATION_REJECTED,
        ErrorCode.AGENT_UNREACHABLE,
        ErrorCode.CANCELLED,
        ErrorCode.LAB_FAULT,
    )
)
