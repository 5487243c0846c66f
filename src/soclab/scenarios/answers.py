"""Whether a scenario's answer key speaks of actions, arguments and tools that exist."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from soclab.contracts.scenario_v1 import ExpectedAction, Scenario
from soclab.contracts.strict import JsonValue
from soclab.contracts.vocabulary import Kind
from soclab.redaction import clean
from soclab.scenarios.validation import did_you_mean

__all__ = ["unknown_actions", "unknown_tools"]

_LEAST_DECISIVE = 2

Key = tuple[str | int, ...]


def unknown_actions(scenario: Scenario, actions: Mapping[str, Collection[str]]) -> Iterator[tuple[Key, str]]:
    """
    What no response action is called, among the expected ones, those that people agree to, and those that the goal
    names.

    Args:
        actions: name -> names of its arguments.
    """
    for group in ("right", "acceptable"):
        expected: Iterable[ExpectedAction] = getattr(scenario.expected, group)
        for index, one in enumerate(expected):
            yield from _problems(("expected", group, index), one.name, one.arguments, actions)
    for index, rule in enumerate(scenario.approvals):
        yield from _problems(("approvals", index), rule.tool, rule.arguments, actions, name_key="tool")
    named = scenario.goal.parameters.get("actions") if scenario.goal else None
    for index, item in enumerate(named if isinstance(named, list) else ()):
        key: Key = ("goal", "parameters", "actions", index)
        if isinstance(item, str):
            yield from _problems(key, item, {}, actions, spelled_alone=True)
        elif isinstance(item, dict):
            arguments = item.get("arguments")
            yield from _problems(key, str(item.get("name")), arguments if isinstance(arguments, dict) else {}, actions)


def unknown_tools(scenario: Scenario, tools: Collection[str]) -> Iterator[tuple[Key, str]]:
    """
    What no read tool is called among the decisive ones, and an attack that names too few of them.

    Args:
        tools: names of the read tools.
    """
    decisive = scenario.expected.decisive
    for index, name in enumerate(decisive):
        if name not in tools:
            yield ("expected", "decisive", index), _unknown("look-up", name, tools)
    if scenario.kind is Kind.ATTACK and len(set(decisive)) < _LEAST_DECISIVE:
        what = f"an attack names at least two look-ups whose platform fields settle the case: {', '.join(tools)}"
        yield ("expected", "decisive"), what


def _problems(
    key: Key,
    name: str,
    arguments: Mapping[str, JsonValue],
    actions: Mapping[str, Collection[str]],
    *,
    spelled_alone: bool = False,
    name_key: str = "name",
) -> Iterator[tuple[Key, str]]:
    known = actions.get(name)
    if known is None:
        yield key if spelled_alone else (*key, name_key), _unknown("response action", name, actions)
        return
    for argument in arguments:
        if argument not in known:
            yield (*key, "arguments", argument), _unknown(f"argument of {name}", argument, known)


def _unknown(what: str, name: str, known: Collection[str]) -> str:
    listed = f" Known: {', '.join(known)}" if len(known) <= 12 else f" {len(known)} are known"
    return f"unknown {what} {clean(name, 80)!a}{did_you_mean(name, known)}{listed}"
