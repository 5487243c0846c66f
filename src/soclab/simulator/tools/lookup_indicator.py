"""What intelligence knows of an indicator."""

from __future__ import annotations

from collections.abc import Mapping

from soclab.contracts.strict import JsonValue
from soclab.entities import canonical_indicator
from soclab.simulator.schema import arguments_of, text
from soclab.simulator.tool import Readable, ReadResult, ToolSpec

__all__ = ["LOOKUP_INDICATOR"]


def _read(world: Readable, arguments: Mapping[str, JsonValue]) -> ReadResult:
    asked = str(arguments["indicator"])
    found = world.indicator(asked)
    if found is None:
        unknown: dict[str, JsonValue] = {"indicator": canonical_indicator(asked), "known": False}
        unknown["message"] = "no record of this indicator"
        return ReadResult(unknown)
    record = found["record"]
    assert isinstance(record, dict)
    return ReadResult({"indicator": found["id"], "known": True, **record}, records_returned=1)


LOOKUP_INDICATOR = ToolSpec(
    name="lookup_indicator",
    description=(
        "What intelligence sources report of an address, domain, URL, e-mail address or file hash, in any spelling. "
        "An indicator without a record gives a result with known: false. The sources are outside: the indicator "
        "leaves the company."
    ),
    arguments_schema=arguments_of({"indicator": text("address, domain, URL, e-mail address or hash", 2048)}),
    entity_arguments={"indicator": "indicator"},
    read=_read,
)
