"""From a `ModelRequest` to the request body of `soclab.agent.v1`, the same for HTTP agents and Python callables."""

from __future__ import annotations

from typing import Any

from soclab import canonical_json
from soclab.contracts.agent_v1 import CONTRACT_ID
from soclab.contracts.provider import Message, ModelRequest
from soclab.errors import CapabilityUnsupportedError

__all__ = ["estimated_tokens", "request_body"]

_NO_ID = "none"
_BYTES_PER_TOKEN = 4


def request_body(request: ModelRequest) -> bytes:
    """
    The body as ASCII bytes with sorted keys: hash and send these same bytes.

    Whatever text is inside (lone surrogates, control characters) stands as JSON escapes. Ids that are missing,
    because no orchestrator built the request, become `none`.

    Raises:
        CapabilityUnsupportedError: the request names no stage, and the contract has no request without one.
    """
    return canonical_json.encode_bytes(_value(request))


def estimated_tokens(size_bytes: int) -> int:
    """A guess at the tokens in so many bytes of JSON: four bytes each, rounded up."""
    return -(-size_bytes // _BYTES_PER_TOKEN)


def _value(request: ModelRequest) -> dict[str, Any]:
    if request.stage is None:
        raise CapabilityUnsupportedError("a soclab.agent.v1 request needs a stage: set ModelRequest.stage")
    return {
        "contract": CONTRACT_ID,
        "run_id": request.run_id or _NO_ID,
        "trace_id": request.trace_id or _NO_ID,
        "incident_id": request.incident_id or _NO_ID,
        "stage": request.stage,
        "instruction": request.instruction,
        "system_prompt": request.system_prompt,
        "context": {"alert": request.alert, "evidence_ids": request.evidence_ids},
        "tools": [
            {"name": tool.name, "description": tool.description, "arguments_schema": tool.arguments_schema}
            for tool in request.tools
        ],
        "turns": [_turn(message) for message in request.turns or request.messages],
        "response_schema": request.response_schema,
        "max_output_tokens": request.max_output_tokens,
        "temperature": request.temperature,
    }


def _turn(message: Message) -> dict[str, Any]:
    return {
        "role": message.role,
        "content": message.content,
        "trust": message.trust,
        "tool_name": message.tool_name,
    }
