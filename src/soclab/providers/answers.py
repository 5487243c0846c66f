"""From an agent's raw words to a `ModelResponse`, whatever way they came. Nothing here raises."""

from __future__ import annotations

from typing import Final

from soclab import canonical_json
from soclab.contracts.agent_v1 import AgentReply, ReplyRejected, read_reply
from soclab.contracts.provider import FinishReason, ModelProvider, ModelResponse, TokenUsage
from soclab.contracts.vocabulary import ErrorCode
from soclab.providers.agent_request import estimated_tokens
from soclab.redaction import Secrets, clean

__all__ = ["DETAIL_LIMIT", "answered", "fault", "finish_reason_of", "usage_of"]

DETAIL_LIMIT: Final = 300
_MOST_TOKENS: Final = 10**12


def answered(
    provider: ModelProvider, raw: bytes, *, sent_bytes: int, latency_ms: float = 0.0, secrets: Secrets | None = None
) -> ModelResponse:
    """
    What an agent said, read by the strict reader; an error turn when it is no reply.

    Args:
        raw: the whole reply as bytes; untrusted.
        sent_bytes: size of the request, for estimated usage.
        secrets: what the detail of an error must not hold.
    """
    reply, code, detail = None, None, ""
    try:
        reply = read_reply(raw)
    except ReplyRejected as rejected:
        code, detail = rejected.code.value, rejected.detail
    return ModelResponse(
        provider=provider.provider_id,
        model=(reply.model if reply else None) or provider.model,
        finish_reason=finish_reason_of(reply),
        output_text=raw.decode("utf-8", "backslashreplace"),
        output_sha256=canonical_json.sha256_hex(raw),
        output_bytes=len(raw),
        structured_output=reply,
        usage=usage_of(reply, sent_bytes, len(raw)),
        latency_ms=latency_ms,
        reason_code=code,
        detail=clean((secrets or Secrets()).mask(detail), DETAIL_LIMIT),
    )


def fault(
    provider: ModelProvider,
    code: ErrorCode,
    detail: str,
    *,
    sent_bytes: int = 0,
    latency_ms: float = 0.0,
    secrets: Secrets | None = None,
) -> ModelResponse:
    """An error turn without any words of the agent."""
    return ModelResponse(
        provider=provider.provider_id,
        model=provider.model,
        finish_reason=FinishReason.ERROR,
        usage=usage_of(None, sent_bytes, 0),
        latency_ms=latency_ms,
        reason_code=code.value,
        detail=clean((secrets or Secrets()).mask(detail), DETAIL_LIMIT),
    )


def finish_reason_of(reply: AgentReply | None) -> FinishReason:
    """ERROR without a reply, REFUSAL for a refusal, else STOP."""
    if reply is None:
        return FinishReason.ERROR
    return FinishReason.STOP if reply.refusal is None else FinishReason.REFUSAL


def usage_of(reply: AgentReply | None, sent_bytes: int, received_bytes: int) -> TokenUsage:
    """What the reply reports, bounded; else an estimate of four bytes a token, labelled as one."""
    reported = reply.usage if reply else None
    if reported is None:
        return TokenUsage(
            input_tokens=estimated_tokens(sent_bytes), output_tokens=estimated_tokens(received_bytes), estimated=True
        )
    return TokenUsage(
        input_tokens=min(reported.input_tokens, _MOST_TOKENS),
        output_tokens=min(reported.output_tokens, _MOST_TOKENS),
        estimated=False,
    )
