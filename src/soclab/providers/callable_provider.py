"""A function in this process as an agent."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable
from typing import Any, Final

from soclab.contracts.agent_v1 import AgentReply
from soclab.contracts.provider import ModelRequest, ModelResponse
from soclab.contracts.vocabulary import ErrorCode
from soclab.providers._shared import Timer
from soclab.providers.agent_request import request_body
from soclab.providers.answers import answered, fault
from soclab.providers.base import StructuredProvider
from soclab.providers.daemon_thread import in_daemon_thread
from soclab.redaction import Secrets, clean

__all__ = ["CallableProvider", "is_async"]

_NAME_LIMIT: Final = 80


class CallableProvider(StructuredProvider):
    """
    Asks a function. Whatever it raises or returns comes out as an answer, an error turn if need be.

    Args:
        function: takes the request body as a dict (a fresh copy); returns dict, str, bytes, or ModelResponse.
            Sync or async; a sync one runs in a thread of its own.
        model: label of the agent, `agent` by default.
        timeout_seconds: for one call. A sync function that is too late goes on in its thread, unheard.
        secrets: texts that no error detail may hold.
    """

    provider_id = "callable"

    def __init__(
        self,
        function: Callable[[Any], Any],
        *,
        model: str | None = None,
        timeout_seconds: float,
        secrets: Secrets | None = None,
    ) -> None:
        self.model = model or "agent"
        self._function = function
        self._is_async = is_async(function)
        self._timeout_seconds = timeout_seconds
        self._secrets = secrets or Secrets()

    def __repr__(self) -> str:
        name = getattr(self._function, "__qualname__", type(self._function).__name__)
        return f"<CallableProvider {clean(str(name), _NAME_LIMIT)} model={self.model!a}>"

    async def generate_structured(self, request: ModelRequest) -> ModelResponse:
        """
        The function's answer.

        Raises:
            CapabilityUnsupportedError: the request names no stage.
        """
        body = request_body(request)
        with Timer() as timer:
            said = await self._said(body)
        if isinstance(said, ModelResponse):
            return said
        if isinstance(said, bytes):
            return answered(self, said, sent_bytes=len(body), latency_ms=timer.elapsed_ms, secrets=self._secrets)
        return fault(self, *said, sent_bytes=len(body), latency_ms=timer.elapsed_ms, secrets=self._secrets)

    async def _said(self, body: bytes) -> ModelResponse | bytes | tuple[ErrorCode, str]:
        """A whole response, or raw words, or why there are none."""
        deadline = asyncio.timeout(self._timeout_seconds)
        try:
            async with deadline:
                returned = await self._call(json.loads(body))
            return returned if isinstance(returned, ModelResponse) else _raw(returned)
        except (Exception, asyncio.CancelledError, SystemExit) as error:
            if _is_real_cancellation(error):
                raise
            if isinstance(error, TimeoutError) and deadline.expired():
                return ErrorCode.TIMEOUT, f"no answer within {self._timeout_seconds:g} s"
            return ErrorCode.ADAPTER_FAULT, _told(error)

    async def _call(self, body: Any) -> Any:
        returned = self._function(body) if self._is_async else await in_daemon_thread(self._function, body)
        return await returned if inspect.isawaitable(returned) else returned


def is_async(thing: Any) -> bool:
    """Whether a call of it gives a coroutine: an `async def`, or an object with an async `__call__`."""
    call = getattr(type(thing), "__call__", None)  # noqa: B004  # its kind is asked, not whether there is one
    return inspect.iscoroutinefunction(thing) or inspect.iscoroutinefunction(call)


def _raw(returned: Any) -> bytes:
    if isinstance(returned, bytes | bytearray | memoryview):
        return bytes(returned)
    if isinstance(returned, str):
        return returned.encode("utf-8", "surrogatepass")
    if isinstance(returned, AgentReply):
        return returned.model_dump_json().encode("utf-8")
    if isinstance(returned, dict):
        raw = json.dumps(returned).encode("ascii")  # refuses rings, which the next line would follow for ever
        _check_keys(returned)
        return raw
    raise TypeError(f"it returned {type(returned).__name__}; return dict, str, bytes or ModelResponse")


def _check_keys(value: dict[Any, Any]) -> None:
    """`json.dumps` would turn a key that is no text into text in silence."""
    layer: list[Any] = [value]
    while layer:
        below: list[Any] = []
        for item in layer:
            if isinstance(item, dict):
                for key in item:
                    if not isinstance(key, str):
                        raise TypeError(f"it returned a dict with a key of type {type(key).__name__}; use text")
                below += item.values()
            elif isinstance(item, list | tuple):
                below += item
        layer = below


def _told(error: BaseException) -> str:
    try:
        words = str(error)
    except Exception:  # a user's exception may not even print
        words = ""
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def _is_real_cancellation(error: BaseException) -> bool:
    """Somebody cancels the task, as opposed to a function that raises CancelledError by itself."""
    task = asyncio.current_task()
    return isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling() > 0
