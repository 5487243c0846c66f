"""One HTTP/1.1 connection: bytes in, bytes out, one request at a time. Raises what the socket and h11 raise."""

from __future__ import annotations

import asyncio
import re
import ssl
from dataclasses import dataclass

import h11

from soclab.providers.http.pipe import Pipe

__all__ = ["Connection", "Delivery", "NoReply", "TooManyBytes"]

_SLICE_BYTES = 16 * 1024
_MAX_HEAD_BYTES = 64 * 1024
_KEEP_ALIVE_SECONDS = 4.0
_HANDSHAKE_SECONDS = 1e6  # the caller's deadline ends a handshake, as it ends everything else
_HAPPY_EYEBALLS_SECONDS = 0.25
_STATUS_LINE = b"HTTP/"
_SWITCHING_PROTOCOLS = re.compile(rb"HTTP/1\.[01] 101[ \r\n]")


@dataclass(slots=True)
class Delivery:
    """
    What is known of one attempt to deliver a request. The transport writes it down as things happen.

    Attributes:
        most_bytes: bytes that may come in, protocol overhead included.
        tracked: a transport that knows these facts is at work; else the other fields mean nothing.
        reused: the request went over a connection that had served another one.
        request_started: at least one byte of the request may have left.
        reply_bytes: bytes that came back, heads and framing included.
    """

    most_bytes: int
    tracked: bool = False
    reused: bool = False
    request_started: bool = False
    reply_bytes: int = 0


class NoReply(ConnectionError):
    """The connection was closed before the head of the reply was complete."""


class TooManyBytes(Exception):
    """More came in than `Delivery.most_bytes`."""


class Connection:
    """A connection that is open. `delivery` is the attempt it works for at the moment."""

    def __init__(self, pipe: Pipe, loop: asyncio.AbstractEventLoop) -> None:
        self._pipe = pipe
        self._loop = loop
        self._machine = h11.Connection(h11.CLIENT, max_incomplete_event_size=_MAX_HEAD_BYTES)
        self._idle_since = loop.time()
        self._first_bytes = b""

    @classmethod
    async def open(cls, host: str, port: int, context: ssl.SSLContext | None) -> Connection:
        """
        Raises:
            OSError (ssl.SSLError among them), ValueError (a host name that no resolver takes).
        """
        loop = asyncio.get_running_loop()
        _, pipe = await loop.create_connection(
            Pipe,
            host,
            port,
            ssl=context,
            server_hostname=host if context else None,
            ssl_handshake_timeout=_HANDSHAKE_SECONDS if context else None,
            happy_eyeballs_delay=_HAPPY_EYEBALLS_SECONDS,
        )
        return cls(pipe, loop)

    @property
    def is_reusable(self) -> bool:
        """Idle, not for long, in this event loop, and nothing was said or closed meanwhile."""
        return (
            self._machine.our_state is h11.IDLE
            and self._machine.their_state is h11.IDLE
            and self._pipe.is_quiet
            and self._loop is asyncio.get_running_loop()
            and self._loop.time() - self._idle_since < _KEEP_ALIVE_SECONDS
        )

    async def exchange(
        self, target: bytes, headers: list[tuple[bytes, bytes]], body: bytes, delivery: Delivery
    ) -> tuple[int, list[tuple[bytes, bytes]]]:
        """
        Send a POST and wait for the head of the reply.

        Returns:
            (status, header fields).

        Raises:
            NoReply, OSError, TooManyBytes, h11.ProtocolError.
        """
        self._first_bytes = b""
        machine = self._machine
        head = machine.send(h11.Request(method=b"POST", target=target, headers=headers)) or b""
        rest = (machine.send(h11.Data(data=body)) or b"") + (machine.send(h11.EndOfMessage()) or b"")
        delivery.request_started = True
        self._pipe.write(head + rest)
        try:
            while True:
                event = await self._next_event(delivery)
                if isinstance(event, h11.Response):
                    return event.status_code, list(event.headers)
        except h11.RemoteProtocolError:
            if _SWITCHING_PROTOCOLS.match(self._first_bytes):
                return 101, []
            raise

    async def read_body(self, delivery: Delivery) -> bytes | None:
        """
        The next bytes of the body, still compressed; None at its end.

        Raises:
            OSError, TooManyBytes, h11.ProtocolError (the body ended too early or is badly framed).
        """
        if self._machine.their_state is not h11.SEND_BODY:
            return None
        while not isinstance(event := await self._next_event(delivery), h11.EndOfMessage):
            if isinstance(event, h11.Data):
                return bytes(event.data)
        return None

    def finish(self) -> None:
        """The caller is done with the reply: keep the connection if both sides are, else drop it."""
        machine = self._machine
        if machine.our_state is h11.DONE and machine.their_state is h11.DONE and not machine.trailing_data[0]:
            machine.start_next_cycle()
            self._idle_since = self._loop.time()
        else:
            self.drop()

    def drop(self) -> None:
        """Close at once; nothing waits for the other side."""
        self._pipe.abort()

    async def wait_closed(self) -> None:
        await self._pipe.wait_closed()

    async def _next_event(self, delivery: Delivery) -> h11.Event:
        while True:
            event = self._machine.next_event()
            if isinstance(event, h11.Event):
                return event
            if event is h11.PAUSED:
                raise h11.RemoteProtocolError("the peer switched to another protocol")
            data = await self._read(delivery)
            if not data and self._machine.their_state is h11.SEND_RESPONSE:
                raise self._no_reply()
            self._machine.receive_data(data)

    def _no_reply(self) -> Exception:
        is_http = self._first_bytes.startswith(_STATUS_LINE[: len(self._first_bytes)])
        return NoReply() if is_http else h11.RemoteProtocolError("what came is no HTTP")

    async def _read(self, delivery: Delivery) -> bytes:
        if delivery.reply_bytes > _SLICE_BYTES:
            await asyncio.sleep(0)  # a long reply in tiny chunks costs time: let the deadline and the others in
        try:
            data = await self._pipe.read(_SLICE_BYTES)
        except (ConnectionResetError, ConnectionAbortedError, BrokenPipeError):
            if delivery.reply_bytes:
                raise
            raise NoReply from None  # whether a peer that goes is seen to close or to reset is a matter of timing
        if not delivery.reply_bytes:
            self._first_bytes = data[:16]
        delivery.reply_bytes += len(data)
        if delivery.reply_bytes > delivery.most_bytes:
            raise TooManyBytes
        return data
