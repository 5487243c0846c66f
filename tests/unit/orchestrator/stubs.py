"""A gate and a provider small enough to read at a glance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from soclab.contracts.agent_v1 import ToolOffer, read_reply
from soclab.contracts.gate import CallRecord, Ruling, StageContext
from soclab.contracts.proposal import ToolProposal
from soclab.contracts.provider import FinishReason, ModelRequest, ModelResponse, ProviderCapabilities
from soclab.contracts.strict import JsonValue
from soclab.contracts.vocabulary import Decision

READS = ("search_siem_events", "get_identity_profile")


def offer(name: str) -> ToolOffer:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"user_id": {"type": "string"}},
        "required": ["user_id"],
        "additionalProperties": False,
    }
    return ToolOffer(name=name, description=f"{name} of the stub.", arguments_schema=schema)


class StubGate:
    """Reads succeed unless `user_id` is "nobody"; actions are held; `[secret]` is hidden."""

    def __init__(self) -> None:
        self.contexts: list[StageContext] = []

    def read_tools(self) -> tuple[ToolOffer, ...]:
        return tuple(offer(name) for name in READS)

    def response_actions(self) -> tuple[ToolOffer, ...]:
        return (offer("revoke_sessions"),)

    def is_read_tool(self, name: str) -> bool:
        return name in READS

    def is_action(self, name: str) -> bool:
        return name == "revoke_sessions"

    def present(self, value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            return value.replace("[secret]", "[hidden]")
        if isinstance(value, dict):
            return {key: self.present(one) for key, one in value.items()}
        if isinstance(value, list):
            return [self.present(one) for one in value]
        return value

    def withheld(self, text: str) -> tuple[str, ...]:
        return ("slot",) if "[secret]" in text else ()

    async def submit(self, proposal: ToolProposal, context: StageContext, evidence_id: str) -> CallRecord:
        self.contexts.append(context)
        if self.is_action(proposal.name):
            ruling = Ruling(decision=Decision.HOLD, reasons=("approval_required",))
            return CallRecord(stage=context.stage, name=proposal.name, arguments=proposal.arguments, ruling=ruling)
        if proposal.arguments.get("user_id") == "nobody":
            return CallRecord(
                stage=context.stage,
                name=proposal.name,
                arguments=proposal.arguments,
                executed=True,
                error="unknown user",
            )
        result: dict[str, JsonValue] = {"note": "[secret]"}
        return CallRecord(
            stage=context.stage,
            name=proposal.name,
            arguments=proposal.arguments,
            executed=True,
            result=result,
            shown=self.present(result),
            evidence_id=evidence_id,
        )


class StubProvider:
    """Answers with what `reply` makes of the request: a reply's JSON text, a response, or an exception."""

    provider_id = "stub"
    model = "stub-1"

    def __init__(
        self, reply: Callable[[ModelRequest], str | ModelResponse], capabilities: ProviderCapabilities | None = None
    ) -> None:
        self.reply = reply
        self.requests: list[ModelRequest] = []
        self.calls: list[str] = []
        self.capabilities = capabilities or ProviderCapabilities()

    def describe_capabilities(self) -> ProviderCapabilities:
        return self.capabilities

    def _answer(self, request: ModelRequest, method: str) -> ModelResponse:
        self.requests.append(request)
        self.calls.append(method)
        answer = self.reply(request)
        return response(answer) if isinstance(answer, str) else answer

    async def generate_structured(self, request: ModelRequest) -> ModelResponse:
        return self._answer(request, "generate_structured")

    async def generate(self, request: ModelRequest) -> ModelResponse:
        return self._answer(request, "generate")

    async def request_tool(self, request: ModelRequest) -> ModelResponse:
        return self._answer(request, "request_tool")

    async def continue_after_tool(self, request: ModelRequest, tool_name: str, tool_result: str) -> ModelResponse:
        return self._answer(request, f"continue_after_tool:{tool_name}")


def response(text: str, **changes: Any) -> ModelResponse:
    """A usable response around a reply's JSON text."""
    fields: dict[str, Any] = {
        "provider": "stub",
        "model": "stub-1",
        "finish_reason": FinishReason.STOP,
        "output_text": text,
        "structured_output": read_reply(text.encode()),
    }
    return ModelResponse(**{**fields, **changes})
