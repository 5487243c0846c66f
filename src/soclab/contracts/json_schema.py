"""From a model to the JSON Schema (draft 2020-12) that we publish or send as a hint."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema

from soclab.contracts.strict import JsonObject

__all__ = ["DIALECT", "exactly_one_of", "schema_of", "without_words"]

DIALECT = "https://json-schema.org/draft/2020-12/schema"


class _Plain(GenerateJsonSchema):
    """Titles for models only: a title on every field repeats its key."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002  # pydantic's hook
        return False


class _Complete(_Plain):
    """Every field is required and none has a default, for documents that are always written whole."""

    def default_schema(self, schema: Any) -> dict[str, Any]:
        return self.generate_inner(schema["schema"])

    def field_is_required(self, field: Any, total: bool) -> bool:  # noqa: ARG002  # pydantic's hook
        return True


def schema_of(model: type[BaseModel], *, is_open: bool = False, is_complete: bool = False) -> JsonObject:
    """
    The JSON Schema of a model, without `$schema` and `$id`.

    Args:
        is_open: unknown members are allowed at every level; else wherever the model forbids them they are forbidden.
        is_complete: every field is required; else those without a default.
    """
    schema = model.model_json_schema(schema_generator=_Complete if is_complete else _Plain)
    if is_open:
        _open(schema)
    return schema


def exactly_one_of(*members: tuple[str, JsonObject]) -> dict[str, Any]:
    """The JSON Schema of the rule; each member comes with what it must be in order to count as present."""
    return {"oneOf": [{"properties": {name: shape}, "required": [name]} for name, shape in members]}


def without_words(schema: JsonObject) -> JsonObject:
    """A copy without titles, descriptions and defaults: the same values are accepted, at half the size."""
    return {
        key: _each_without_words(part) if key in ("properties", "$defs") else _part_without_words(part)
        for key, part in schema.items()
        if key not in ("title", "description", "default")
    }


def _each_without_words(parts: Any) -> Any:
    return {name: without_words(part) for name, part in parts.items()}


def _part_without_words(part: Any) -> Any:
    if isinstance(part, dict):
        return without_words(part)
    if isinstance(part, list):
        return [_part_without_words(item) for item in part]
    return part


def _open(node: Any) -> None:
    """Take `additionalProperties: false` away everywhere below."""
    if isinstance(node, dict):
        if node.get("additionalProperties") is False:
            del node["additionalProperties"]
        for part in node.values():
            _open(part)
    elif isinstance(node, list):
        for part in node:
            _open(part)
