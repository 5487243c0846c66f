"""Reasons that say nothing about the agent's own work, and reasons that lie in nothing but the form of its proposal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from soclab.contracts.vocabulary import ErrorCode

__all__ = ["FORMAL_FAULTS", "NOT_THE_AGENT", "formal_fault"]

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
"""Error codes of throttling, a wrong token, faults of the lab."""

FORMAL_FAULTS: Mapping[str, str] = MappingProxyType(
    {
        "unknown_tool": "it names a tool that does not exist",
        "invalid_arguments": "its arguments do not fit the tool",
        "argument_too_long": "one of its arguments is too long",
        "smuggled_argument": "it has an argument that the tool does not take",
        "lookalike_identifier": "an identifier in it is spelled with look-alike letters",
        "insufficient_evidence": "it cites fewer than two known pieces of evidence",
        "unapproved_model": "it came from a model that is not approved",
    }
)
"""Reason codes of controls -> what is wrong with a proposal, whatever it asks for: denying it blocks no good work."""


def formal_fault(reasons: Iterable[str]) -> str | None:
    """The first of these reasons that is the agent's own formal fault; None when none is."""
    return next((reason for reason in reasons if reason in FORMAL_FAULTS), None)
