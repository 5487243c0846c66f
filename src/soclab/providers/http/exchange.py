"""One call: the request goes out, once or where the retry rule allows it twice, and what comes back is read."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Final

from soclab.contracts.vocabulary import ErrorCode
from soclab.providers.http.client_library import httpx
from soclab.providers.http.connection import Delivery
from soclab.providers.http.outgoing import Outgoing
from soclab.providers.http.reply_body import ReplyBody
from soclab.providers.http.transport import ReplyTooLarge

__all__ = ["Call", "Failure", "perform"]

Failure = tuple[ErrorCode, str]

_FRAMING_FACTOR: Final = 2  # heads, chunk sizes and body together may take this many times the cap of a body ...
_FRAMING_BYTES: Final = 128 * 1024  # ... and this much on top
_MOST_ATTEMPTS: Final = 2
_NEVER_SENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.UnsupportedProtocol)
_BROKEN: Final = (httpx.ReadError, httpx.WriteError, httpx.CloseError, httpx.RemoteProtocolError)


@dataclass
class Call:
    """
    What is known of a call, filled in as things happen, so that a deadline loses nothing of it.

    Attributes:
        status: None until the head of the reply came.
        retry_after, content_type: the headers' values; untrusted.
        sent: the agent may have received the request.
        broke_off: the connection was closed in the middle of a reply.
    """

    body: bytes
    most_bytes: int
    attempts: int = 0
    sent: bool = False
    broke_off: bool = False
    status: int | None = None
    retry_after: str | None = None
    content_type: str = ""
    reply: ReplyBody = field(init=False)

    def __post_init__(self) -> None:
        self.reply = ReplyBody(self.most_bytes)


async def perform(
    call: Call, transport: httpx.AsyncBaseTransport, outgoing: Outgoing, timeout_seconds: float
) -> Failure | None:
    """
    Make the call within one deadline.

    Returns:
        None when a reply came in, whatever its status (its body may still have a fault); else why none did.
        Nothing is raised but a cancellation.
    """
    too_late = (ErrorCode.TIMEOUT, f"no complete answer within {timeout_seconds:g} s")
    try:
        async with asyncio.timeout(timeout_seconds):
            response = await _deliver(call, transport, outgoing)
            try:
                await _receive(call, response)
            finally:
                await response.aclose()
    except TimeoutError:
        return too_late
    except httpx.TimeoutException as error:
        return ErrorCode.TIMEOUT, str(error) or "the transport timed out"
    except ReplyTooLarge as error:
        return ErrorCode.REPLY_TOO_LARGE, str(error)
    except httpx.TransportError as error:
        return ErrorCode.TRUNCATED if call.broke_off else ErrorCode.TRANSPORT_ERROR, str(error)
    except Exception as error:  # a transport that was put in may raise anything, and that is the agent's side
        return ErrorCode.TRANSPORT_ERROR, f"the transport raised {type(error).__name__}"
    return None


async def _deliver(call: Call, transport: httpx.AsyncBaseTransport, outgoing: Outgoing) -> httpx.Response:
    while True:
        call.attempts += 1
        delivery = Delivery(call.most_bytes * _FRAMING_FACTOR + _FRAMING_BYTES)
        try:
            response = await transport.handle_async_request(outgoing.request(call.body, call.attempts, delivery))
        except httpx.TransportError as error:
            call.sent |= delivery.request_started if delivery.tracked else not isinstance(error, _NEVER_SENT)
            call.broke_off = isinstance(error, httpx.ReadError) and delivery.reply_bytes > 0
            if call.attempts == _MOST_ATTEMPTS or not _may_retry(error, delivery):
                raise
        except BaseException:
            call.sent |= delivery.request_started or not delivery.tracked
            raise
        else:
            call.sent = True
            return response


def _may_retry(error: httpx.TransportError, delivery: Delivery) -> bool:
    """Only when no connection came about, or a reused one was closed before any byte of a reply."""
    if isinstance(error, httpx.ConnectError):
        return not delivery.request_started
    return isinstance(error, _BROKEN) and delivery.reused and delivery.reply_bytes == 0


async def _receive(call: Call, response: httpx.Response) -> None:
    call.status = response.status_code
    call.retry_after = response.headers.get("retry-after")
    call.content_type = response.headers.get("content-type", "")
    call.reply = ReplyBody(call.most_bytes, response.headers.get("content-encoding", ""))
    assert isinstance(response.stream, httpx.AsyncByteStream)
    chunks = aiter(response.stream)
    try:
        async for chunk in chunks:
            if not call.reply.feed(chunk):
                return
    except httpx.TransportError:
        call.broke_off = True
        raise
    finally:
        if hasattr(chunks, "aclose"):
            await chunks.aclose()
    call.reply.end()
