"""
JSON Schemas of tool arguments, and their check, compiled once.

Only the parts of JSON Schema that the tools use: an object of strings and whole numbers, closed, with bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from soclab.contracts.strict import JsonObject, JsonValue
from soclab.redaction import clean

__all__ = ["Check", "Problem", "arguments_of", "choice", "compile_check", "text", "whole_number"]

_NAMED_AT_MOST = 5
_NAME_LIMIT = 60


class Problem(NamedTuple):
    """
    One thing that is wrong with a call's arguments.

    Attributes:
        code: unknown, missing, wrong_type, empty, too_long, not_allowed or out_of_range.
        argument: the argument's name; the agent's own word when it is unknown.
        words: one short phrase, safe to show.
    """

    code: str
    argument: str
    words: str


Check = Callable[[Mapping[str, JsonValue]], tuple[Problem, ...]]
_ValueCheck = Callable[[JsonValue], tuple[str, str] | None]


def text(description: str, longest: int) -> JsonObject:
    """A string of 1 to `longest` code points."""
    return {"type": "string", "minLength": 1, "maxLength": longest, "description": description}


def choice(description: str, values: tuple[str, ...]) -> JsonObject:
    """One of the strings."""
    return {"type": "string", "enum": list(values), "description": description}


def whole_number(description: str, least: int, most: int, default: int) -> JsonObject:
    """A number without a fraction within both bounds."""
    return {"type": "integer", "minimum": least, "maximum": most, "default": default, "description": description}


def arguments_of(required: Mapping[str, JsonObject], optional: Mapping[str, JsonObject] | None = None) -> JsonObject:
    """The closed schema of a call's arguments."""
    properties: dict[str, JsonValue] = {**required, **(optional or {})}
    needed: list[JsonValue] = list(required)
    return {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}


def compile_check(schema: JsonObject) -> Check:
    """
    A function that lists what is wrong with arguments; empty when they fit the schema.

    It accepts exactly what the schema accepts: 50.0 is a whole number, true is none, lengths are in code points.
    """
    properties, required = schema["properties"], schema["required"]
    assert isinstance(properties, dict)
    assert isinstance(required, list)
    checks = {name: _check_of(rule) for name, rule in properties.items() if isinstance(rule, dict)}
    needed = [str(name) for name in required]

    def check(arguments: Mapping[str, JsonValue]) -> tuple[Problem, ...]:
        found = [Problem("missing", name, f"{name} is required") for name in needed if name not in arguments]
        unknown = 0
        for name, value in arguments.items():
            known = checks.get(name)
            if known is None:
                unknown += 1
                if unknown <= _NAMED_AT_MOST:
                    found.append(Problem("unknown", name, f"unknown argument {clean(name, _NAME_LIMIT)}"))
                continue
            wrong = known(value)
            if wrong is not None:
                found.append(Problem(wrong[0], name, f"{name} {wrong[1]}"))
        return tuple(found)

    return check


def _check_of(rule: Mapping[str, JsonValue]) -> _ValueCheck:
    if rule["type"] == "integer":
        return _number_check(rule)
    values = rule.get("enum")
    return _choice_check(values) if isinstance(values, list) else _text_check(rule)


def _number_check(rule: Mapping[str, JsonValue]) -> _ValueCheck:
    least, most = rule["minimum"], rule["maximum"]
    assert isinstance(least, int)
    assert isinstance(most, int)

    def check(value: JsonValue) -> tuple[str, str] | None:
        if isinstance(value, bool) or not isinstance(value, int | float) or value % 1:
            return "wrong_type", "is no integer"
        if value < least:
            return "out_of_range", f"is under {least}"
        return ("out_of_range", f"is over {most}") if value > most else None

    return check


def _choice_check(values: list[JsonValue]) -> _ValueCheck:
    allowed = frozenset(str(value) for value in values)
    listed = ", ".join(str(value) for value in values)

    def check(value: JsonValue) -> tuple[str, str] | None:
        if not isinstance(value, str):
            return "wrong_type", "is no string"
        return None if value in allowed else ("not_allowed", f"is none of {listed}")

    return check


def _text_check(rule: Mapping[str, JsonValue]) -> _ValueCheck:
    longest = rule["maxLength"]
    assert isinstance(longest, int)

    def check(value: JsonValue) -> tuple[str, str] | None:
        if not isinstance(value, str):
            return "wrong_type", "is no string"
        if not value:
            return "empty", "is empty"
        return ("too_long", f"is longer than {longest} characters") if len(value) > longest else None

    return check
