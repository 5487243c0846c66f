"""Puts one question to an agent's adapter and always comes back with a `ModelResponse`, whatever the adapter does."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

from soclab.clock import Clock
from soclab.contracts.provider import FinishReason, ModelProvider, ModelRequest, ModelResponse
from soclab.contracts.vocabulary import ErrorCode, Stage
from soclab.errors import MalformedResponseError
from soclab.redaction import clean

__all__ = ["ask"]

_DETAIL_LIMIT = 300
_GRACE_SECONDS = 0.5
"""An adapter's own deadline of the same length comes first: it knows more about what went wrong."""
_CODES = frozenset(code.value for code in ErrorCode)


async def ask(
    provider: ModelProvider,
    request: ModelRequest,
    last_tool: tuple[str, str] | None,
    clock: Clock,
    limit_seconds: float | None = None,
) -> ModelResponse:
    """
    One answer to one stage.

    Args:
        last_tool: name and result text of the latest read, for adapters with native tool calling only.
        limit_seconds: what the adapter may take; None leaves deadlines to it.

    Returns:
        the adapter's response; an error turn (`adapter_fault`, `schema_violation`, `timeout`) when it raised, returned
        something else or took too long. A cancellation passes through.
    """
    started_ms = clock.monotonic_ms()
    deadline = asyncio.timeout(None if limit_seconds is None else limit_seconds + _GRACE_SECONDS)
    try:
        async with deadline:
            answer = _call(provider, request, last_tool)
            if inspect.isawaitable(answer):
                answer = await answer
    except MalformedResponseError as error:
        # Readers of ours say which rule was broken and keep the text, which is searched for leaks like any reply.
        said = getattr(error, "code", None)
        code = said if isinstance(said, ErrorCode) else ErrorCode.SCHEMA_VIOLATION
        text = str(getattr(error, "text", ""))
        return _fault(provider, code, str(error), clock.monotonic_ms() - started_ms, text)
    except TimeoutError as error:
        if deadline.expired():
            detail = f"no answer within {limit_seconds:g} s"
            return _fault(provider, ErrorCode.TIMEOUT, detail, clock.monotonic_ms() - started_ms)
        detail = f"{type(error).__name__}: {error}"
        return _fault(provider, ErrorCode.ADAPTER_FAULT, detail, clock.monotonic_ms() - started_ms)
    except Exception as error:  # an adapter may raise anything: it is the agent's fault, never a crash of the lab
        detail = f"{type(error).__name__}: {error}"
        return _fault(provider, ErrorCode.ADAPTER_FAULT, detail, clock.monotonic_ms() - started_ms)
    if not isinstance(answer, ModelResponse):
        detail = f"the adapter returned {type(answer).__name__}, not ModelResponse"
        return _fault(provider, ErrorCode.ADAPTER_FAULT, detail, clock.monotonic_ms() - started_ms)
    if answer.reason_code is not None and answer.reason_code not in _CODES:
        detail = clean(f"the adapter gave the reason {answer.reason_code}: {answer.detail}", _DETAIL_LIMIT)
        return answer.model_copy(update={"reason_code": ErrorCode.ADAPTER_FAULT.value, "detail": detail})
    return answer


def _call(provider: ModelProvider, request: ModelRequest, last_tool: tuple[str, str] | None) -> Any:
    capabilities = provider.describe_capabilities()
    if capabilities.structured_output or not capabilities.tool_calling:
        return provider.generate_structured(request)
    if request.stage is Stage.FORM_FINDING:
        return provider.generate(request)
    if last_tool is None:
        return provider.request_tool(request)
    return provider.continue_after_tool(request, *last_tool)


def _fault(provider: ModelProvider, code: ErrorCode, detail: str, latency_ms: float, text: str = "") -> ModelResponse:
    return ModelResponse(
        provider=str(getattr(provider, "provider_id", "unknown")),
        model=str(getattr(provider, "model", "unknown")),
        finish_reason=FinishReason.ERROR,
        output_text=text,
        reason_code=code.value,
        detail=clean(detail, _DETAIL_LIMIT),
        latency_ms=latency_ms,
    )
