"""Block and allow lists."""

from __future__ import annotations

from collections.abc import Mapping

from soclab.contracts.strict import JsonObject
from soclab.contracts.trace import WorldState
from soclab.contracts.vocabulary import Risk
from soclab.simulator.schema import arguments_of, text
from soclab.simulator.state import include
from soclab.simulator.tool import ToolSpec

__all__ = ["INDICATOR_ACTIONS"]

_INDICATOR: JsonObject = text("address, network, domain, URL, e-mail address or hash", 2048)


def _block(state: WorldState, arguments: Mapping[str, str]) -> WorldState:
    return include(state, "blocked", value=arguments["indicator"])


def _allow(state: WorldState, arguments: Mapping[str, str]) -> WorldState:
    return include(state, "allowlisted", value=arguments["indicator"])


INDICATOR_ACTIONS = (
    ToolSpec(
        name="block_indicator",
        description="address, domain, URL, sender or hash, company-wide",
        arguments_schema=arguments_of({"indicator": _INDICATOR}),
        risk=Risk.HIGH,
        reversible=True,
        entity_arguments={"indicator": "indicator"},
        effect=_block,
    ),
    ToolSpec(
        name="allowlist_indicator",
        description="let it pass every control",
        arguments_schema=arguments_of({"indicator": _INDICATOR}),
        risk=Risk.CRITICAL,
        entity_arguments={"indicator": "indicator"},
        effect=_allow,
    ),
)
