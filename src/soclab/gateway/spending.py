"""How many records a look-up asks for, known before it is run."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from soclab.contracts.strict import JsonValue
from soclab.simulator.tool import ToolSpec

__all__ = ["records_wanted"]

# Look-ups that give lists of a length the agent cannot choose; `World.read` counts the same.
_FIXED: Final[Mapping[str, int]] = MappingProxyType({"search_siem_events": 50})


def records_wanted(spec: ToolSpec | None, arguments: Mapping[str, JsonValue]) -> int:
    """`limit` or its default where the tool has one, else what it always gives; 0 for what is no look-up."""
    if spec is None or not spec.reads:
        return 0
    properties = spec.arguments_schema["properties"]
    rule = properties.get("limit") if isinstance(properties, dict) else None
    if not isinstance(rule, dict):
        return _FIXED.get(spec.name, 1)
    limit = arguments.get("limit", rule.get("default"))
    if isinstance(limit, bool) or not isinstance(limit, int | float) or limit % 1:
        return 1
    return max(int(limit), 0)
