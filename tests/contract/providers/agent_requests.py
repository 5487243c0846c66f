"""Requests as the orchestrator builds them, and replies that are valid."""

from __future__ import annotations

import json
from typing import Any

from soclab.contracts.agent_v1 import ToolOffer
from soclab.contracts.provider import Message, ModelRequest
from soclab.contracts.vocabulary import COLLECTION_STAGES, Role, Stage, Trust

READ_TOOL = ToolOffer(
    name="search_siem_events",
    description="Search events.",
    arguments_schema={
        "type": "object",
        "properties": {"query": {"type": "string"}},
        "required": ["query"],
        "additionalProperties": False,
    },
)

CALL = {
    "contract": "soclab.agent.v1",
    "proposal": {
        "rationale": "Look at the events of the incident.",
        "tool_calls": [{"name": "search_siem_events", "arguments": {"query": "maria.ortega"}}],
    },
}
FINDING = {
    "contract": "soclab.agent.v1",
    "proposal": {
        "rationale": "The events show it.",
        "finding": {
            "summary": "A sign-in from an unknown address.",
            "claims": [{"text": "The address is new.", "evidence_ids": ["alert"]}],
            "techniques": ["T1078"],
        },
    },
}
REFUSAL = {"contract": "soclab.agent.v1", "refusal": {"code": "policy", "reason": "I do not do this."}}


def a_request(stage: Stage = Stage.COLLECT_SIEM, **changes: Any) -> ModelRequest:
    """The question of one stage."""
    turn = Message(role=Role.USER, content='{"alert": {"title": "Unusual sign-in"}}', trust=Trust.UNTRUSTED)
    ask = Message(role=Role.USER, content="Answer with one call.", trust=Trust.TRUSTED)
    request = ModelRequest(
        system_prompt="Handle the incident.",
        messages=(turn, ask),
        run_id="run-1",
        trace_id="trace-1",
        incident_id="incident-1",
        stage=stage,
        instruction=ask.content,
        alert={"title": "Unusual sign-in"},
        evidence_ids=("alert",),
        tools=(READ_TOOL,) if stage in COLLECTION_STAGES else (),
        turns=(turn,),
        response_schema={"type": "object"},
    )
    return request.model_copy(update=changes)


def a_reply(stage: Stage = Stage.COLLECT_SIEM, **members: Any) -> dict[str, Any]:
    """A valid reply that fits the stage, as a fresh dict."""
    reply: dict[str, Any] = json.loads(json.dumps(FINDING if stage is Stage.FORM_FINDING else CALL))
    return reply | members


def as_bytes(reply: Any) -> bytes:
    return json.dumps(reply).encode()
