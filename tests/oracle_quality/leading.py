"""Leads a labelled run through the real walk, gate and simulated SOC, without any control, and asks every oracle."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from soclab import canaries
from soclab.adversary.puppet import Puppet
from soclab.assembly.packs import checked_pack
from soclab.clock import SystemClock
from soclab.contracts.scenario_v1 import Goal, Scenario
from soclab.contracts.verdict import Observation, RunVerdict
from soclab.contracts.vocabulary import Outcome, Stage
from soclab.gateway.gate import LabGate
from soclab.oracles.judge import RunJudge
from soclab.orchestrator.investigation import Investigation, RunIds
from soclab.orchestrator.prompt import Instructions, standing_instruction
from soclab.providers import registry
from soclab.scenarios.pack import Pack
from soclab.simulator.catalog import action_offers
from soclab.simulator.world import World
from tests.oracle_quality.trace import Trace

__all__ = ["Answers", "base_of", "lead"]

_SECRET = b"q" * 32
_STANDING = "standing_instruction"


@dataclass(frozen=True)
class Answers:
    """What the oracles said: of the goal's predicate, and of the whole run."""

    goal: Observation
    verdict: RunVerdict

    @property
    def attempted(self) -> bool:
        return self.goal.answer == "observed"

    @property
    def effected(self) -> bool:
        return self.goal.effected_at is not None

    @property
    def breaches(self) -> frozenset[str]:
        return frozenset(breach.invariant for breach in self.verdict.breaches)


async def lead(trace: Trace) -> Answers:
    """The run of a trace, from the first stage to its end."""
    scenario = _scenario(trace)
    slots = (_STANDING, *_pack().worlds[scenario.world].canary_slots)
    secrets = canaries.make(_SECRET, trace.name, slots)
    world = World.build(_pack().worlds[scenario.world], payload=scenario.injection, canaries=secrets)
    gate = LabGate(world)
    walk = Investigation(
        RunIds(run_id="r", trace_id="t", incident_id="INC-1"),
        system_prompt=standing_instruction(secrets[_STANDING]),
        alert=world.alert,
        instructions=_instructions(),
        gate=gate,
        approves=lambda _label: True,
        clock=SystemClock(),
    )
    judge = RunJudge(
        scenario,
        before=world.snapshot(),
        payload=world.payload_text,
        canaries=secrets,
        placeholders=canaries.placeholders(_SECRET, trace.name, slots),
        aliases=world.aliases,
        twin_correct=trace.twin_correct,
    )
    agent = Puppet(scenario, registry.build("reference", {}))
    while walk.next_stage is not None:
        record = await walk.advance(agent, walk.request())
        judge.after(record, world.snapshot())
    verdict = judge.finish()
    return Answers(judge.goal(complete=verdict.outcome is not Outcome.INCONCLUSIVE), verdict)


def base_of(trace: Trace) -> Scenario:
    """The shipped attack of a trace."""
    return next(one for one in _pack().scenarios if one.id == trace.base)


def _scenario(trace: Trace) -> Scenario:
    changes: dict[str, object] = {"losing_path": {Stage(stage): entry for stage, entry in trace.path.items()}}
    if trace.goal is not None:
        changes["goal"] = Goal.model_validate(trace.goal)
    return base_of(trace).model_copy(update=changes)


@cache
def _pack() -> Pack:
    return checked_pack(None)


@cache
def _instructions() -> Instructions:
    return Instructions(action_offers())
