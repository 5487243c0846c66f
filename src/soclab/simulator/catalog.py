"""Every tool by name, and as agents are told of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from soclab.contracts.agent_v1 import ToolOffer
from soclab.simulator.tool import ToolSpec
from soclab.simulator.tools import ACTIONS, READ_TOOLS

__all__ = ["ACTIONS", "READ_TOOLS", "TOOLS", "action_arguments", "action_offers", "read_offers", "tool_named"]

TOOLS: Mapping[str, ToolSpec] = MappingProxyType({tool.name: tool for tool in (*READ_TOOLS, *ACTIONS)})
"""Name -> tool: read tools in the contract's order, then the actions in the table's order."""

_READ_OFFERS = tuple(tool.offer for tool in READ_TOOLS)
_ACTION_OFFERS = tuple(tool.offer for tool in ACTIONS)
_ACTION_ARGUMENTS = MappingProxyType({tool.name: tool.argument_names for tool in ACTIONS})


def tool_named(name: str) -> ToolSpec | None:
    """The tool of exactly this name, or None."""
    return TOOLS.get(name)


def read_offers() -> tuple[ToolOffer, ...]:
    """The five read tools, in the contract's order."""
    return _READ_OFFERS


def action_offers() -> tuple[ToolOffer, ...]:
    """Every response action."""
    return _ACTION_OFFERS


def action_arguments() -> Mapping[str, tuple[str, ...]]:
    """Name of every response action -> names of its arguments."""
    return _ACTION_ARGUMENTS
