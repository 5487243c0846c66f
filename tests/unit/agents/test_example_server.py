"""The example agent as a real peer over a socket."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from soclab.published_files import published
from tests.unit.agents.brains import GROUNDED, calm_results, request_with

SERVER = published("examples") / "http_agent" / "server.py"
make_server = GROUNDED.__globals__["make_server"]


@contextmanager
def serving(token: str = "") -> Iterator[http.client.HTTPConnection]:
    """A connection to a served agent; both are closed at the end."""
    server = make_server(GROUNDED, 0, token)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=10)
    try:
        yield connection
    finally:
        connection.close()
        server.shutdown()
        thread.join()
        server.server_close()


def post(connection: http.client.HTTPConnection, body: Any, path: str = "/", **headers: str) -> tuple[int, Any]:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection.request("POST", path, raw, {"Content-Type": "application/json", **headers})
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


def test_a_request_gets_the_brains_reply() -> None:
    """What comes over the socket is what `answer` says."""
    request = request_with(calm_results())
    with serving() as connection:
        assert post(connection, request) == (200, GROUNDED(request))


def test_one_connection_serves_all_stages() -> None:
    """Keep-alive: later requests, good and bad ones, go over the same connection."""
    request = request_with(calm_results())
    with serving() as connection:
        post(connection, request)
        first = connection.sock
        statuses = [post(connection, body)[0] for body in (request, b"{", request)]
        assert statuses == [200, 400, 200]
        assert connection.sock is first


def test_without_the_bearer_a_token_holder_says_no() -> None:
    """With a token configured, a request without or with another token gets 401 and no reply."""
    request = request_with(calm_results())
    with serving("let-me-in-please") as connection:
        assert post(connection, request)[0] == 401
        assert post(connection, request, Authorization="Bearer let-me-in-pleasE")[0] == 401
        assert post(connection, request, Authorization="Bearer let-me-in-please")[0] == 200


@pytest.mark.parametrize(
    ("body", "path", "status"),
    [
        (b"not json", "/", 400),
        (b"[" * 100_000, "/", 400),
        (b"[]", "/", 400),
        (b'{"contract": "soclab.agent.v2"}', "/", 400),
        (b'{"contract": "soclab.agent.v1", "stage": "collect_identity", "context": 3}', "/", 400),
        (b"{}", "/elsewhere", 404),
    ],
)
def test_what_is_no_request_gets_a_client_error(body: bytes, path: str, status: int) -> None:
    """Broken or misplaced bodies are the client's fault, said in JSON."""
    with serving() as connection:
        answered, problem = post(connection, body, path)
        assert (answered, list(problem)) == (status, ["error"])


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_another_method_is_not_allowed(method: str) -> None:
    """Only POST asks the agent; the answer says so."""
    with serving() as connection:
        connection.request(method, "/")
        answer = connection.getresponse()
        answer.read()
        assert (answer.status, answer.headers["Allow"]) == (405, "POST")


def test_a_huge_body_is_not_read() -> None:
    """A body over the cap is refused by its announced length."""
    with serving() as connection:
        connection.putrequest("POST", "/")
        connection.putheader("Content-Length", str(10**9))
        connection.endheaders()
        assert connection.getresponse().status == 413


def test_an_answer_leaves_in_one_piece() -> None:
    """Head and body arrive together: no second packet waits for an acknowledgement."""
    body = json.dumps(request_with(calm_results())).encode()
    with serving() as connection, socket.create_connection((connection.host, connection.port), timeout=10) as raw:
        raw.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        first = raw.recv(65536)
    assert json.loads(first.split(b"\r\n\r\n", 1)[1])["contract"] == "soclab.agent.v1"


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM], ids=lambda one: one.name)
def test_ctrl_c_ends_it_with_status_zero(stop: signal.Signals) -> None:
    """The command prints its URL, serves, and leaves without a traceback."""
    environment = {**os.environ, "SOCLAB_HTTP_AGENT_PORT": "0"}
    command = [sys.executable, str(SERVER)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as agent:
        assert agent.stdout is not None
        assert "http://127.0.0.1:" in agent.stdout.readline()
        agent.send_signal(stop)
        _, errors = agent.communicate(timeout=20)
    assert (agent.returncode, "Traceback" in errors) == (0, False)


@pytest.mark.parametrize("port", ["eighty", "70000", "-1"])
def test_a_bad_port_is_one_line(port: str) -> None:
    """A port that is none names the variable and serves nothing."""
    environment = {**os.environ, "SOCLAB_HTTP_AGENT_PORT": port}
    done = subprocess.run([sys.executable, str(SERVER)], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.strip() == "SOCLAB_HTTP_AGENT_PORT must be a number from 0 to 65535"


def test_a_port_that_is_taken_is_one_line() -> None:
    """It says what to set here, and that the lab has to be told the same port."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        environment = {**os.environ, "SOCLAB_HTTP_AGENT_PORT": str(port)}
        done = subprocess.run(
            [sys.executable, str(SERVER)], env=environment, capture_output=True, text=True, check=False
        )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"cannot listen on 127.0.0.1:{port}: ")
    assert line.endswith(
        "give another SOCLAB_HTTP_AGENT_PORT here, and the same port in the lab's SOCLAB_HTTP_AGENT_URL"
    )
