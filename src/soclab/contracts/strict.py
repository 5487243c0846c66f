"""The base of every record that crosses a doorway: frozen, no unknown fields, no coercion."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from threading import RLock
from typing import Any, Self, TypeVar

from pydantic import BaseModel, ConfigDict, JsonValue

__all__ = ["Frozen", "JsonObject", "JsonValue"]

JsonObject = dict[str, JsonValue]

_MAKING_READY = RLock()


class Frozen(BaseModel):
    """
    Frozen, strict, closed. Build a new one with `model_copy(update=...)`; never edit.

    pydantic makes a class ready when it is first used, so that start-up pays for those alone that it uses.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, ser_json_inf_nan="strings", defer_build=True)

    @classmethod
    def model_rebuild(
        cls,
        *,
        force: bool = False,
        raise_errors: bool = True,
        _parent_namespace_depth: int = 0,  # names are looked up where the class stands, not where it is first used
        _types_namespace: Mapping[str, Any] | None = None,
    ) -> bool | None:
        """
        What pydantic calls at the first use. One thread at a time: the engine and its front door may be the first at
        once, and not every version that we allow sees to it itself.
        """
        with _MAKING_READY:
            return super().model_rebuild(
                force=force, raise_errors=raise_errors, _parent_namespace_depth=0, _types_namespace=_types_namespace
            )

    @classmethod
    def trusted(cls, **fields: Any) -> Self:
        """
        A record whose parts the lab made itself, without checking them: for the few that are built at every stage.

        Checking walks every JSON value inside, and `model_construct` costs several times as much as this.
        """
        one = _empty(cls, tuple(fields))
        object.__setattr__(one, "__dict__", _defaults(cls) | fields)
        return one

    @classmethod
    def kept(cls, **fields: Any) -> Self:
        """
        The same for records of which thousands are kept to the end: a sixth of the memory for twice the time.

        Given its members one by one, in the order of the class, it shares the table of their names with all others.
        """
        one, put = _empty(cls, tuple(fields)), object.__setattr__
        for name, value in (_members(cls) | fields).items():
            put(one, name, value)
        return one

    def to_keep(self) -> Self:
        """An equal record, with all records in it, in the memory of `kept`."""
        kind, members, put = type(self), self.__dict__, object.__setattr__
        defaults, given = _members(kind), self.__pydantic_fields_set__
        one = _empty(kind, tuple(name for name in defaults if name in given))
        for name, default in defaults.items():
            value = members[name]
            put(one, name, value if type(value) is str or value is default else _to_keep(value, default))
        return one


_Record = TypeVar("_Record", bound=Frozen)


def _empty(kind: type[_Record], names: tuple[str, ...]) -> _Record:
    """A record without members yet."""
    one = kind.__new__(kind)
    object.__setattr__(one, "__pydantic_fields_set__", _names_set(kind, names))
    object.__setattr__(one, "__pydantic_extra__", None)
    object.__setattr__(one, "__pydantic_private__", None)
    return one


@cache
def _names_set(kind: type[Frozen], names: tuple[str, ...]) -> set[str]:  # noqa: ARG001  # few names for each class
    """One for all records: nothing changes it, and `model_copy` copies it."""
    return set(names)


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


@cache
def _members(kind: type[Frozen]) -> dict[str, Any]:
    """Every field name in the order of the class -> its default, None where there is none."""
    defaults = _defaults(kind)
    return {name: defaults.get(name) for name in kind.model_fields}


def _to_keep(value: Any, default: Any) -> Any:
    """The default of a field stands for all values that are equal to it."""
    if isinstance(value, Frozen):
        return default if value == default else value.to_keep()
    if isinstance(value, tuple):
        return tuple(_to_keep(one, None) for one in value)
    is_empty = type(value) in (dict, list) and not value
    return default if is_empty and value == default else value
