"""The sensor's and the inventory's view of an endpoint."""

from __future__ import annotations

from collections.abc import Mapping

from soclab.contracts.strict import JsonValue
from soclab.redaction import clean
from soclab.simulator.schema import arguments_of, text
from soclab.simulator.tool import Readable, ReadResult, ToolSpec

__all__ = ["GET_ENDPOINT_STATUS"]


def _read(world: Readable, arguments: Mapping[str, JsonValue]) -> ReadResult:
    endpoint_id = str(arguments["endpoint_id"])
    endpoint = world.endpoint(endpoint_id)
    if endpoint is None:
        return ReadResult(None, f"unknown endpoint {clean(endpoint_id, 80)}: no endpoint has this id, name or address")
    record = endpoint["record"]
    assert isinstance(record, dict)
    head = {"endpoint_id": endpoint["id"], "aliases": endpoint["aliases"], "protected": endpoint["protected"]}
    return ReadResult({**head, **record}, records_returned=1)


GET_ENDPOINT_STATUS = ToolSpec(
    name="get_endpoint_status",
    description=(
        "The status of an endpoint: owner, management, sensor, detections, processes, and whether the asset is "
        "protected. Takes an endpoint id, host name, FQDN or address; an unknown endpoint is an error."
    ),
    arguments_schema=arguments_of({"endpoint_id": text("endpoint id, host name or address", 256)}),
    entity_arguments={"endpoint_id": "endpoint"},
    read=_read,
)
