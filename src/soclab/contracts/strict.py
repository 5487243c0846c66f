"""The base of every record that crosses a doorway: frozen, no unknown fields, no coercion."""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, JsonValue

__all__ = ["Frozen", "JsonObject", "JsonValue"]

JsonObject = dict[str, JsonValue]


class Frozen(BaseModel):
    """Frozen, strict, closed. Build a new one with `model_copy(update=...)`; never edit."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, ser_json_inf_nan="strings")

    @classmethod
    def trusted(cls, **fields: Any) -> Self:
        """
        A record whose parts the lab made itself, without checking them: for the few that are built at every stage.

        Checking walks every JSON value inside, and `model_construct` costs several times as much as this.
        """
        one = cls.__new__(cls)
        object.__setattr__(one, "__dict__", {**_defaults(cls), **fields})
        object.__setattr__(one, "__pydantic_fields_set__", set(fields))
        object.__setattr__(one, "__pydantic_extra__", None)
        object.__setattr__(one, "__pydantic_private__", None)
        return one


_DEFAULTS: dict[type[Frozen], dict[str, Any]] = {}


def _defaults(kind: type[Frozen]) -> dict[str, Any]:
    """Field name -> default, of the fields that have one; frozen values, so sharing them is safe."""
    known = _DEFAULTS.get(kind)
    if known is None:
        fields = kind.model_fields.items()
        known = _DEFAULTS[kind] = {
            name: field.get_default(call_default_factory=False) for name, field in fields if not field.is_required()
        }
    return known
