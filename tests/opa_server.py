"""A server that speaks what the lab uses of OPA's REST API, on a real socket, with Rego evaluated by regopy."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpcore  # noqa: F401  # httpx loads it late, and pytester forgets what was first loaded inside a run
from regopy import Bundle, Interpreter

__all__ = ["POLICY", "Asked", "OpaServer", "Reply", "opa_server", "speaking", "undefined"]

POLICY = Path(__file__).parents[1] / "examples" / "opa" / "policy.rego"


@dataclass(frozen=True)
class Asked:
    """A request as it came in."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: Any = None


@dataclass(frozen=True)
class Reply:
    """
    Attributes:
        raw: bytes that go out instead of an HTTP answer; where it `stays`, the connection is kept after them.
        waits: nothing goes out before the server ends.
        closes: the connection is closed without an answer.
    """

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    waits: bool = False
    closes: bool = False
    stays: bool = False


Behaviour = Callable[[Asked], Reply]


@dataclass
class OpaServer:
    """
    Attributes:
        behaviour: may be changed while the server runs.
        asked: every request so far.
        connections: how many were opened.
    """

    url: str
    behaviour: Behaviour
    asked: list[Asked] = field(default_factory=list)
    connections: int = 0

    def decisions(self) -> list[Asked]:
        """Questions about facts, in the order in which they came."""
        return [one for one in self.asked if one.method == "POST"]


def speaking(*modules: str) -> Behaviour:
    """
    OPA with these modules; the one that ships as an example without any.

    Answers `/health`, `/v1/policies` and `POST /v1/data/<path>`.
    """
    texts = modules or (POLICY.read_text(encoding="utf-8"),)
    interpreter, turn = Interpreter(), threading.Lock()
    compiled: dict[str, Bundle] = {}
    for number, text in enumerate(texts):
        interpreter.add_module(f"policy{number}.rego", text)

    def answer(asked: Asked) -> Reply:
        if asked.path == "/health":
            return Reply(body=b"{}")
        if asked.path == "/v1/policies":
            listed = [{"id": f"policy{number}.rego", "raw": text} for number, text in enumerate(texts)]
            return Reply(body=json.dumps({"result": listed}).encode())
        if not asked.path.startswith("/v1/data/") or asked.method != "POST":
            return Reply(status=404, body=b'{"code":"resource_not_found"}')
        rule = asked.path.removeprefix("/v1/").replace("/", ".")
        with turn:
            interpreter.set_input(asked.body["input"])
            if rule not in compiled:
                compiled[rule] = interpreter.build(rule)
            found = str(interpreter.query_bundle(compiled[rule]))
        return Reply(body=_document({} if found == "undefined" else json.loads(found)))

    return answer


def undefined(asked: Asked) -> Reply:
    """OPA without the package that is asked for."""
    return Reply(body=b"{}")


def _document(found: dict[str, Any]) -> bytes:
    """What OPA makes of a query's result: no `result` for an undefined one."""
    values = found.get("expressions", [])
    return json.dumps({"result": values[0]} if values else {}).encode()


@contextmanager
def opa_server(behaviour: Behaviour) -> Iterator[OpaServer]:
    """The server on a free port of this machine while the block lasts."""
    ended = threading.Event()
    seen: OpaServer

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body of an answer in one piece

        def setup(self) -> None:
            super().setup()
            seen.connections += 1

        def do_GET(self) -> None:
            self._answer()

        def do_POST(self) -> None:
            self._answer()

        def log_message(self, *_: object) -> None:
            pass

        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            parts = urlsplit(self.path)
            asked = Asked(self.command, parts.path, parts.query, dict(self.headers), json.loads(body) if body else None)
            seen.asked.append(asked)
            reply = seen.behaviour(asked)
            if reply.waits:
                ended.wait()
            if reply.waits or reply.closes:
                self.close_connection = True
            elif reply.raw is not None:
                self.close_connection = not reply.stays
                self.wfile.write(reply.raw)
            else:
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)
            self.wfile.flush()

        def handle(self) -> None:
            try:
                super().handle()
            except OSError:  # the client has gone away
                self.close_connection = True

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    seen = OpaServer(f"http://127.0.0.1:{server.server_port}", behaviour)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        ended.set()
        server.shutdown()
        server.server_close()
        thread.join()
