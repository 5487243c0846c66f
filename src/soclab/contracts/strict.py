"""The base of every record that crosses a doorway: frozen, no unknown fields, no coercion."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, JsonValue

__all__ = ["Frozen", "JsonObject", "JsonValue"]

JsonObject = dict[str, JsonValue]


class Frozen(BaseModel):
    """Frozen, strict, closed. Build a new one with `model_copy(update=...)`; never edit."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, ser_json_inf_nan="strings")
