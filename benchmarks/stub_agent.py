"""
An agent that costs next to nothing: fixed replies after a chosen latency, and counters.

    POST /l<ms>/k<kb>/agent  answers the stage of the request after <ms> milliseconds with about <kb> KB
    GET  /stats              {"requests", "in_flight_max", "in_flight_mean", "span_seconds", "first_at"}
    POST /reset              zero the counters

`first_at` is when the first request came, on the clock that all processes of the machine share.

Prints `PORT <n>` once it listens; stops on SIGTERM or after --max-seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import signal
import time
from functools import cache

from replies import STAGES, reply

STAGE = re.compile(rb'"stage"\s*:\s*"([a-z_]+)"')
WISH = re.compile(rb"/l(\d+)/k(\d+)/")
LENGTH = re.compile(rb"(?i)\r\ncontent-length:\s*(\d+)")


def http(body: bytes, status: bytes = b"200 OK") -> bytes:
    head = b"HTTP/1.1 " + status + b"\r\ncontent-type: application/json\r\ncontent-length: "
    return head + str(len(body)).encode() + b"\r\n\r\n" + body


@cache
def answer_to(stage: bytes, kilobytes: int) -> bytes:
    """The whole answer; a stage that is not known gets the first one's."""
    name = stage.decode()
    return http(reply(name if name in STAGES else STAGES[0], kilobytes))


class Counters:
    def __init__(self) -> None:
        self.requests = self.in_flight = self.in_flight_max = 0
        self.area = 0.0
        self.first = self.last = 0.0

    def change(self, step: int) -> None:
        now = time.monotonic()
        self.first = self.first or now
        self.area += self.in_flight * (now - (self.last or now))
        self.last = now
        self.in_flight += step
        self.in_flight_max = max(self.in_flight_max, self.in_flight)
        self.requests += step > 0

    def stats(self) -> bytes:
        span = self.last - self.first
        return json.dumps(
            {
                "requests": self.requests,
                "in_flight_max": self.in_flight_max,
                "in_flight_mean": self.area / span if span else 0.0,
                "span_seconds": span,
                "first_at": self.first,
            }
        ).encode()


COUNTERS = [Counters()]


class Connection(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.buffer = b""

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = self.buffer[:end]
            length = LENGTH.search(head)
            size = end + 4 + (int(length.group(1)) if length else 0)
            if len(self.buffer) < size:
                return
            body, self.buffer = self.buffer[end + 4 : size], self.buffer[size:]
            self.handle(head.split(b" ", 2)[1], body)

    def handle(self, path: bytes, body: bytes) -> None:
        if path == b"/stats":
            self.transport.write(http(COUNTERS[0].stats()))
        elif path == b"/reset":
            COUNTERS[0] = Counters()
            self.transport.write(http(b"{}"))
        else:
            wish = WISH.match(path)
            latency_ms, kilobytes = (int(wish.group(1)), int(wish.group(2))) if wish else (0, 1)
            found = STAGE.search(body)
            answer = answer_to(found.group(1) if found else b"", kilobytes)
            COUNTERS[0].change(1)
            if latency_ms:
                asyncio.get_running_loop().call_later(latency_ms / 1000, self.answer, answer)
            else:
                self.answer(answer)

    def answer(self, data: bytes) -> None:
        COUNTERS[0].change(-1)
        if not self.transport.is_closing():
            self.transport.write(data)


async def serve(max_seconds: float) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Connection, "127.0.0.1", 0, backlog=2048)
    print("PORT", server.sockets[0].getsockname()[1], flush=True)
    stop = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    try:
        await asyncio.wait_for(stop.wait(), max_seconds)
    except TimeoutError:
        return


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--max-seconds", type=float, default=1200)
    asyncio.run(serve(parser.parse_args().max_seconds))
