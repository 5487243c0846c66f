"""What the orchestrator and an agent's adapter say to each other."""

from __future__ import annotations

from collections.abc import AsyncIterator
from enum import StrEnum
from typing import Protocol, runtime_checkable

from soclab.contracts.agent_v1 import AgentReply, ToolOffer
from soclab.contracts.strict import Frozen, JsonObject
from soclab.contracts.vocabulary import Role, Stage, Trust

__all__ = [
    "FinishReason",
    "Message",
    "ModelProvider",
    "ModelRequest",
    "ModelResponse",
    "ProviderCapabilities",
    "TokenUsage",
    "ToolCall",
]


class FinishReason(StrEnum):
    """Why an answer ended. ERROR means: no usable answer, see `reason_code`."""

    STOP = "stop"
    LENGTH = "length"
    TOOL_CALL = "tool_call"
    CONTENT_FILTER = "content_filter"
    REFUSAL = "refusal"
    ERROR = "error"


class ToolCall(Frozen):
    """A call as a vendor's native tool calling returns it; untrusted."""

    name: str
    arguments: JsonObject = {}


class TokenUsage(Frozen):
    """Tokens of one call. `estimated` is true unless the agent reported them."""

    input_tokens: int
    output_tokens: int
    estimated: bool = True


class ProviderCapabilities(Frozen):
    """What an agent's adapter can do."""

    tool_calling: bool = False
    structured_output: bool = True
    streaming: bool = False
    usage_reporting: bool = False


class Message(Frozen):
    """One message of the conversation, as the agent sees it."""

    role: Role
    content: str
    trust: Trust = Trust.UNTRUSTED
    tool_name: str | None = None


class ModelRequest(Frozen):
    """
    One stage's question to an agent.

    `messages` is what a chat model needs: the earlier turns, then the instruction as a trusted user message.
    The ids and everything after them are there when the orchestrator built the request, else None or empty.
    """

    system_prompt: str
    messages: tuple[Message, ...]
    run_id: str | None = None
    trace_id: str | None = None
    incident_id: str | None = None
    stage: Stage | None = None
    instruction: str = ""
    alert: JsonObject = {}
    evidence_ids: tuple[str, ...] = ()
    tools: tuple[ToolOffer, ...] = ()
    turns: tuple[Message, ...] = ()
    response_schema: JsonObject | None = None
    max_output_tokens: int = 1024
    temperature: float = 0.0


class ModelResponse(Frozen):
    """
    One answer, usable or not. Untrusted in every part but the numbers that the adapter measured.

    Attributes:
        output_text: the raw reply as text, kept for the leak oracle; bytes that are no UTF-8 stand as `\\xNN`.
        output_sha256, output_bytes: of the reply's original bytes.
        structured_output: the validated reply; None on an error turn.
        tool_call: a vendor's native call, when the adapter has tool calling and no structured output.
        reason_code: a member of `ErrorCode` on an error turn, else None.
        detail: one line about the error: field paths, status; never values of the reply, never the token.
        request_sent: False only when it is certain that the agent never received the request.
        request_sha256: of the exact bytes sent; None for agents in process.
        attempts: requests made for this answer, 1 or 2.
        retry_after_seconds: what the agent asked for with a 429.
    """

    provider: str
    model: str
    finish_reason: FinishReason
    output_text: str = ""
    output_sha256: str | None = None
    output_bytes: int | None = None
    structured_output: AgentReply | None = None
    tool_call: ToolCall | None = None
    usage: TokenUsage | None = None
    latency_ms: float = 0.0
    cost_usd: float | None = None
    cost_is_estimated: bool = True
    reason_code: str | None = None
    detail: str = ""
    request_sent: bool = True
    request_sha256: str | None = None
    attempts: int = 1
    retry_after_seconds: float | None = None


@runtime_checkable
class ModelProvider(Protocol):
    """
    An agent's adapter. Methods may be `async def` or plain `def`; the orchestrator calls
    `generate_structured` at every stage, and `request_tool` / `continue_after_tool` only for an adapter
    that has tool calling and no structured output.

    An adapter may define `__aenter__` / `__aexit__`; the engine enters it in its own event loop.
    """

    provider_id: str
    model: str

    def describe_capabilities(self) -> ProviderCapabilities: ...

    def count_usage(self, request: ModelRequest) -> TokenUsage: ...

    async def generate_structured(self, request: ModelRequest) -> ModelResponse: ...

    async def generate(self, request: ModelRequest) -> ModelResponse: ...

    async def request_tool(self, request: ModelRequest) -> ModelResponse: ...

    async def continue_after_tool(self, request: ModelRequest, tool_name: str, tool_result: str) -> ModelResponse: ...

    def stream(self, request: ModelRequest) -> AsyncIterator[str]: ...
