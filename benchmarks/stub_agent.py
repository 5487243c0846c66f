"""
An agent that costs next to nothing: fixed replies of about 1 KB after a chosen latency, and counters.

    POST /l<ms>/agent   answers the stage of the request after <ms> milliseconds
    GET  /stats         {"requests", "in_flight_max", "in_flight_mean", "span_seconds"}
    POST /reset         zero the counters

Prints `PORT <n>` once it listens; stops on SIGTERM or after --max-seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import signal
import time
from typing import Any

COLLECT: dict[str, tuple[str, dict[str, Any]]] = {
    "collect_identity": ("get_identity_profile", {"user_id": "maria.ortega"}),
    "collect_authentication": ("get_authentication_history", {"user_id": "maria.ortega"}),
    "collect_endpoint": ("get_endpoint_status", {"endpoint_id": "NL-WS-0142"}),
    "enrich_indicators": ("lookup_indicator", {"indicator": "203.0.113.40"}),
    "collect_siem": ("search_siem_events", {"query": "maria.ortega"}),
    "propose_action": ("revoke_sessions", {"user_id": "maria.ortega"}),
}
TEXT = "The sign-in came from an address never seen for this user, and the session token was used from two networks. "
STAGE = re.compile(rb'"stage"\s*:\s*"([a-z_]+)"')
LENGTH = re.compile(rb"(?i)\r\ncontent-length:\s*(\d+)")


def reply(stage: str) -> bytes:
    """A valid reply to the stage, about 1 KB."""
    proposal: dict[str, Any] = {"rationale": TEXT * 5, "confidence": 0.8}
    if stage == "form_finding":
        proposal["finding"] = {
            "summary": TEXT * 2,
            "claims": [{"text": TEXT, "evidence_ids": ["alert", "get_identity_profile:1"]}],
            "techniques": ["T1539"],
        }
    else:
        name, arguments = COLLECT[stage]
        proposal["tool_calls"] = [{"name": name, "arguments": arguments}]
        proposal["evidence_ids"] = ["alert", "get_identity_profile:1", "get_authentication_history:2"]
    usage = {"input_tokens": 2500, "output_tokens": 180}
    return json.dumps({"contract": "soclab.agent.v1", "proposal": proposal, "model": "agent", "usage": usage}).encode()


def http(body: bytes, status: bytes = b"200 OK") -> bytes:
    head = b"HTTP/1.1 " + status + b"\r\ncontent-type: application/json\r\ncontent-length: "
    return head + str(len(body)).encode() + b"\r\n\r\n" + body


REPLIES = {stage.encode(): http(reply(stage)) for stage in (*COLLECT, "form_finding")}


class Counters:
    def __init__(self) -> None:
        self.requests = self.in_flight = self.in_flight_max = 0
        self.area = 0.0
        self.first = self.last = 0.0

    def change(self, step: int) -> None:
        now = time.perf_counter()
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
            latency_ms = int(path[2:].split(b"/", 1)[0]) if path.startswith(b"/l") else 0
            found = STAGE.search(body)
            answer = REPLIES.get(found.group(1) if found else b"", REPLIES[b"collect_identity"])
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
