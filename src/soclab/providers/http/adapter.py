"""The provider for an agent behind a URL: one POST per stage, one answer whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from soclab import canonical_json
from soclab.clock import Clock, SystemClock
from soclab.contracts.provider import ModelRequest, ModelResponse, ProviderCapabilities
from soclab.providers.agent_request import request_body
from soclab.providers.answers import DETAIL_LIMIT, finish_reason_of, usage_of
from soclab.providers.base import StructuredProvider
from soclab.providers.http.exchange import Call, Failure, perform
from soclab.providers.http.hints import with_hint
from soclab.providers.http.incoming import Answer, answer_to
from soclab.providers.http.outgoing import Outgoing
from soclab.providers.http.settings import HttpSettings
from soclab.providers.http.transport import SlotTransport, TransportFactory
from soclab.redaction import clean

__all__ = ["HttpAgentProvider", "build"]


def build(environment: Mapping[str, str], model: str | None) -> HttpAgentProvider:
    """
    The provider that the environment describes.

    Raises:
        ConfigurationError: a variable is missing or cannot be used.
    """
    return HttpAgentProvider(HttpSettings.from_environment(environment), model=model)


class HttpAgentProvider(StructuredProvider):
    """
    One agent behind one URL, over one connection: calls on the same object wait for one another.

    `for_slot()` gives a provider with a connection of its own. Inside `async with` the connection is kept between
    calls; without it, each call opens and closes its own.

    Args:
        model: label of the agent, `agent` by default; recorded unless a reply names another.
        clock: for latencies, and for a `Retry-After` that is a date.
        transport: makes a transport; for tests and ASGI apps.
    """

    provider_id = "http"

    def __init__(
        self,
        settings: HttpSettings,
        *,
        model: str | None = None,
        clock: Clock | None = None,
        transport: TransportFactory | None = None,
    ) -> None:
        self.model = model or "agent"
        self._settings = settings
        self._clock = clock or SystemClock()
        self._secrets = settings.secrets
        self._outgoing = Outgoing(settings.url, settings.token, settings.timeout_seconds)
        self._make_transport = transport or _slot_transports(settings)
        self._transport = self._make_transport()
        self._one_at_a_time = asyncio.Lock()
        self._is_entered = False

    def __repr__(self) -> str:
        return f"<HttpAgentProvider {self._settings.shown_url} model={self.model!a}>"

    @property
    def warnings(self) -> tuple[str, ...]:
        """What people should know about the configuration: one line each, no values."""
        return self._settings.warnings

    def for_slot(self) -> HttpAgentProvider:
        """The same agent over a connection of its own; enter it with `async with`."""
        return HttpAgentProvider(self._settings, model=self.model, clock=self._clock, transport=self._make_transport)

    async def __aenter__(self) -> Self:
        self._is_entered = True
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._is_entered = False
        await self._transport.aclose()

    def describe_capabilities(self) -> ProviderCapabilities:
        """Structured output, and usage where the agent reports it."""
        return ProviderCapabilities(tool_calling=False, structured_output=True, usage_reporting=True)

    async def generate_structured(self, request: ModelRequest) -> ModelResponse:
        """
        One POST, or two where the retry rule allows it. Nothing the agent or the network does raises.

        Raises:
            CapabilityUnsupportedError: the request names no stage.
        """
        call = Call(request_body(request), self._settings.max_reply_bytes)
        async with self._one_at_a_time:
            started_ms = self._clock.monotonic_ms()
            try:
                failure = await perform(call, self._transport, self._outgoing, self._settings.timeout_seconds)
                latency_ms = self._clock.monotonic_ms() - started_ms
                if not self._is_entered:
                    await self._transport.aclose()
            except BaseException as error:
                error.__context__ = None
                raise error.with_traceback(None)  # noqa: B904  # frames further in hold the token among their locals
        return self._response(call, self._answer(call, failure), latency_ms)

    def _answer(self, call: Call, failure: Failure | None) -> Answer:
        status = call.status
        if status is None or (failure is not None and 200 <= status < 300):
            assert failure is not None
            return Answer(code=failure[0], detail=failure[1])
        # A status that is an error by itself says more than what became of its body.
        answer = answer_to(status, bytes(call.reply.data), call.reply.fault, call.retry_after, self._clock.now())
        if answer.code is None or not self._settings.from_variables:
            return answer
        return with_hint(answer, status, call.content_type, has_token=self._settings.token is not None)

    def _response(self, call: Call, answer: Answer, latency_ms: float) -> ModelResponse:
        said = bytes(call.reply.data)
        reply = answer.reply
        came = call.status is not None
        return ModelResponse(
            provider=self.provider_id,
            model=(reply.model if reply else None) or self.model,
            finish_reason=finish_reason_of(reply),
            output_text=said.decode("utf-8", "backslashreplace"),
            output_sha256=canonical_json.sha256_hex(said) if came else None,
            output_bytes=len(said) if came else None,
            structured_output=reply,
            usage=usage_of(reply, len(call.body) if call.sent else 0, len(said)),
            latency_ms=latency_ms,
            reason_code=answer.code.value if answer.code else None,
            detail=clean(self._secrets.mask(answer.detail), DETAIL_LIMIT),
            request_sent=call.sent,
            request_sha256=canonical_json.sha256_hex(call.body),
            attempts=call.attempts,
            retry_after_seconds=answer.retry_after_seconds,
        )


def _slot_transports(settings: HttpSettings) -> TransportFactory:
    context = settings.ssl_context()
    return lambda: SlotTransport(context)
