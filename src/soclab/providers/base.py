"""What all adapters of `soclab.agent.v1` agents have in common: one kind of answer, and no vendor features."""

# ruff: noqa: ARG002  # the signatures are the protocol's

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator

from soclab.contracts.provider import ModelRequest, ModelResponse, ProviderCapabilities, TokenUsage
from soclab.errors import CapabilityUnsupportedError
from soclab.providers.agent_request import estimated_tokens, request_body

__all__ = ["StructuredProvider"]


class StructuredProvider(ABC):
    """
    A provider that answers every stage with a whole reply object.

    Subclasses set `provider_id` and `model` and write `generate_structured`, which never raises for anything the
    agent did: an error is a `ModelResponse` with a reason code.
    """

    provider_id: str
    model: str

    def describe_capabilities(self) -> ProviderCapabilities:
        """Structured output only."""
        return ProviderCapabilities(tool_calling=False, structured_output=True, streaming=False)

    def count_usage(self, request: ModelRequest) -> TokenUsage:
        """An estimate of the request's tokens: bytes of its JSON body / 4."""
        return TokenUsage(input_tokens=estimated_tokens(len(request_body(request))), output_tokens=0)

    @abstractmethod
    async def generate_structured(self, request: ModelRequest) -> ModelResponse:
        """One answer to one stage."""

    async def generate(self, request: ModelRequest) -> ModelResponse:
        """The same as `generate_structured`: these agents have one shape of answer."""
        return await self.generate_structured(request)

    async def request_tool(self, request: ModelRequest) -> ModelResponse:
        """Always raises CapabilityUnsupportedError."""
        raise self._unsupported("native tool calling")

    async def continue_after_tool(self, request: ModelRequest, tool_name: str, tool_result: str) -> ModelResponse:
        """Always raises CapabilityUnsupportedError."""
        raise self._unsupported("native tool calling")

    def stream(self, request: ModelRequest) -> AsyncIterator[str]:
        """Always raises CapabilityUnsupportedError."""
        raise self._unsupported("streaming")

    def _unsupported(self, feature: str) -> CapabilityUnsupportedError:
        return CapabilityUnsupportedError(f"provider {self.provider_id!r} has no {feature}: use generate_structured")
