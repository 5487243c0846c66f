"""The bytes of one socket, buffered and bounded."""

from __future__ import annotations

import asyncio
import contextlib
from typing import cast

__all__ = ["Pipe"]

_MOST_BUFFERED_BYTES = 128 * 1024


class Pipe(asyncio.Protocol):
    """
    Reads in slices and stops the sender when nobody reads.

    One reader at a time. Writing never blocks: requests are small, and an early answer to one is still read.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._error: Exception | None = None
        self._ended = False
        self._paused = False
        self._reader: asyncio.Future[None] | None = None
        self._transport: asyncio.Transport | None = None
        self._closed: asyncio.Future[None] | None = None

    @property
    def is_quiet(self) -> bool:
        """Open, and nothing waits to be read."""
        return not self._ended and not self._buffer

    def write(self, data: bytes) -> None:
        """Hand bytes to the socket; a broken connection shows when it is read."""
        if self._transport is not None:
            self._transport.write(data)

    async def read(self, most: int) -> bytes:
        """
        At least one byte and at most `most`; b"" at the end of the stream.

        Raises:
            OSError: the connection broke, and everything that came before is read.
        """
        while not self._buffer:
            if self._error is not None:
                raise self._error
            if self._ended:
                return b""
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        data = bytes(self._buffer[:most])
        del self._buffer[:most]
        self._resume()
        return data

    def abort(self) -> None:
        """Close without waiting for anything."""
        self._ended = True
        if self._transport is not None:
            with contextlib.suppress(RuntimeError):  # the event loop it belongs to is gone already
                self._transport.abort()

    async def wait_closed(self) -> None:
        """Returns once the socket is closed, or after a second."""
        if self._closed is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await asyncio.shield(self._closed)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._closed = asyncio.get_running_loop().create_future()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if len(self._buffer) > _MOST_BUFFERED_BYTES and not self._paused and self._transport is not None:
            self._paused = True
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        self._ended = True
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended = True
        self._error = exc
        if self._closed is not None and not self._closed.done():
            self._closed.set_result(None)
        self._wake()

    def _resume(self) -> None:
        if self._paused and len(self._buffer) <= _MOST_BUFFERED_BYTES // 2 and self._transport is not None:
            self._paused = False
            self._transport.resume_reading()

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)
