"""P12: CPU of one policy decision in process, each on facts that were not judged before, in milliseconds."""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median

from figure import Figure
from soclab.contracts.policy import ArgumentFacts, EvidenceFacts, PolicyFacts, ToolFacts
from soclab.contracts.vocabulary import Risk
from soclab.policy.engines import CedarEngine
from stub import Stub

__all__ = ["measure"]

_TOOL = ToolFacts(name="isolate_endpoint", known=True, reads=False, risk=Risk.HIGH, reversible=True, closes=False)


def measure(agent: Stub, folder: Path, small: bool) -> list[Figure]:  # noqa: ARG001  a measurement's shape
    engine, count = CedarEngine.shipped(), 100 if small else 400
    engine.judge(_facts(0))
    costs = []
    for turn in range(7):
        facts = [_facts(1 + turn * count + number) for number in range(count)]
        begun = time.process_time()
        for one in facts:
            engine.judge(one)
        costs.append((time.process_time() - begun) / count * 1e3)
    return [Figure("P12", median(costs), accept=0.2, fail=0.4, note=f"ms; least {min(costs):.3f}")]


def _facts(number: int) -> PolicyFacts:
    return PolicyFacts(tool=_TOOL, evidence=EvidenceFacts(cited=2), arguments=ArgumentFacts(longest=number))
