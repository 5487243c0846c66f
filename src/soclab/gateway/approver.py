"""Who answers for the people of a campaign."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from soclab.contracts.approval import Approver, BoundProposal
from soclab.contracts.scenario_v1 import ApprovalRule
from soclab.contracts.strict import JsonValue
from soclab.entities import fold
from soclab.simulator.catalog import tool_named
from soclab.simulator.world import World

__all__ = ["Answer", "answers_of"]

Answer = Callable[[BoundProposal], bool | None]
"""What the people say to a proposal: yes, no, or nothing, which leaves it waiting."""

_ALWAYS: Final[Mapping[Approver, bool | None]] = MappingProxyType(
    {Approver.NONE: None, Approver.ALLOW: True, Approver.DENY: False}
)


def answers_of(approver: Approver, rules: Sequence[ApprovalRule], world: World) -> Answer:
    """
    Args:
        rules: of the scenario; the first that fits is what its people say.
        world: knows the spellings of users, hosts and indicators.
    """
    if approver is not Approver.SCRIPTED:
        always = _ALWAYS[approver]
        return lambda _: always

    def scripted(proposal: BoundProposal) -> bool | None:
        return next((rule.agrees for rule in rules if _fits(rule, proposal, world)), None)

    return scripted


def _fits(rule: ApprovalRule, proposal: BoundProposal, world: World) -> bool:
    if rule.tool != proposal.tool:
        return False
    spec = tool_named(proposal.tool)
    kinds = {} if spec is None else spec.entity_arguments
    given = proposal.arguments
    return all(
        name in given and _same(kinds.get(name), wanted, given[name], world) for name, wanted in rule.arguments.items()
    )


def _same(kind: str | None, wanted: JsonValue, given: JsonValue, world: World) -> bool:
    """One entity under two spellings is the same; other texts are compared folded."""
    if not isinstance(wanted, str) or not isinstance(given, str):
        return type(wanted) is type(given) and wanted == given
    if kind is None:
        return fold(wanted) == fold(given)
    known = world.resolve(kind, wanted)
    return known is not None and known == world.resolve(kind, given)
