"""
The seam to httpx: one slot, one connection.

httpx's own pool is scanned at every request and cannot tell whether a byte of a reply came; with one connection
there is nothing to scan, and `Delivery` holds the facts that the retry rule needs. Tests put
`httpx.MockTransport` or `httpx.ASGITransport` in its place.
"""

from __future__ import annotations

import errno
import re
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager

import h11

from soclab.providers.http.client_library import httpx
from soclab.providers.http.connection import Connection, Delivery, NoReply, TooManyBytes

__all__ = ["DELIVERY", "ReplyTooLarge", "SlotTransport", "TransportFactory"]

DELIVERY = "soclab.delivery"
"""Key of the request's `Delivery` in `httpx.Request.extensions`."""

TransportFactory = Callable[[], httpx.AsyncBaseTransport]

_DEFAULT_PORTS = {"http": 80, "https": 443}
_NO_TLS_AT_ALL = ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "PACKET_LENGTH_TOO_LONG", "RECORD_LAYER_FAILURE")
_ERRNO = re.compile(r"\[Errno (\d+)\]")


class ReplyTooLarge(httpx.ReadError):
    """More bytes came in than a reply may have."""


class SlotTransport(httpx.AsyncBaseTransport):
    """
    Sends POST requests one after the other over one kept-alive connection; a broken one is opened anew.

    Args:
        context: for https; shared by all slots.

    Errors are httpx's, with one-line messages of our own that hold no word of the agent: ConnectError,
    ConnectTimeout, ReadError, ReadTimeout, RemoteProtocolError, LocalProtocolError.
    """

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self._context = context
        self._connection: Connection | None = None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        delivery: Delivery = request.extensions[DELIVERY]
        delivery.tracked = True
        connection = await self._ready(request.url, delivery)
        try:
            with _as_httpx_errors():
                status, headers = await connection.exchange(
                    request.url.raw_path, request.headers.raw, request.content, delivery
                )
        except BaseException:
            connection.drop()
            raise
        return httpx.Response(status, headers=headers, stream=_Body(connection, delivery))

    async def aclose(self) -> None:
        if self._connection is not None:
            self._connection.drop()
            await self._connection.wait_closed()
            self._connection = None

    async def _ready(self, url: httpx.URL, delivery: Delivery) -> Connection:
        if self._connection is not None:
            if self._connection.is_reusable:
                delivery.reused = True
                return self._connection
            self._connection.drop()
            self._connection = None
        port = url.port or _DEFAULT_PORTS[url.scheme]
        host = url.raw_host.decode("ascii")
        try:
            self._connection = await Connection.open(host, port, self._context)
        except TimeoutError:
            raise httpx.ConnectTimeout(f"connecting to {host}:{port} took too long") from None
        except (OSError, ValueError) as error:
            raise httpx.ConnectError(_why(error, f"{host}:{port}")) from None
        return self._connection


class _Body(httpx.AsyncByteStream):
    def __init__(self, connection: Connection, delivery: Delivery) -> None:
        self._connection = connection
        self._delivery = delivery

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _as_httpx_errors():
            while (chunk := await self._connection.read_body(self._delivery)) is not None:
                yield chunk

    async def aclose(self) -> None:
        self._connection.finish()


@contextmanager
def _as_httpx_errors() -> Iterator[None]:
    try:
        yield
    except TooManyBytes:
        raise ReplyTooLarge("the reply has too many bytes") from None
    except NoReply:
        raise httpx.ReadError("the connection was closed before a reply came") from None
    except h11.RemoteProtocolError:
        raise httpx.RemoteProtocolError("the reply is no well-formed HTTP/1.1") from None
    except h11.LocalProtocolError:
        raise httpx.LocalProtocolError("the request is no well-formed HTTP/1.1") from None
    except TimeoutError:
        raise httpx.ReadTimeout("the connection timed out") from None
    except ssl.SSLError as error:
        raise httpx.ReadError(f"TLS failed ({_reason(error)})") from None
    except OSError as error:
        raise httpx.ReadError(f"the connection broke ({_name(error)})") from None


def _why(error: OSError | ValueError, place: str) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        why = error.verify_message
        return f"TLS certificate of {place} not accepted: {why}; a private CA is given with SSL_CERT_FILE"
    if isinstance(error, ssl.SSLError):
        hint = "; it speaks no TLS: try http://" if error.reason in _NO_TLS_AT_ALL else ""
        return f"TLS with {place} failed ({_reason(error)}){hint}"
    if isinstance(error, socket.gaierror | ValueError):
        return f"host name not resolved: {place}"
    if _is_refused(error):
        return f"nobody listens at {place}: connection refused; is the agent running?"
    return f"no connection to {place} ({_name(error)})"


def _is_refused(error: OSError | ValueError) -> bool:
    """Refused at every address of the name; asyncio tells several failures in one message."""
    numbers = _ERRNO.findall(str(error))
    return isinstance(error, ConnectionRefusedError) or (bool(numbers) and set(numbers) == {str(errno.ECONNREFUSED)})


def _reason(error: ssl.SSLError) -> str:
    return (error.reason or "no reason given").lower().replace("_", " ")


def _name(error: OSError) -> str:
    return errno.errorcode.get(error.errno or 0, "refused or unreachable" if error.errno is None else "unknown")
