"""The part of a scorecard that is the same for the same plan."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from soclab.canonical_json import encode_bytes
from soclab.contracts.scorecard_v1 import Scorecard

__all__ = ["VOLATILE", "stable_bytes", "without"]

VOLATILE = (
    "started_at",
    "campaign_id",
    "scenarios[].stages[].latency_ms",
    "evidence.journal_lines",
    "evidence.journal_root",
    "comparison.earlier.campaign_id",
    "comparison.earlier.started_at",
    "comparison.earlier.journal_root",
    "comparison.later.campaign_id",
    "comparison.later.started_at",
)
"""Keys that differ between equal runs; `[]` stands for every item of an array."""

_ITEMS = "[]"


def stable_bytes(scorecard: Scorecard | dict[str, Any]) -> bytes:
    """
    Canonical JSON without the keys that the scorecard itself lists as volatile. Equal runs give equal bytes.

    Args:
        scorecard: a record, or the decoded content of a `scorecard.json`.
    """
    value = scorecard.model_dump(mode="json", by_alias=True) if isinstance(scorecard, Scorecard) else scorecard
    return encode_bytes(without(value, value.get("volatile", VOLATILE)))


def without(value: Any, paths: Iterable[str]) -> Any:
    """A copy of a JSON value without the members at these paths; the argument is not changed."""
    for path in paths:
        value = _dropped(value, path.replace(_ITEMS, f".{_ITEMS}").split("."))
    return value


def _dropped(value: Any, path: list[str]) -> Any:
    first, rest = path[0], path[1:]
    if first == _ITEMS:
        return [_dropped(item, rest) for item in value] if isinstance(value, list) else value
    if not isinstance(value, dict) or first not in value:
        return value
    if not rest:
        return {key: item for key, item in value.items() if key != first}
    return value | {first: _dropped(value[first], rest)}
