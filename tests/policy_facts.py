"""Facts for policies, made from a seed: every boundary of every rule, alone and together."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, get_args

from soclab.contracts.policy import (
    LARGEST,
    ApprovalState,
    ArgumentFacts,
    ArgumentProblem,
    CallCountFacts,
    EvidenceFacts,
    ModelFacts,
    PolicyFacts,
    ProtectedFacts,
    RecordFacts,
    ScopeFacts,
    TokenFacts,
    ToolFacts,
)
from soclab.contracts.vocabulary import STAGES, Risk

__all__ = ["facts_of_seed"]

_LONGEST = 4096
_STATES = get_args(ApprovalState)
_PROBLEMS = get_args(ArgumentProblem)


def facts_of_seed(seed: int, count: int) -> Iterator[PolicyFacts]:
    """
    So many facts, the same for the same seed.

    In a third of them nothing is wrong but level and approval, in a third one thing may be, in a third many may.
    """
    chance = Random(seed)
    for number in range(count):
        yield _facts(chance, number % 3)


def _facts(chance: Random, wrong: int) -> PolicyFacts:
    parts = {
        "arguments": _arguments,
        "scope": _scope,
        "protected": _protected,
        "model": _model,
        "evidence": _evidence,
        "calls": _calls,
        "records": _records,
        "tokens": _tokens,
    }
    risky = {0: [], 1: chance.sample(sorted(parts), 1), 2: [one for one in parts if chance.random() < 0.4]}[wrong]
    told: dict[str, Any] = {name: make(chance) for name, make in parts.items() if name in risky}
    told.setdefault("evidence", EvidenceFacts(cited=2))
    return PolicyFacts(
        tool=_tool(chance),
        level=chance.choice((1, 2, 3, 4, 4, 4, 5, 5, 5)),
        approval=chance.choice((*_STATES, "none", "none", "pending", "granted")),
        stage=chance.choice(STAGES),
        **told,
    )


def _tool(chance: Random) -> ToolFacts:
    """A look-up, an action of any kind, an unknown tool; now and then what no catalogue has."""
    kind = chance.random()
    if kind < 0.25:
        return ToolFacts(name="look_up", known=True, reads=True, risk=Risk.NONE, reversible=True, closes=False)
    known = kind < 0.9
    return ToolFacts(
        name="act" if known else "",
        known=known,
        reads=chance.random() < 0.1,
        risk=chance.choice((Risk.NONE, Risk.LOW, Risk.LOW, Risk.HIGH, Risk.CRITICAL)),
        reversible=chance.random() < 0.6,
        closes=chance.random() < 0.25,
    )


def _arguments(chance: Random) -> ArgumentFacts:
    problems = chance.sample(_PROBLEMS, chance.choice((0, 1, 1, 2, 7)))
    longest = chance.choice((0, 12, _LONGEST - 1, _LONGEST, _LONGEST + 1, LARGEST))
    return ArgumentFacts(problems=tuple(sorted(problems)), longest=longest)


def _scope(chance: Random) -> ScopeFacts:
    return ScopeFacts(targets=chance.choice((0, 1, 3)), outside=chance.choice((0, 1, 2, LARGEST)))


def _protected(chance: Random) -> ProtectedFacts:
    hits = [f"asset-{number}" for number in range(chance.choice((0, 0, 1, 2, 16)))]
    return ProtectedFacts(hits=tuple(sorted(hits)), catch_all=chance.random() < 0.4)


def _model(chance: Random) -> ModelFacts:
    return ModelFacts(approved=chance.random() < 0.4)


def _evidence(chance: Random) -> EvidenceFacts:
    minimum = chance.choice((0, 1, 2, 2, 3))
    return EvidenceFacts(cited=_near(chance, minimum), minimum=minimum)


def _calls(chance: Random) -> CallCountFacts:
    limit = chance.choice((0, 1, 16, LARGEST))
    return CallCountFacts(so_far=_near(chance, limit), limit=limit)


def _records(chance: Random) -> RecordFacts:
    limit, wanted = chance.choice((0, 50, 200)), chance.choice((0, 1, 50, LARGEST))
    return RecordFacts(asked=_near(chance, max(limit - wanted, 0)), wanted=wanted, limit=limit)


def _tokens(chance: Random) -> TokenFacts:
    limit = chance.choice((None, 0, 5000, 5000))
    spent = None if chance.random() < 0.25 else _near(chance, 5000 if limit is None else limit)
    return TokenFacts(spent=spent, limit=limit)


def _near(chance: Random, bound: int) -> int:
    """One below, at, or one above a bound; now and then far from it."""
    return min(max(chance.choice((bound - 1, bound, bound + 1, 0)), 0), LARGEST)
