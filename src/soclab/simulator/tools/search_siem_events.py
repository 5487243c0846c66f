"""Search the SIEM: free text in, events out."""

from __future__ import annotations

from collections.abc import Mapping

from soclab.contracts.strict import JsonValue
from soclab.simulator.schema import arguments_of, text
from soclab.simulator.tool import Readable, ReadResult, ToolSpec

__all__ = ["SEARCH_SIEM_EVENTS"]

_AT_MOST = 50


def _read(world: Readable, arguments: Mapping[str, JsonValue]) -> ReadResult:
    found = world.events(str(arguments["query"]))
    shown: list[JsonValue] = [*found[-_AT_MOST:]]
    result: dict[str, JsonValue] = {"events": shown, "total": len(found), "returned": len(shown)}
    return ReadResult(result, records_requested=_AT_MOST, records_returned=len(shown))


SEARCH_SIEM_EVENTS = ToolSpec(
    name="search_siem_events",
    description=(
        "Search SIEM events. The query is free text: user ids and aliases, hosts, addresses, domains, e-mail "
        "addresses and hashes in it, in any spelling, select the events that hold one of them; query language around "
        "them is ignored. A query without such an entity gives the incident's events. Returns at most 50 events, "
        "newest last, with total and returned."
    ),
    arguments_schema=arguments_of({"query": text("entities to search for, as free text", 2000)}),
    read=_read,
)
