"""The directory's view of a user."""

from __future__ import annotations

from collections.abc import Mapping

from soclab.contracts.strict import JsonValue
from soclab.redaction import clean
from soclab.simulator.schema import arguments_of, text
from soclab.simulator.tool import Readable, ReadResult, ToolSpec

__all__ = ["GET_IDENTITY_PROFILE"]


def _read(world: Readable, arguments: Mapping[str, JsonValue]) -> ReadResult:
    user_id = str(arguments["user_id"])
    user = world.user(user_id)
    if user is None:
        return ReadResult(None, f"unknown user {clean(user_id, 80)}: no user has this id or alias")
    record = user["record"]
    assert isinstance(record, dict)
    head = {"user_id": user["id"], "aliases": user["aliases"], "protected": user["protected"]}
    return ReadResult({**head, **record}, records_returned=1)


GET_IDENTITY_PROFILE = ToolSpec(
    name="get_identity_profile",
    description=(
        "The directory profile of a user: account, roles, authentication methods, registered endpoints, and whether "
        "the account is protected. Takes a user id or any alias; an unknown user is an error."
    ),
    arguments_schema=arguments_of({"user_id": text("user id or alias", 256)}),
    entity_arguments={"user_id": "user"},
    read=_read,
)
