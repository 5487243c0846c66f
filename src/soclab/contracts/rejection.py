"""Why a reply is no reply, as one line of field paths: no value of the reply is in it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import ValidationError

__all__ = ["describe"]

_MOST_PATHS = 5
_MOST_FAULTS = 1000
"""Above this, only their number is told: collecting 90,000 of them takes a tenth of a second."""

_MOST_CHARACTERS = 60
"""Of one key that the agent chose."""

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,59}\Z")

_WORDS = {
    "missing": "required",
    "extra_forbidden": "unknown field",
    "model_type": "must be an object",
    "dict_type": "must be an object",
    "tuple_type": "must be an array",
    "string_type": "must be a string",
    "float_type": "must be a number",
    "int_type": "must be a whole number",
    "string_too_short": "must have at least {min_length} character",
    "string_too_long": "must have at most {max_length} characters",
    "too_long": "must have at most {max_length} item",
    "string_pattern_mismatch": "must match {pattern}",
    "literal_error": "must be {expected}",
    "greater_than_equal": "must be at least {ge:g}",
    "less_than_equal": "must be at most {le:g}",
    "value_error": "{error}",
}
"""pydantic's error types in our words; what stands in braces comes from the model, never from the reply."""


def describe(error: ValidationError) -> str:
    """
    One printable line of ASCII: `path: what must be`, at most five of them, then how many more there are.

    Keys that the agent chose are escaped, quoted and cut, since they are hostile text as much as any value.
    """
    if error.error_count() > _MOST_FAULTS:
        return f"reply: {error.error_count()} fields are unknown, missing or of a wrong kind"
    found = error.errors(include_url=False, include_input=False)
    lines = [f"{_path(each['loc'])}: {_words(each['type'], each.get('ctx', {}))}" for each in found[:_MOST_PATHS]]
    more = len(found) - len(lines)
    return "; ".join(lines) + (f"; and {more} more" if more else "")


def _words(kind: str, context: dict[str, object]) -> str:
    return _WORDS.get(kind, kind.replace("_", " ")).format(**context)


def _path(location: Sequence[int | str]) -> str:
    path = ""
    for step in location:
        if isinstance(step, int):
            path += f"[{step}]"
        else:
            path += f".{_key(step)}" if path else _key(step)
    return path or "reply"


def _key(key: str) -> str:
    if _PLAIN_KEY.match(key):
        return key
    escaped = ascii(key[: _MOST_CHARACTERS + 1])[1:-1]
    return f"'{escaped[:_MOST_CHARACTERS]}'" + ("..." if len(escaped) > _MOST_CHARACTERS else "")
