"""A file's value as a contract's model; pydantic's findings as one line about file and key."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from soclab import canonical_json
from soclab.contracts.strict import JsonValue
from soclab.redaction import clean
from soclab.scenarios.yaml_file import YamlFile

__all__ = ["as_model", "did_you_mean"]

_Model = TypeVar("_Model", bound=BaseModel)
_KEY_ITSELF = "[key]"
_SHAPES = {
    r"^(ATK|BEN|GRD|MAN)-[0-9]{3,5}$": "write ATK-, BEN- or GRD- and three to five digits, such as ATK-901",
    r"^G[0-9]{2}$": "write G and two digits, such as G01",
    r"^T(0[1-9]|1[0-9]|20)$": "write T01 to T20",
}
"""Pattern of a contract -> what fits it, in words."""
_QUOTED = re.compile(r"'([^']*)'")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """
    The end of a sentence about an unknown word: `; did you mean 'x'?` for the nearest known one, else a stop.

    Case does not count.
    """
    spelled = {one.casefold(): one for one in known}
    close = difflib.get_close_matches(word[:80].casefold(), spelled, n=1, cutoff=0.6)
    return f"; did you mean {spelled[close[0]]!a}?" if close else "."


def as_model(model: type[_Model], file: YamlFile, value: JsonValue, prefix: tuple[str | int, ...] = ()) -> _Model:
    """
    Args:
        value: the file's value, or the part of it at `prefix`.

    Raises:
        ScenarioFileError: it does not fit the model; names the first key that is wrong.
    """
    try:
        return model.model_validate_json(canonical_json.encode_bytes(value))
    except ValidationError as error:
        found = error.errors(include_url=False)
        first = min(found, key=lambda one: _urgency(one["type"]))
        what = _what(model, first)
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise file.error((*prefix, *_key(value, first["loc"])), what + more) from None


def _urgency(kind: str) -> int:
    """An unknown key usually explains a missing one, so it is said first."""
    return 0 if kind == "extra_forbidden" else 1


def _key(value: JsonValue, place: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """The parts of a pydantic location that are keys of the file, without names of union members."""
    key: list[str | int] = []
    node: Any = value
    for index, step in enumerate(place):
        inside = isinstance(node, dict) and step in node
        inside = inside or (isinstance(node, list) and isinstance(step, int) and step < len(node))
        if inside:
            node = node[step]
        elif index != len(place) - 1 or not isinstance(node, dict) or step == _KEY_ITSELF:
            continue
        key.append(step)
    return tuple(key)


def _what(model: type[BaseModel], error: ErrorDetails) -> str:
    kind = error["type"]
    if kind == "extra_forbidden":
        known = _keys_at(model, error["loc"][:-1])
        return f"unknown key{did_you_mean(str(error['loc'][-1]), known)} Known: {', '.join(known)}"
    if kind == "missing":
        return "is missing"
    if kind == "value_error":
        return error["msg"].removeprefix("Value error, ")
    expected = str(error.get("ctx", {}).get("expected", ""))
    given = error["input"]
    if kind in ("enum", "literal_error") and isinstance(given, str):
        return f"unknown value {clean(given, 80)!a}{did_you_mean(given, _QUOTED.findall(expected))} Allowed: {expected}"
    if kind == "string_pattern_mismatch" and isinstance(given, str):
        pattern = str(error.get("ctx", {}).get("pattern", ""))
        return f"{clean(given, 80)!a} does not fit: {_SHAPES.get(pattern, f'write what matches {pattern}')}"
    return error["msg"][:1].lower() + error["msg"][1:]


def _keys_at(model: type[BaseModel], place: tuple[str | int, ...]) -> list[str]:
    """The keys that the model knows at a place, as files spell them."""
    current: type[BaseModel] | None = model
    for step in place:
        field = None if current is None else _fields(current).get(str(step))
        if field is not None:
            current = _model_in(field)
    return [] if current is None else list(_fields(current))


def _fields(model: type[BaseModel]) -> dict[str, Any]:
    return {field.alias or name: field.annotation for name, field in model.model_fields.items()}


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    found = (_model_in(argument) for argument in get_args(annotation))
    return next((model for model in found if model is not None), None)
