"""From a `ModelRequest` to the request body of `soclab.agent.v1`, the same for HTTP agents and Python callables."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from soclab.canonical_json import encode
from soclab.contracts.agent_v1 import CONTRACT_ID, ToolOffer
from soclab.contracts.provider import Message, ModelRequest
from soclab.contracts.strict import JsonObject
from soclab.errors import CapabilityUnsupportedError

__all__ = ["estimated_tokens", "request_body"]

_NO_ID = "none"
_REMEMBERED_LENGTH = 16_384
_BYTES_PER_TOKEN = 4
_MOST_CONSTANTS: Final = 64
_CONSTANTS: Final[dict[int, tuple[object, str]]] = {}


def request_body(request: ModelRequest) -> bytes:
    """
    The body as ASCII bytes with sorted keys: hash and send these same bytes.

    Whatever text is inside (lone surrogates, control characters) stands as JSON escapes. Ids that are missing,
    because no orchestrator built the request, become `none`.

    Raises:
        CapabilityUnsupportedError: the request names no stage, and the contract has no request without one.
    """
    if request.stage is None:
        raise CapabilityUnsupportedError("a soclab.agent.v1 request needs a stage: set ModelRequest.stage")
    members = (
        ("context", encode({"alert": request.alert, "evidence_ids": request.evidence_ids})),
        ("contract", encode(CONTRACT_ID)),
        ("incident_id", encode(request.incident_id or _NO_ID)),
        ("instruction", encode(request.instruction)),
        ("max_output_tokens", encode(request.max_output_tokens)),
        ("response_schema", _constant(request.response_schema)),
        ("run_id", encode(request.run_id or _NO_ID)),
        ("stage", encode(request.stage)),
        ("system_prompt", _text(request.system_prompt)),
        ("temperature", encode(request.temperature)),
        ("tools", _constant(request.tools)),
        ("trace_id", encode(request.trace_id or _NO_ID)),
        ("turns", f"[{','.join(map(_turn, request.turns or request.messages))}]"),
    )
    return ("{" + ",".join(f'"{name}":{text}' for name, text in members) + "}").encode("ascii")


def estimated_tokens(size_bytes: int) -> int:
    """A guess at the tokens in so many bytes of JSON: four bytes each, rounded up."""
    return -(-size_bytes // _BYTES_PER_TOKEN)


def _constant(value: JsonObject | tuple[ToolOffer, ...] | None) -> str:
    """
    JSON of a value that the lab hands out again and again: the schema of a stage, the tools it offers.

    Kept by identity, with the value itself, so that an identity cannot come to mean another value.
    """
    known = _CONSTANTS.get(id(value))
    if known is None or known[0] is not value:
        if len(_CONSTANTS) > _MOST_CONSTANTS:
            _CONSTANTS.clear()
        plain = [tool.model_dump(mode="json") for tool in value] if isinstance(value, tuple) else value
        known = _CONSTANTS[id(value)] = (value, encode(plain))
    return known[1]


@lru_cache(maxsize=256)
def _text(text: str) -> str:
    """JSON of a text that every stage of a run repeats."""
    return encode(text)


def _turn(message: Message) -> str:
    """What the agent wrote may be long and is repeated once at most; the lab's own records are short."""
    turn = _turn_json if len(message.content) <= _REMEMBERED_LENGTH else _turn_json.__wrapped__
    return turn(message.role, message.content, message.trust, message.tool_name)


@lru_cache(maxsize=512)
def _turn_json(role: str, content: str, trust: str, tool_name: str | None) -> str:
    """JSON of a message; a run repeats each of its messages at every later stage."""
    return encode({"role": role, "content": content, "trust": trust, "tool_name": tool_name})
