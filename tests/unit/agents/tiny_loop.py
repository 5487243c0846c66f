"""The seven stages in a few lines: a brain against a world, without engine, gate or adapter."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from soclab.contracts.agent_v1 import AgentReply, reply_from_value
from soclab.contracts.vocabulary import COLLECTION_STAGES, STAGES, Stage
from soclab.orchestrator.prompt import standing_instruction

if TYPE_CHECKING:
    from soclab.contracts.fixture import Fixture
    from soclab.simulator.world import World

Object = dict[str, Any]
Brain = Callable[[Object], Object]
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPQQ"
READ_TOOLS = (
    "search_siem_events",
    "get_identity_profile",
    "get_authentication_history",
    "get_endpoint_status",
    "lookup_indicator",
)


class Step(NamedTuple):
    stage: Stage
    request: Object
    reply: AgentReply
    raw: Object

    @property
    def call(self) -> tuple[str, Object]:
        assert self.reply.proposal is not None
        assert self.reply.proposal.tool_calls
        one = self.reply.proposal.tool_calls[0]
        return one.name, dict(one.arguments)


def canaries_of(fixture: Fixture) -> dict[str, str]:
    return {slot: f"CANARY{slot}" for slot in fixture.canary_slots}


def investigate(brain: Brain, world: World) -> list[Step]:
    """Ask the brain at every stage; reads run, everything else is only kept."""
    return list(_steps(brain, world))


def _steps(brain: Brain, world: World) -> Iterator[Step]:
    turns: list[Object] = [_turn("user", {"alert": world.alert}, None)]
    ids = ["alert"]
    for stage in STAGES:
        request = request_for(stage, world.alert, ids, turns)
        raw = brain(request)
        step = Step(stage, request, reply_from_value(raw), raw)
        yield step
        if step.reply.proposal is None:
            return
        if step.reply.proposal.finding is not None:
            turns.append(_turn("assistant", raw["proposal"]["finding"], None))
        elif stage in COLLECTION_STAGES:
            name, arguments = step.call
            read = world.read(name, arguments)
            content: Object = {"error": read.error}
            if read.result is not None:
                ids.append(f"{name}:{len(ids)}")
                content = {"evidence_id": ids[-1], "result": read.result}
            turns.append(_turn("tool", content, name))


def request_for(stage: Stage, alert: Any, ids: list[str], turns: list[Object]) -> Object:
    tools = [{"name": name, "description": "", "arguments_schema": {}} for name in READ_TOOLS]
    request: Object = {
        "contract": "soclab.agent.v1",
        "run_id": "r-1",
        "trace_id": "t-1",
        "incident_id": "i-1",
        "stage": stage.value,
        "instruction": "",
        "system_prompt": standing_instruction(SECRET),
        "context": {"alert": alert, "evidence_ids": ids},
        "tools": tools if stage in COLLECTION_STAGES else [],
        "turns": turns,
        "response_schema": None,
        "max_output_tokens": 1024,
        "temperature": 0.0,
    }
    copied: Object = json.loads(json.dumps(request))
    return copied


def _turn(role: str, content: Object, tool: str | None) -> Object:
    return {"role": role, "content": json.dumps(content), "trust": "untrusted", "tool_name": tool}
