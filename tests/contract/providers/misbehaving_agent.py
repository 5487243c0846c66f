"""
A raw HTTP agent on a real socket that does exactly what a test tells it to, byte by byte.

`Behaviour` is a function (connection, request) -> None. Whatever it leaves open is closed afterwards unless it
returns `KEEP`. Each connection has a thread of its own; everything ends with the `with` block.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

KEEP = "keep"


@dataclass(frozen=True)
class SeenRequest:
    """One request as it came over the socket. Header names are lower case."""

    line: str
    headers: dict[str, str]
    body: bytes
    connection: int


Behaviour = Callable[[socket.socket, SeenRequest], str | None]


@dataclass
class MisbehavingAgent:
    """
    Attributes:
        requests: every request that came in whole, in order.
        release: set when the test is over; behaviours that wait, wait for it.
    """

    behaviour: Behaviour
    tls: ssl.SSLContext | None = None
    requests: list[SeenRequest] = field(default_factory=list, repr=False)
    connections: int = 0
    release: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._threads: list[threading.Thread] = []

    @property
    def url(self) -> str:
        scheme = "https" if self.tls else "http"
        return f"{scheme}://127.0.0.1:{self.port}/agent"

    def __enter__(self) -> Self:
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        self.release.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(10)

    def _start(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            self._start(self._serve, connection, self.connections)

    def _serve(self, connection: socket.socket, number: int) -> None:
        connection.settimeout(10)
        with contextlib.suppress(OSError), contextlib.ExitStack() as stack:
            if self.tls:
                connection = self.tls.wrap_socket(connection, server_side=True)
            stack.enter_context(connection)
            stack.callback(_hang_up, connection)
            while (request := _read_request(connection, number)) is not None:
                self.requests.append(request)
                if self.behaviour(connection, request) != KEEP:
                    return


def _hang_up(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def _read_request(connection: socket.socket, number: int) -> SeenRequest | None:
    received = b""
    while b"\r\n\r\n" not in received:
        piece = connection.recv(65536)
        if not piece:
            return None
        received += piece
    head, _, body = received.partition(b"\r\n\r\n")
    line, *fields = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, value in (one.split(":", 1) for one in fields)}
    while len(body) < int(headers.get("content-length", "0")):
        body += connection.recv(65536)
    return SeenRequest(line, headers, body, number)


def says(raw: bytes) -> Behaviour:
    """Send these bytes and close."""

    def behave(connection: socket.socket, request: SeenRequest) -> None:
        connection.sendall(raw)

    return behave


def replies(body: bytes, status: str = "200 OK", *fields: str) -> bytes:
    """A well-formed HTTP reply."""
    head = "".join(f"{one}\r\n" for one in ("Content-Type: application/json", *fields))
    return f"HTTP/1.1 {status}\r\n{head}Content-Length: {len(body)}\r\n\r\n".encode("latin-1") + body


def keeps(raw: bytes) -> Behaviour:
    """Send these bytes to every request and keep the connection."""

    def behave(connection: socket.socket, request: SeenRequest) -> str:
        connection.sendall(raw)
        return KEEP

    return behave


def in_turn(*behaviours: Behaviour) -> Behaviour:
    """The first behaviour for the first request, and so on; the last one stays."""
    left = list(behaviours)

    def behave(connection: socket.socket, request: SeenRequest) -> str | None:
        return (left.pop(0) if len(left) > 1 else left[0])(connection, request)

    return behave


def resets(connection: socket.socket, request: SeenRequest) -> None:
    """Answer a whole request with a TCP reset."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def closes(connection: socket.socket, request: SeenRequest) -> None:
    """Close in good order without a byte."""


def hangs(connection: socket.socket, request: SeenRequest) -> None:
    """Say nothing until the other side gives up."""
    connection.recv(1)


def drips(raw: bytes, pause_seconds: float = 0.02) -> Behaviour:
    """Send the first bytes at once and then one blank after the other, for ever."""

    def behave(connection: socket.socket, request: SeenRequest) -> None:
        connection.sendall(raw)
        while True:
            connection.sendall(b" ")
            time.sleep(pause_seconds)

    return behave
