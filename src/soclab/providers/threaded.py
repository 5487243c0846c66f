"""A user's provider whose methods are plain `def`: it works in threads, so that it never stops the event loop."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any, Self

from soclab.contracts.provider import ModelProvider, ModelRequest, ModelResponse, ProviderCapabilities, TokenUsage
from soclab.providers.daemon_thread import in_daemon_thread

__all__ = ["ThreadedProvider"]


class ThreadedProvider:
    """
    The same provider; each call that asks the agent runs in a thread of its own.

    Args:
        inner: its asking methods may be `def` or `async def`, mixed; its exceptions pass through.
    """

    def __init__(self, inner: ModelProvider) -> None:
        self._inner: Any = inner
        self.provider_id: str = inner.provider_id
        self.model: str = inner.model

    def __repr__(self) -> str:
        return f"<ThreadedProvider {self.provider_id!a} model={self.model!a}>"

    def for_slot(self) -> ModelProvider:
        """The inner provider's own slot, in threads too; this very object when it has none."""
        per_slot = getattr(self._inner, "for_slot", None)
        return ThreadedProvider(per_slot()) if callable(per_slot) else self

    async def __aenter__(self) -> Self:
        if hasattr(self._inner, "__aenter__"):
            await self._inner.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if hasattr(self._inner, "__aexit__"):
            await self._inner.__aexit__(kind, error, traceback)

    def describe_capabilities(self) -> ProviderCapabilities:
        capabilities: ProviderCapabilities = self._inner.describe_capabilities()
        return capabilities

    def count_usage(self, request: ModelRequest) -> TokenUsage:
        usage: TokenUsage = self._inner.count_usage(request)
        return usage

    async def generate_structured(self, request: ModelRequest) -> ModelResponse:
        return await self._ask("generate_structured", request)

    async def generate(self, request: ModelRequest) -> ModelResponse:
        return await self._ask("generate", request)

    async def request_tool(self, request: ModelRequest) -> ModelResponse:
        return await self._ask("request_tool", request)

    async def continue_after_tool(self, request: ModelRequest, tool_name: str, tool_result: str) -> ModelResponse:
        return await self._ask("continue_after_tool", request, tool_name, tool_result)

    def stream(self, request: ModelRequest) -> AsyncIterator[str]:
        parts: AsyncIterator[str] = self._inner.stream(request)
        return parts

    async def _ask(self, method: str, *arguments: Any) -> ModelResponse:
        bound = getattr(self._inner, method)
        if inspect.iscoroutinefunction(bound):
            answer = await bound(*arguments)
        else:
            answer = await in_daemon_thread(bound, *arguments)
            if inspect.isawaitable(answer):
                answer = await answer
        response: ModelResponse = answer
        return response
