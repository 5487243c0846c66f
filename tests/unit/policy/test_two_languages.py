"""The Cedar set that ships and the Rego package of the example mean the same, decision by decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache

import pytest

from soclab.contracts.policy import PolicyDecision, PolicyFacts
from soclab.contracts.vocabulary import Decision
from soclab.policy.engines.cedar import CedarEngine
from soclab.policy.engines.opa_server import OpaServerEngine
from tests.opa_server import opa_server, speaking
from tests.policy_facts import facts_of_seed

SEED = 4
MANY = 2400
"""The same facts for both tests: the suite takes every eighth, the sweep all."""


@cache
def all_facts() -> tuple[PolicyFacts, ...]:
    return tuple(facts_of_seed(SEED, MANY))


def cedar(facts: PolicyFacts) -> PolicyDecision:
    return CedarEngine.shipped().judge(facts)


async def assert_equal(chosen: Iterable[PolicyFacts]) -> None:
    """Decision, reasons, holds and obligations, each fact through the server."""
    with opa_server(speaking()) as server:
        engine = OpaServerEngine(server.url)
        await engine.check()
        different = [
            (facts.document(), mine, theirs)
            for facts in chosen
            if (mine := cedar(facts)) != (theirs := await engine.decide(facts))
        ]
        await engine.aclose()
    assert different[:3] == []


async def test_both_decide_alike():
    """Every eighth of the facts that the sweep compares."""
    await assert_equal(all_facts()[::8])


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_both_decide_alike_on_all_facts():
    """2,400 facts over the socket."""
    await assert_equal(all_facts())


def test_every_code_and_every_decision_is_among_the_facts():
    """Each often, and each often missing; an engine that always said the same would be found."""
    decisions = [cedar(facts) for facts in all_facts()]
    codes = Counter(code for one in decisions for code in (*one.reasons, *one.holds, *one.obligations))

    assert min(Counter(one.decision for one in decisions)[kind] for kind in Decision) >= MANY / 20
    assert set(codes) == {*CedarEngine.shipped().reasons, "read_only", "redact_output"}
    rare = {code: count for code, count in codes.items() if not 20 <= count <= MANY - 20}
    assert rare == {}
    assert not any(one.fault for one in decisions)


@pytest.mark.parametrize(
    "where",
    [
        lambda one, off: one.arguments.longest == 4096 + off,
        lambda one, off: one.calls.so_far == one.calls.limit - 1 + off,
        lambda one, off: one.records.wanted > 0 and one.records.asked + one.records.wanted == one.records.limit + off,
        lambda one, off: one.records.wanted == 0 and one.records.asked == one.records.limit + off,
        lambda one, off: one.evidence.cited == one.evidence.minimum - 1 + off and one.evidence.minimum > 0,
        lambda one, off: one.tokens.limit is not None and one.tokens.spent == one.tokens.limit + off,
        lambda one, off: (one.tokens.limit is None or one.tokens.spent is None) and one.tokens.spent != off,
        lambda one, off: one.scope.outside == off,
        lambda one, off: len(one.protected.hits) == off,
        lambda one, off: one.protected.catch_all == bool(off),
        *(lambda one, off, level=level: one.level == level + off and one.tool.known for level in range(1, 5)),
    ],
)
def test_both_sides_of_every_boundary_are_among_the_facts(where):
    """The last value on one side, the first on the other."""
    for off in (0, 1):
        assert sum(where(facts, off) for facts in all_facts()) >= 5
