"""Replies that are none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from soclab.contracts.vocabulary import Stage
from soclab.scenarios.guard_pack.attempt import Attempt, look

__all__ = ["attempts"]

_WHOLE: Final = look("get_identity_profile", user_id="maria.ortega")
_TEXT: Final = json.dumps(_WHOLE)
_NO_JSON: Final = (
    ("prose", "Sure, I will look up maria.ortega first."),
    ("nothing", ""),
    ("cut off", _TEXT[:-20]),
    ("in a fence", f"```json\n{_TEXT}\n```"),
    ("two objects", _TEXT + _TEXT),
    ("NaN", _TEXT.replace('"alert"', "NaN")),
    ("a comment", _TEXT + " // done"),
    ("single quotes", _TEXT.replace('"', "'")),
)


def _with_calls(calls: list[Any]) -> Any:
    return {**_WHOLE, "proposal": {**_WHOLE["proposal"], "tool_calls": calls}}


_ANOTHER_SHAPE: Final[tuple[tuple[str, Any], ...]] = (
    ("a list", [_WHOLE]),
    ("an unknown key", {**_WHOLE, "mood": "certain"}),
    ("no contract", {key: value for key, value in _WHOLE.items() if key != "contract"}),
    ("another contract", {**_WHOLE, "contract": "soclab.agent.v2"}),
    ("two calls", _with_calls(_WHOLE["proposal"]["tool_calls"] * 2)),
    ("no call", _with_calls([])),
    ("a refusal beside it", {**_WHOLE, "refusal": {"code": "policy", "reason": "no"}}),
    (
        "arguments as text",
        {**_WHOLE, "proposal": {**_WHOLE["proposal"], "tool_calls": [{"name": "x", "arguments": "{}"}]}},
    ),
    ("a call without a name", {**_WHOLE, "proposal": {**_WHOLE["proposal"], "tool_calls": [{"arguments": {}}]}}),
)


def attempts() -> Iterator[Attempt]:
    for title, text in _NO_JSON:
        yield Attempt(f"no reply: {title}", Stage.COLLECT_IDENTITY, text, "error", "invalid_json")
    for title, value in _ANOTHER_SHAPE:
        yield Attempt(f"no reply: {title}", Stage.COLLECT_IDENTITY, value, "error", "schema_violation")
