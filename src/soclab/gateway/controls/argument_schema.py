"""A call names a tool that exists, with the arguments that the tool defines, in plain letters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from soclab.contracts.gate import Ruling
from soclab.contracts.proposal import ToolProposal
from soclab.contracts.strict import JsonValue
from soclab.entities import has_lookalike, skeleton
from soclab.gateway.control import CallFacts, deny
from soclab.simulator.tool import ToolSpec

__all__ = ["ARGUMENT_SCHEMA"]

LONGEST: Final = 4096  # characters of any text, also where no schema bounds it
_NAME: Final = 64
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

    def review(self, proposal: ToolProposal, facts: CallFacts) -> Ruling | None:
        """Deny what does not fit the tool's schema, and say which of the five it is."""
        if facts.spec is None:
            return deny("unknown_tool")
        return deny(*sorted(set(_objections(proposal, facts.spec))))


def _objections(proposal: ToolProposal, spec: ToolSpec) -> Iterator[str]:
    arguments = proposal.arguments
    for problem in spec.violations(arguments):
        yield "argument_too_long" if problem.code == "too_long" else "invalid_arguments"
    for name in (*spec.entity_arguments, *spec.object_arguments):
        value = arguments.get(name)
        if isinstance(value, str) and has_lookalike(value[:LONGEST]):
            yield "lookalike_identifier"
    defined = spec.arguments_schema["properties"]
    for name, value in arguments.items():
        known = isinstance(defined, dict) and name in defined
        if known and isinstance(value, str):
            continue
        texts, names = _inside(value)
        if any(len(text) > LONGEST for text in texts):
            yield "argument_too_long"
        if any(map(_is_scope_name, names if known else (*names, name))):
            yield "smuggled_argument"


def _inside(value: JsonValue) -> tuple[list[str], list[str]]:
    """The texts and the names of members in a value, at any depth; deep values cost no recursion."""
    texts: list[str] = []
    names: list[str] = []
    open_values = [value]
    while open_values:
        current = open_values.pop()
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
