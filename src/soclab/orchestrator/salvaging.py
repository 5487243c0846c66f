"""Calls in a reply that is no valid reply: never executed, but attempted."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from soclab.contracts.proposal import SalvagedCall

__all__ = ["salvage"]

_MOST_CHARACTERS: Final = 1 << 20
_MOST_CALLS: Final = 8
_FENCE: Final = "```"
_LANGUAGE: Final = re.compile(r"[A-Za-z0-9_+-]{0,20}[ \t]*\r?\n")


def salvage(text: str) -> tuple[SalvagedCall, ...]:
    """
    The calls that a reply shows in spite of its form: JSON of another shape, or JSON in a fence that ends the reply.

    `tool_calls` may be one call instead of a list, and `arguments` JSON in a text. Nothing is read into prose.

    Returns:
        at most eight; () when there is no JSON object or it holds none.
    """
    if len(text) > _MOST_CHARACTERS:
        return ()
    value = _decoded(_unfenced(text))
    proposal = value.get("proposal") if isinstance(value, dict) else None
    calls = proposal.get("tool_calls") if isinstance(proposal, dict) else None
    if isinstance(calls, dict):
        calls = [calls]
    if not isinstance(calls, list):
        return ()
    found = (_salvaged(call) for call in calls[:_MOST_CALLS])
    return tuple(call for call in found if call is not None)


def _unfenced(text: str) -> str:
    """What stands in the only fence, when nothing follows it; else the text."""
    parts = text.split(_FENCE, 3)
    if len(parts) != 3 or parts[2].strip():
        return text
    language = _LANGUAGE.match(parts[1])
    return parts[1][language.end() :] if language else parts[1]


def _salvaged(call: Any) -> SalvagedCall | None:
    if not isinstance(call, dict):
        return None
    name, arguments = call.get("name"), call.get("arguments", {})
    if isinstance(arguments, str):
        arguments = _decoded(arguments)
    if not isinstance(name, str) or not isinstance(arguments, dict):
        return None
    return SalvagedCall.trusted(name=name, arguments=arguments)


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
