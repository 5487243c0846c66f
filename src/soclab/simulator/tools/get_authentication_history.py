"""The sign-ins of a user."""

from __future__ import annotations

from collections.abc import Mapping

from soclab.contracts.strict import JsonValue
from soclab.redaction import clean
from soclab.simulator.schema import arguments_of, text, whole_number
from soclab.simulator.tool import Readable, ReadResult, ToolSpec

__all__ = ["GET_AUTHENTICATION_HISTORY"]

_DEFAULT = 50
_MOST = 10_000


def _read(world: Readable, arguments: Mapping[str, JsonValue]) -> ReadResult:
    limit = arguments.get("limit", _DEFAULT)
    assert isinstance(limit, int | float)
    wanted = int(limit)
    user_id = str(arguments["user_id"])
    user = world.user(user_id)
    if user is None:
        error = f"unknown user {clean(user_id, 80)}: no user has this id or alias"
        return ReadResult(None, error, records_requested=wanted)
    history = user["history"]
    assert isinstance(history, list)
    shown = history[-wanted:]
    result = {"user_id": user["id"], "events": shown, "total": len(history), "returned": len(shown)}
    return ReadResult(result, records_requested=wanted, records_returned=len(shown))


GET_AUTHENTICATION_HISTORY = ToolSpec(
    name="get_authentication_history",
    description=(
        "The sign-ins of a user, the newest `limit` of them (50 unless given), newest last, with total and returned. "
        "Takes a user id or any alias; an unknown user is an error."
    ),
    arguments_schema=arguments_of(
        {"user_id": text("user id or alias", 256)},
        {"limit": whole_number("how many sign-ins at most", 1, _MOST, _DEFAULT)},
    ),
    entity_arguments={"user_id": "user"},
    read=_read,
)
