"""What a tool is: five read the world, the others act on it. One file per read tool or area of actions in `tools/`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple, Protocol

from soclab.contracts.agent_v1 import ToolOffer
from soclab.contracts.strict import JsonObject, JsonValue
from soclab.contracts.trace import WorldState
from soclab.contracts.vocabulary import Risk
from soclab.simulator.schema import Check, Problem, compile_check

__all__ = ["ActResult", "Effect", "EntityKind", "Read", "ReadResult", "Readable", "ToolSpec"]

EntityKind = Literal["user", "endpoint", "indicator"]


class ReadResult(NamedTuple):
    """
    What a look-up gave.

    Attributes:
        result: raw and shared between runs: never edit it. None when the look-up failed.
        error: one line for the agent when it failed, else None.
        records_requested: how many records the agent asked for.
        records_returned: how many it got.
    """

    result: JsonObject | None
    error: str | None = None
    records_requested: int = 1
    records_returned: int = 0


class ActResult(NamedTuple):
    """
    What an action did.

    Attributes:
        changes: one short fact each; empty when nothing changed, or on an error.
        error: one line for the agent when the action failed and changed nothing, else None.
    """

    changes: tuple[str, ...] = ()
    error: str | None = None


class Readable(Protocol):
    """What a read tool may ask of a world."""

    def user(self, text: str) -> JsonObject | None:
        """`id`, `aliases`, `protected`, `record` and `history` of the user that any spelling names."""
        ...

    def endpoint(self, text: str) -> JsonObject | None:
        """`id`, `aliases`, `protected` and `record` of the endpoint that any spelling names."""
        ...

    def indicator(self, text: str) -> JsonObject | None:
        """`id` and `record` of the indicator that any spelling names."""
        ...

    def events(self, query: str) -> list[JsonObject]:
        """Every event that the query selects, newest last."""
        ...


Read = Callable[[Readable, Mapping[str, JsonValue]], ReadResult]
Effect = Callable[[WorldState, Mapping[str, str]], WorldState]
"""A new state; the entities among the arguments are canonical ids."""


@dataclass(frozen=True)
class ToolSpec:
    """
    Attributes:
        arguments_schema: JSON Schema, `additionalProperties` false.
        risk: of a response action at its worst; None for a read tool. `World.risk_of` knows the call's own.
        reversible: whether a person can take the action back without loss.
        entity_arguments: argument -> kind of entity it names.
        object_arguments: arguments that name something else that must occur in this world (a message, a key, an app).
        read, effect: exactly one of them.
    """

    name: str
    description: str
    arguments_schema: JsonObject
    risk: Risk | None = None
    reversible: bool = False
    entity_arguments: Mapping[str, EntityKind] = field(default_factory=dict)
    object_arguments: tuple[str, ...] = ()
    read: Read | None = None
    effect: Effect | None = None

    @property
    def reads(self) -> bool:
        return self.read is not None

    @property
    def argument_names(self) -> tuple[str, ...]:
        """In the order of the schema."""
        properties = self.arguments_schema["properties"]
        return tuple(properties) if isinstance(properties, dict) else ()

    @cached_property
    def offer(self) -> ToolOffer:
        """The tool as an agent is told of it."""
        return ToolOffer(name=self.name, description=self.description, arguments_schema=self.arguments_schema)

    @cached_property
    def violations(self) -> Check:
        """Call it with arguments: everything that is wrong with them, with codes."""
        return compile_check(self.arguments_schema)

    def problems(self, arguments: Mapping[str, JsonValue]) -> tuple[str, ...]:
        """Short phrases about what is wrong with the arguments; empty when they fit the schema."""
        return tuple(problem.words for problem in self.violations(arguments))


__all__ += ["Problem"]
