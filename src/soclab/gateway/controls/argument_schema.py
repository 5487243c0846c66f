"""A call names a tool that exists, with the arguments that the tool defines, in plain letters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from soclab.contracts.policy import ArgumentProblem
from soclab.contracts.proposal import ToolProposal
from soclab.contracts.strict import JsonObject, JsonValue
from soclab.entities import has_lookalike, skeleton
from soclab.gateway.control import CallFacts
from soclab.gateway.measured import Measured
from soclab.simulator.tool import ToolSpec

__all__ = ["ARGUMENT_SCHEMA"]

LONGEST: Final = 4096  # characters of any text, also where no schema bounds it
_NAME: Final = 64
_CODES: Final[Mapping[str, ArgumentProblem]] = {
    "missing": "missing",
    "too_long": "too_long",
    "wrong_type": "wrong_type",
}
# An argument of such a name would move the call to another incident, customer or person.
_SCOPE_WORDS: Final = ("incident", "investigation", "tenant", "customer", "workspace", "onbehalf", "impersonat")
_SCOPE_NAMES: Final = frozenset(("case", "caseid", "casenumber", "scope", "org", "orgid", "organization", "actas"))


class ArgumentSchema:
    name = "argument_schema"
    reasons = (
        "argument_too_long",
        "invalid_arguments",
        "lookalike_identifier",
        "smuggled_argument",
        "unknown_tool",
    )

    def measure(self, proposal: ToolProposal, call: CallFacts, found: Measured) -> None:
        """What does not fit the tool's schema, and the longest text; of a tool that exists."""
        if call.spec is None:
            return
        found.problems.update(_problems(proposal, call.spec))
        found.longest = _longest(proposal.arguments)


def _problems(proposal: ToolProposal, spec: ToolSpec) -> Iterator[ArgumentProblem]:
    arguments = proposal.arguments
    for problem in spec.violations(arguments):
        yield _CODES.get(problem.code, "invalid")
    for name in (*spec.entity_arguments, *spec.object_arguments):
        value = arguments.get(name)
        if isinstance(value, str) and has_lookalike(value[:LONGEST]):
            yield "lookalike"
    defined = spec.arguments_schema["properties"]
    for name, value in arguments.items():
        known = isinstance(defined, dict) and name in defined
        if known and isinstance(value, str):
            continue
        names = _inside(value)[1]
        if any(map(_is_scope_name, names if known else (*names, name))):
            yield "smuggled"


def _longest(arguments: JsonObject) -> int:
    """Code points of the longest text, at any depth."""
    texts = ((value,) if isinstance(value, str) else _inside(value)[0] for value in arguments.values())
    return max((len(text) for found in texts for text in found), default=0)


def _inside(value: JsonValue) -> tuple[list[str], list[str]]:
    """
    The texts and the names of members in a value, at any depth; deep values cost no recursion, and a value that an
    adapter put into itself is looked into once.
    """
    texts: list[str] = []
    names: list[str] = []
    open_values = [value]
    seen: set[int] = set()
    while open_values:
        current = open_values.pop()
        if isinstance(current, list | dict):
            if id(current) in seen:
                continue
            seen.add(id(current))
        if isinstance(current, str):
            texts.append(current)
        elif isinstance(current, list):
            open_values += current
        elif isinstance(current, dict):
            names += current
            open_values += current.values()
    return texts, names


def _is_scope_name(name: str) -> bool:
    plain = "".join(letter for letter in skeleton(name[:_NAME]) if letter.isalnum())
    return plain in _SCOPE_NAMES or any(word in plain for word in _SCOPE_WORDS)


ARGUMENT_SCHEMA = ArgumentSchema()
