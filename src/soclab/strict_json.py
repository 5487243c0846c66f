"""
The one decoder of JSON that an agent sent.

`jiter` refuses what is no UTF-8, a byte order mark, repeated keys, NaN and Infinity, lone surrogates (in values and
in keys) and integers of more than 4,300 digits. It lets numbers through that no double holds (`1e400` becomes an
infinity) and up to 201 levels; one walk over the decoded value refuses those.
"""

from __future__ import annotations

import re
from math import isinf
from typing import Any

import jiter
from pydantic import JsonValue

__all__ = ["MAX_LEVELS", "InvalidJson", "decode"]

MAX_LEVELS = 64
"""Arrays and objects that may stand inside one another."""

_OUR_WORDS = (
    ("Detected duplicate key", "repeated key"),
    ("recursion limit exceeded", f"more than {MAX_LEVELS} levels"),
    ("number out of range", "integer of more than 4300 digits"),
    ("invalid unicode code point", "text that is no UTF-8"),
    ("lone leading surrogate", "lone surrogate"),
    ("unexpected end of hex escape", "lone surrogate"),
    ("control character", "control character in a string"),
    ("EOF while parsing", "text ends too early"),
    ("trailing characters", "text after the value"),
)
_PLACE = re.compile(r" at line ([0-9]+) column ([0-9]+)\Z")


class InvalidJson(ValueError):
    """Bytes that are no acceptable JSON; its text is one line that shows no part of them."""


def decode(raw: bytes) -> JsonValue:
    """
    The JSON value in `raw`, whatever its type, built of dict, list, str, int, float, bool and None only.

    Args:
        raw: untrusted bytes: UTF-8 without byte order mark.

    Raises:
        InvalidJson: anything that the module's first lines list, or text that is no JSON; nothing else is raised.
    """
    try:
        value: JsonValue = jiter.from_json(raw, allow_inf_nan=False, catch_duplicate_keys=True)
    except ValueError as error:
        raise InvalidJson(_without_values(raw, str(error))) from None
    _check_levels_and_numbers(value)
    return value


def _check_levels_and_numbers(value: JsonValue) -> None:
    """Layer by layer, so that no recursion is needed; the containers of layer n stand inside n - 1 others."""
    layer: list[Any] = [value]
    levels_left = MAX_LEVELS
    while layer:
        below: list[Any] = []
        for item in layer:
            kind = type(item)
            if kind is str:
                continue
            if kind is dict or kind is list:
                if not levels_left:
                    raise InvalidJson(f"more than {MAX_LEVELS} levels")
                below += item.values() if kind is dict else item
            elif kind is float and isinf(item):
                raise InvalidJson("number beyond a double")
        layer = below
        levels_left -= 1


def _without_values(raw: bytes, message: str) -> str:
    """What was wrong and where, in our words only: jiter's message quotes a repeated key."""
    if raw.startswith(b"\xef\xbb\xbf"):
        return "byte order mark at the start"
    what = next((ours for theirs, ours in _OUR_WORDS if message.startswith(theirs)), "no JSON")
    place = _PLACE.search(message)
    return f"{what} at line {place[1]} column {place[2]}" if place else what
