"""The http provider against agents on a real socket that break every rule of HTTP, JSON and courtesy."""

from __future__ import annotations

import asyncio
import base64
import gzip
import hashlib
import json
import shutil
import socket
import ssl
import subprocess
import traceback
import urllib.parse
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import trustme

from soclab.clock import FixedClock
from soclab.contracts.agent_v1 import AgentRequest
from soclab.contracts.provider import FinishReason, ModelResponse, TokenUsage
from soclab.contracts.vocabulary import ErrorCode
from soclab.providers.http.adapter import HttpAgentProvider, build
from soclab.providers.http.settings import HttpSettings
from tests.contract.providers.agent_requests import REFUSAL, a_reply, a_request, as_bytes
from tests.contract.providers.misbehaving_agent import (
    Behaviour,
    MisbehavingAgent,
    SeenRequest,
    closes,
    drips,
    hangs,
    in_turn,
    keeps,
    replies,
    resets,
    says,
)

TOKEN = "sk-live+secret/0123456789?x"
SPELLED = {
    "raw": TOKEN,
    "base64": base64.b64encode(TOKEN.encode()).decode(),
    "URL-safe base64": base64.urlsafe_b64encode(TOKEN.encode()).decode(),
    "hex": TOKEN.encode().hex(),
    "URL": urllib.parse.quote(TOKEN, safe=""),
}
FORMS = {form: spelled[:20] for form, spelled in SPELLED.items()}
ECHO = json.dumps(SPELLED).encode()
GOOD = replies(as_bytes(a_reply()))


def environment(url: str, **more: str | None) -> dict[str, str]:
    said = {"SOCLAB_HTTP_AGENT_URL": url, "SOCLAB_HTTP_AGENT_TOKEN": TOKEN, **more}
    return {name: value for name, value in said.items() if value is not None}


def a_provider(agent: MisbehavingAgent | str, timeout_seconds: float = 60, **more: str | None) -> HttpAgentProvider:
    url = agent if isinstance(agent, str) else agent.url
    more.setdefault("SOCLAB_HTTP_AGENT_TIMEOUT_SECONDS", str(timeout_seconds))
    return build(environment(url, **more), None)


async def ask(agent: MisbehavingAgent | str, times: int = 1, **settings: Any) -> list[ModelResponse]:
    """The answers to so many questions in a row over one slot."""
    async with a_provider(agent, **settings).for_slot() as slot:
        return [await slot.generate_structured(a_request()) for _ in range(times)]


@pytest.fixture
def agents() -> Iterator[Any]:
    """Starts agents that behave as told; they end with the test."""
    with ExitStack() as stack:
        yield lambda behaviour, tls=None: stack.enter_context(MisbehavingAgent(behaviour, tls))


def chunked(*pieces: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"".join(pieces)


def packed(body: bytes, encoding: str) -> bytes:
    return replies(body, "200 OK", f"Content-Encoding: {encoding}")


VALID = as_bytes(a_reply())
NAME = b'"search_siem_events"'
QUERY = b'"maria.ortega"'

ERRORS: dict[str, tuple[Behaviour, ErrorCode]] = {
    "500": (says(replies(ECHO, "500 Internal Server Error")), ErrorCode.AGENT_ERROR),
    "503 with a valid reply": (says(replies(VALID, "503 Service Unavailable")), ErrorCode.AGENT_ERROR),
    "500 with a body cut short": (
        says(replies(ECHO * 9, "500 Internal Server Error")[:200]),
        ErrorCode.AGENT_ERROR,
    ),
    "401 echoing the header": (says(replies(ECHO, "401 Unauthorized")), ErrorCode.AUTHENTICATION_REJECTED),
    "403": (says(replies(ECHO, "403 Forbidden")), ErrorCode.AUTHENTICATION_REJECTED),
    "404": (says(replies(ECHO, "404 Not Found")), ErrorCode.REQUEST_REJECTED),
    "429": (says(replies(ECHO, "429 Too Many Requests")), ErrorCode.RATE_LIMITED),
    "302": (says(replies(ECHO, "302 Found", "Location: http://192.0.2.1/")), ErrorCode.UNEXPECTED_STATUS),
    "304": (says(b"HTTP/1.1 304 Not Modified\r\n\r\n"), ErrorCode.UNEXPECTED_STATUS),
    "101": (
        says(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n"),
        ErrorCode.UNEXPECTED_STATUS,
    ),
    "999": (says(replies(ECHO, "999 What")), ErrorCode.UNEXPECTED_STATUS),
    "5 MB": (says(replies(b" " * 5_000_000)), ErrorCode.REPLY_TOO_LARGE),
    "5 MB in chunks": (says(chunked(b"4c4b40\r\n" + b" " * 5_000_000)), ErrorCode.REPLY_TOO_LARGE),
    "100,000 chunks of a byte": (says(chunked(b"1\r\n \r\n" * 100_000)), ErrorCode.TRUNCATED),
    "header without end": (says(b"HTTP/1.1 200 OK\r\nX-Long: " + b"a" * 300_000), ErrorCode.TRANSPORT_ERROR),
    "informational replies without end": (
        says(b"HTTP/1.1 100 Continue\r\n\r\n" * 500_000),
        ErrorCode.REPLY_TOO_LARGE,
    ),
    "gzip bomb": (says(packed(gzip.compress(b" " * 50_000_000), "gzip")), ErrorCode.REPLY_TOO_LARGE),
    "deflate bomb": (says(packed(zlib.compress(b" " * 50_000_000), "deflate")), ErrorCode.REPLY_TOO_LARGE),
    "bomb in many gzip members": (
        says(packed(gzip.compress(b" " * 900_000) * 50, "gzip")),
        ErrorCode.REPLY_TOO_LARGE,
    ),
    "no gzip after all": (says(packed(VALID, "gzip")), ErrorCode.INVALID_JSON),
    "gzip cut short": (says(packed(gzip.compress(VALID)[:-9], "gzip")), ErrorCode.TRUNCATED),
    "unknown encoding": (says(packed(VALID, "br")), ErrorCode.INVALID_JSON),
    "20,000 levels": (says(replies(b"[" * 20_000 + b"]" * 20_000)), ErrorCode.INVALID_JSON),
    "20,000 levels in arguments": (
        says(replies(VALID.replace(QUERY, b"[" * 20_000 + b"]" * 20_000))),
        ErrorCode.INVALID_JSON,
    ),
    "lone surrogate in a value": (says(replies(VALID.replace(QUERY, rb'"\ud800"'))), ErrorCode.INVALID_JSON),
    "lone surrogate in a key": (says(replies(VALID.replace(b'"query"', rb'"\udfff"'))), ErrorCode.INVALID_JSON),
    "surrogate as bytes": (says(replies(VALID.replace(b"maria", b"\xed\xa0\x80"))), ErrorCode.INVALID_JSON),
    "NaN": (says(replies(VALID.replace(QUERY, b"NaN"))), ErrorCode.INVALID_JSON),
    "1e400": (says(replies(VALID.replace(QUERY, b"1e400"))), ErrorCode.INVALID_JSON),
    "duplicate keys": (says(replies(VALID.replace(b'"query"', b'"query": 1, "query"'))), ErrorCode.INVALID_JSON),
    "byte order mark": (says(replies(b"\xef\xbb\xbf" + VALID)), ErrorCode.INVALID_JSON),
    "empty body": (says(replies(b"")), ErrorCode.INVALID_JSON),
    "204": (says(b"HTTP/1.1 204 No Content\r\n\r\n"), ErrorCode.INVALID_JSON),
    "HTML": (says(replies(b"<html>" + ECHO + b"</html>")), ErrorCode.INVALID_JSON),
    "code fence": (says(replies(b"```json\n" + VALID + b"\n```")), ErrorCode.INVALID_JSON),
    "array": (says(replies(b"[" + VALID + b"]")), ErrorCode.SCHEMA_VIOLATION),
    "token as a field": (
        says(replies(as_bytes(a_reply(**dict.fromkeys(SPELLED.values()))))),
        ErrorCode.SCHEMA_VIOLATION,
    ),
    "cookies only": (says(replies(b"{}", "200 OK", "Set-Cookie: a=b")), ErrorCode.SCHEMA_VIOLATION),
    "body cut short": (says(GOOD[:-5]), ErrorCode.TRUNCATED),
    "head cut short": (says(b"HTTP/1.1 20"), ErrorCode.TRUNCATED),
    "malformed chunking": (says(chunked(b"5\r\nhello\r\nzz\r\n")), ErrorCode.TRUNCATED),
    "chunks without an end": (says(chunked(b"5\r\nhello\r\n")), ErrorCode.TRUNCATED),
    "no HTTP at all": (says(b"SSH-2.0-OpenSSH_9.6\r\n"), ErrorCode.TRANSPORT_ERROR),
    "token instead of HTTP": (says(TOKEN.encode() + b"\r\n\r\n"), ErrorCode.TRANSPORT_ERROR),
    "two lengths": (
        says(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"),
        ErrorCode.TRANSPORT_ERROR,
    ),
    "reset after the request": (resets, ErrorCode.TRANSPORT_ERROR),
    "closed after the request": (closes, ErrorCode.TRANSPORT_ERROR),
}


@pytest.mark.parametrize(("behaviour", "code"), ERRORS.values(), ids=ERRORS)
async def test_a_bad_answer_is_an_error_turn_after_one_request(agents, behaviour: Behaviour, code: ErrorCode) -> None:
    """
    Whatever a connected agent does, it is asked once and the turn is an error with its reason code.
    """
    agent = agents(behaviour)

    (answer,) = await ask(agent)

    assert answer.reason_code == code.value
    assert answer.finish_reason is FinishReason.ERROR
    assert answer.structured_output is None
    assert [request.headers["x-soclab-attempt"] for request in agent.requests] == ["1"]
    assert answer.attempts == 1
    assert answer.request_sent


async def test_a_connection_that_goes_before_a_reply_is_told_alike(agents) -> None:
    """
    Reset or closed is a matter of timing, and not of the agent: one code and one line.
    """
    (reset,), (closed,) = [await ask(agents(goes)) for goes in (resets, closes)]

    assert (reset.reason_code, reset.detail) == (closed.reason_code, closed.detail)
    assert closed.detail == "the connection was closed before a reply came"


@pytest.mark.parametrize("behaviour", [row[0] for row in ERRORS.values()], ids=ERRORS)
async def test_no_form_of_the_token_is_in_the_detail(agents, behaviour: Behaviour) -> None:
    """
    The line about an error is one printable line that holds the token in no spelling.
    """
    (answer,) = await ask(agents(behaviour))

    assert answer.detail
    assert answer.detail.isprintable()
    assert [form for form, spelled in FORMS.items() if spelled in answer.detail] == []


SLOW: dict[str, Behaviour] = {
    "silent": hangs,
    "slow body": drips(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{"),
    "slow head": drips(b"HTTP/1.1 200 OK\r\nX-Slow: "),
    "slow chunks": drips(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffff\r\n"),
    "slow gzip": drips(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 99999\r\n\r\n\x1f\x8b\x08\x10"),
}


def as_web_page(body: bytes) -> bytes:
    return replies(body).replace(b"application/json", b"Text/HTML; charset=utf-8")


@pytest.mark.parametrize(
    ("raw", "detail"),
    [
        (
            replies(ECHO, "401 Unauthorized"),
            "status 401: the agent rejects the credentials; check SOCLAB_HTTP_AGENT_TOKEN",
        ),
        (
            replies(ECHO, "403 Forbidden"),
            "status 403: the agent rejects the credentials; check SOCLAB_HTTP_AGENT_TOKEN",
        ),
        (replies(ECHO, "404 Not Found"), "status 404: is the path of SOCLAB_HTTP_AGENT_URL right?"),
        (replies(ECHO, "405 Method Not Allowed"), "status 405: is the path of SOCLAB_HTTP_AGENT_URL right?"),
        (
            as_web_page(b"<!doctype html><title>hi</title>"),
            "the reply is text/html, not JSON: is SOCLAB_HTTP_AGENT_URL right?",
        ),
    ],
    ids=["401", "403", "404", "405", "a web page"],
)
async def test_a_wrong_set_up_is_answered_with_what_to_look_at(agents, raw: bytes, detail: str) -> None:
    """
    The line names the variable to check, and holds no word of the reply.
    """
    (answer,) = await ask(agents(says(raw)))

    assert answer.detail == detail


async def test_without_a_token_the_line_says_to_set_one(agents) -> None:
    """
    Who has given no token is not told to check it.
    """
    (answer,) = await ask(agents(says(replies(ECHO, "401 Unauthorized"))), SOCLAB_HTTP_AGENT_TOKEN=None)

    assert answer.detail == "status 401: the agent rejects the credentials; set SOCLAB_HTTP_AGENT_TOKEN"


async def test_a_valid_reply_may_call_itself_a_web_page(agents) -> None:
    """
    The type in the head is no reason to refuse what can be read.
    """
    (answer,) = await ask(agents(says(as_web_page(VALID))))

    assert (answer.reason_code, answer.detail) == (None, "")


@pytest.mark.parametrize("behaviour", SLOW.values(), ids=SLOW)
async def test_the_deadline_ends_the_whole_call(agents, behaviour: Behaviour) -> None:
    """
    An agent that keeps sending never outlives the deadline, and a time-out is not tried again.
    """
    agent = agents(behaviour)

    (answer,) = await ask(agent, timeout_seconds=0.5)

    assert answer.reason_code == ErrorCode.TIMEOUT.value
    assert answer.detail == "no complete answer within 0.5 s"
    assert len(agent.requests) == 1
    assert answer.request_sent


async def test_what_came_before_the_deadline_is_kept(agents) -> None:
    """
    The leak oracle still sees the part of a reply that came before the time was up.
    """
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"

    (answer,) = await ask(agents(drips(head + b"leaked")), timeout_seconds=1)

    assert answer.output_text.startswith("leaked")


async def test_a_slow_error_keeps_its_status(agents) -> None:
    """
    A status that is an error by itself names the reason, even when the body never ends.
    """
    head = b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 100000\r\n\r\n"

    (answer,) = await ask(agents(drips(head)), timeout_seconds=1)

    assert answer.reason_code == ErrorCode.AGENT_ERROR.value


async def test_a_connect_timeout_is_not_tried_again() -> None:
    """
    An address that never answers is a time-out, and it is certain that nothing was sent.
    """
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener, ExitStack() as stack:
        for _ in range(3):  # fill the queue of connections that nobody accepts
            filler = stack.enter_context(socket.socket())
            filler.setblocking(False)
            filler.connect_ex(listener.getsockname())
        (answer,) = await ask(f"http://127.0.0.1:{listener.getsockname()[1]}/", timeout_seconds=0.3)

    assert answer.reason_code == ErrorCode.TIMEOUT.value
    assert not answer.request_sent
    assert answer.attempts == 1


def a_free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_refused_connection_is_tried_twice_and_nothing_was_sent(host: str) -> None:
    """
    Nobody listening is a transport error after two attempts, and it is certain that nothing was sent.
    """
    port = a_free_port()
    (answer,) = await ask(f"http://{host}:{port}/agent?key=12345")

    assert answer.reason_code == ErrorCode.TRANSPORT_ERROR.value
    assert answer.attempts == 2
    assert not answer.request_sent
    assert answer.detail == f"nobody listens at {host}:{port}: connection refused; is the agent running?"


@pytest.mark.parametrize("host", ["agent.invalid", "a..b.invalid"])
async def test_a_name_that_does_not_resolve_is_a_transport_error(host: str) -> None:
    """
    A host that no resolver knows is said to be that, after two attempts and without a request.
    """
    (answer,) = await ask(f"http://{host}/agent")

    assert answer.reason_code == ErrorCode.TRANSPORT_ERROR.value
    assert answer.detail == f"host name not resolved: {host}:80"
    assert (answer.attempts, answer.request_sent) == (2, False)


class RefusesOnce:
    """Takes the place of the connect call: refuses the first time."""

    def __init__(self) -> None:
        self.calls = 0
        self.connect = asyncio.BaseEventLoop.create_connection

    async def __call__(self, loop: Any, *arguments: Any, **keywords: Any) -> Any:
        self.calls += 1
        if self.calls == 1:
            raise ConnectionRefusedError
        return await self.connect(loop, *arguments, **keywords)


async def test_a_second_attempt_may_succeed(agents, monkeypatch) -> None:
    """
    An agent that comes up between the attempts is asked once, with attempt number 2.
    """
    agent, refuses = agents(says(GOOD)), RefusesOnce()

    async def connect(self: Any, *arguments: Any, **keywords: Any) -> Any:
        return await refuses(self, *arguments, **keywords)

    monkeypatch.setattr(asyncio.BaseEventLoop, "create_connection", connect)
    (answer,) = await ask(agent)

    assert answer.reason_code is None
    assert [request.headers["x-soclab-attempt"] for request in agent.requests] == ["2"]
    assert answer.attempts == 2


async def test_a_reused_connection_closed_before_a_byte_is_tried_again(agents) -> None:
    """
    When a kept-alive connection turns out dead, the same bytes go out once more as attempt 2.
    """
    agent = agents(in_turn(keeps(GOOD), closes, says(GOOD)))

    first, second = await ask(agent, times=2)

    assert (first.reason_code, second.reason_code) == (None, None)
    assert [request.headers["x-soclab-attempt"] for request in agent.requests] == ["1", "1", "2"]
    assert [request.connection for request in agent.requests] == [1, 1, 2]
    assert agent.requests[1].body == agent.requests[2].body
    assert second.attempts == 2


async def test_a_reused_connection_that_is_reset_is_tried_again(agents) -> None:
    """
    A reset of a kept-alive connection before any byte counts as a dead connection too.
    """
    agent = agents(in_turn(keeps(GOOD), resets, says(GOOD)))

    _, second = await ask(agent, times=2)

    assert second.reason_code is None
    assert len(agent.requests) == 3


async def test_there_is_never_a_third_attempt(agents) -> None:
    """
    A retry that fails ends the call.
    """
    agent = agents(in_turn(keeps(GOOD), closes))

    _, second = await ask(agent, times=2)

    assert second.reason_code == ErrorCode.TRANSPORT_ERROR.value
    assert [request.headers["x-soclab-attempt"] for request in agent.requests] == ["1", "1", "2"]


@pytest.mark.parametrize("behaviour", [says(b"H"), says(b"HTTP/1.1 200 OK\r\n"), says(GOOD[:-1])])
async def test_a_reused_connection_closed_after_a_byte_is_not_tried_again(agents, behaviour: Behaviour) -> None:
    """
    One byte of a reply is enough to know that the agent was at work: no retry.
    """
    agent = agents(in_turn(keeps(GOOD), behaviour))

    _, second = await ask(agent, times=2)

    assert second.reason_code == ErrorCode.TRUNCATED.value
    assert len(agent.requests) == 2


async def test_a_timeout_on_a_reused_connection_is_not_tried_again(agents) -> None:
    """
    Silence on a kept-alive connection is a time-out like any other.
    """
    agent = agents(in_turn(keeps(GOOD), hangs))

    _, second = await ask(agent, times=2, timeout_seconds=1)

    assert second.reason_code == ErrorCode.TIMEOUT.value
    assert len(agent.requests) == 2


async def test_one_deadline_covers_both_attempts(agents) -> None:
    """
    The retry has only what is left of the time.
    """
    agent = agents(in_turn(keeps(GOOD), closes, hangs))

    _, second = await ask(agent, times=2, timeout_seconds=1)

    assert second.reason_code == ErrorCode.TIMEOUT.value
    assert second.attempts == 2
    assert second.request_sent


async def test_a_connection_is_kept_for_the_next_call(agents) -> None:
    """
    Calls of one slot share a connection; slots do not.
    """
    agent = agents(keeps(GOOD))

    await ask(agent, times=3)
    await ask(agent)

    assert [request.connection for request in agent.requests] == [1, 1, 1, 2]


async def test_without_a_slot_every_call_closes_its_connection(agents) -> None:
    """
    A provider that nobody entered leaves no connection open.
    """
    agent = agents(keeps(GOOD))
    provider = a_provider(agent)

    await provider.generate_structured(a_request())
    await provider.generate_structured(a_request())

    assert [request.connection for request in agent.requests] == [1, 2]


async def test_calls_on_one_slot_wait_for_each_other(agents) -> None:
    """
    Two calls at the same time over one connection both get their own answer.
    """
    agent = agents(keeps(GOOD))

    async with a_provider(agent).for_slot() as slot:
        answers = await asyncio.gather(*[slot.generate_structured(a_request()) for _ in range(4)])

    assert [answer.reason_code for answer in answers] == [None] * 4
    assert agent.connections == 1


async def test_bytes_after_a_reply_never_answer_the_next_question(agents) -> None:
    """
    An answer sent ahead of its question is thrown away with its connection.
    """
    refusal = replies(as_bytes(REFUSAL))
    agent = agents(in_turn(keeps(GOOD + refusal), keeps(GOOD)))

    _, second = await ask(agent, times=2)

    assert second.finish_reason is FinishReason.STOP
    assert [request.connection for request in agent.requests] == [1, 2]


async def test_cookies_are_not_sent_back(agents) -> None:
    """
    A cookie that an agent sets is forgotten.
    """
    agent = agents(keeps(replies(VALID, "200 OK", "Set-Cookie: session=1; Path=/")))

    await ask(agent, times=2)

    assert ["cookie" in request.headers for request in agent.requests] == [False, False]


async def test_a_redirect_is_not_followed(agents) -> None:
    """
    The place that a redirect names is never asked.
    """
    other = agents(says(GOOD))
    agent = agents(says(replies(b"", "307 Temporary Redirect", f"Location: {other.url}")))

    (answer,) = await ask(agent)

    assert answer.reason_code == ErrorCode.UNEXPECTED_STATUS.value
    assert other.requests == []


async def test_proxies_of_the_environment_are_ignored(agents, monkeypatch) -> None:
    """
    HTTP_PROXY and its like have no effect.
    """
    proxy, agent = agents(says(GOOD)), agents(says(GOOD))
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")

    await ask(agent)

    assert (len(proxy.requests), len(agent.requests)) == (0, 1)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("17", 17.0),
        ("Thu, 01 Jan 2026 00:01:30 GMT", 90.0),
        ("Wed, 31 Dec 2025 23:00:00 GMT", 0.0),
        ("Thursday, 01-Jan-26 00:00:10 GMT", 10.0),
        ("soon", None),
        ("-5", None),
        ("9" * 400, None),
        (None, None),
    ],
)
async def test_a_429_tells_how_long_to_wait(agents, value: str | None, seconds: float | None) -> None:
    """
    Retry-After is taken as seconds or as a date; what cannot be read is as if it were not there.
    """
    fields = [f"Retry-After: {value}"] if value else []
    agent = agents(says(replies(b"", "429 Too Many Requests", *fields)))
    provider = HttpAgentProvider(HttpSettings.from_environment(environment(agent.url)), clock=FixedClock())

    answer = await provider.generate_structured(a_request())

    assert answer.reason_code == ErrorCode.RATE_LIMITED.value
    assert answer.retry_after_seconds == seconds


async def test_the_request_is_what_the_contract_says(agents) -> None:
    """
    Headers and body are those of soclab.agent.v1, and the hash is that of the bytes sent.
    """
    agent = agents(says(GOOD))

    (answer,) = await ask(agent)

    (request,) = agent.requests
    assert request.line == "POST /agent HTTP/1.1"
    assert request.headers["content-type"] == "application/json"
    assert request.headers["accept"] == "application/json"
    assert request.headers["x-soclab-contract"] == "soclab.agent.v1"
    assert request.headers["x-soclab-attempt"] == "1"
    assert request.headers["authorization"] == f"Bearer {TOKEN}"
    assert AgentRequest.model_validate_json(request.body).run_id == "run-1"
    assert answer.request_sha256 == hashlib.sha256(request.body).hexdigest()


async def test_without_a_token_no_authorization_is_sent(agents) -> None:
    """
    No token, no Authorization header.
    """
    agent = agents(says(GOOD))

    await ask(agent, SOCLAB_HTTP_AGENT_TOKEN=None)

    assert "authorization" not in agent.requests[0].headers


async def test_query_and_path_are_sent_as_given(agents) -> None:
    """
    The URL's query goes out whole, though it is masked wherever the URL is shown.
    """
    agent = agents(says(GOOD))
    provider = a_provider(f"http://127.0.0.1:{agent.port}/a/b?key=queryvalue&flag#fragment")

    await provider.generate_structured(a_request())

    assert agent.requests[0].line == "POST /a/b?key=queryvalue&flag HTTP/1.1"
    assert "queryvalue" not in repr(provider)


async def test_hostile_text_in_the_request_goes_out_as_escapes(agents) -> None:
    """
    A lone surrogate in an earlier turn breaks nothing on the way out.
    """
    agent = agents(says(GOOD))

    async with a_provider(agent) as slot:
        await slot.generate_structured(a_request(instruction="\ud800\x00\u202e"))

    assert agent.requests[0].body.isascii()
    assert rb"\ud800\u0000\u202e" in agent.requests[0].body


GOOD_REPLIES: dict[str, bytes] = {
    "plain": GOOD,
    "chunked": chunked(f"{len(VALID):x};ext=1\r\n".encode() + VALID + b"\r\n0\r\nX-Trailer: 1\r\n\r\n"),
    "until the connection closes": b"HTTP/1.0 200 OK\r\n\r\n" + VALID,
    "gzip": packed(gzip.compress(VALID), "gzip"),
    "two gzip members": packed(gzip.compress(VALID[:40]) + gzip.compress(VALID[40:]), "GZIP"),
    "deflate": packed(zlib.compress(VALID), "deflate"),
    "deflate without head": packed(zlib.compress(VALID, wbits=-15), "deflate"),
    "identity": packed(VALID, "identity"),
    "201": replies(VALID, "201 Created"),
    "after 100 and 103": b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + GOOD,
    "as large as allowed": replies(VALID + b" " * ((1 << 20) - len(VALID))),
}


@pytest.mark.parametrize("raw", GOOD_REPLIES.values(), ids=GOOD_REPLIES)
async def test_a_valid_reply_is_read_however_it_is_framed(agents, raw: bytes) -> None:
    """
    Every decent way to send a valid reply gives the same structured output and the decompressed text.
    """
    (answer,) = await ask(agents(says(raw)))

    assert (answer.reason_code, answer.detail) == (None, "")
    assert answer.structured_output is not None
    assert answer.structured_output.model_dump(exclude_unset=True, mode="json") == a_reply()
    assert json.loads(answer.output_text) == a_reply()
    assert answer.output_bytes == len(answer.output_text)
    assert answer.output_sha256 == hashlib.sha256(answer.output_text.encode()).hexdigest()


async def test_an_early_answer_to_a_large_request_is_read(agents) -> None:
    """
    An agent that answers and hangs up before it has read the whole request is still heard.
    """

    def rejects(connection: socket.socket, request: SeenRequest) -> None:
        connection.sendall(replies(b"", "413 Content Too Large"))

    agent = agents(rejects)

    async with a_provider(agent) as slot:
        answer = await slot.generate_structured(a_request(instruction="x" * 200_000))

    assert answer.detail == "status 413"


async def test_a_refusal_is_a_refusal(agents) -> None:
    """
    A valid refusal is no error.
    """
    (answer,) = await ask(agents(says(replies(as_bytes(REFUSAL)))))

    assert answer.finish_reason is FinishReason.REFUSAL
    assert answer.reason_code is None


async def test_label_and_usage_of_the_reply_are_taken_over(agents) -> None:
    """
    A reply that names its model and its tokens is believed, and the numbers are bounded.
    """
    reply = a_reply(model="other", usage={"input_tokens": 7, "output_tokens": 10**40})

    (answer,) = await ask(agents(says(replies(as_bytes(reply)))))

    assert answer.model == "other"
    assert answer.usage == TokenUsage(input_tokens=7, output_tokens=10**12, estimated=False)


async def test_usage_is_estimated_when_the_reply_has_none(agents) -> None:
    """
    Without usage it is four bytes a token, labelled as an estimate; the cost is unknown.
    """
    agent = agents(says(GOOD))

    (answer,) = await ask(agent)

    tokens = [-(-len(each) // 4) for each in (agent.requests[0].body, VALID)]
    assert answer.usage == TokenUsage(input_tokens=tokens[0], output_tokens=tokens[1], estimated=True)
    assert (answer.cost_usd, answer.cost_is_estimated) == (None, True)


async def test_bytes_that_are_no_text_stand_as_escapes(agents) -> None:
    """
    The raw reply is kept as text, with the hash of its own bytes.
    """
    (answer,) = await ask(agents(says(replies(b"\xff\xfe{"))))

    assert answer.output_text == r"\xff\xfe{"
    assert answer.output_sha256 == hashlib.sha256(b"\xff\xfe{").hexdigest()
    assert answer.output_bytes == 3


async def test_the_cap_can_be_chosen(agents) -> None:
    """
    SOCLAB_HTTP_AGENT_MAX_REPLY_BYTES sets the most bytes of a body; what fits is kept for the scan.
    """
    (answer,) = await ask(agents(says(GOOD)), SOCLAB_HTTP_AGENT_MAX_REPLY_BYTES="10")

    assert answer.reason_code == ErrorCode.REPLY_TOO_LARGE.value
    assert answer.output_text == VALID[:10].decode()


async def test_a_bomb_is_not_unpacked_beyond_the_cap(agents) -> None:
    """
    Of fifty megabytes in a gzip body exactly the cap is kept.
    """
    (answer,) = await ask(agents(ERRORS["gzip bomb"][0]))

    assert answer.output_bytes == 1 << 20


# ---- the token


async def test_nothing_that_can_be_printed_shows_the_token(agents) -> None:
    """
    The provider, its slot, its settings and their attributes have no repr with the token in it.
    """
    settings = HttpSettings.from_environment(environment("http://192.0.2.1/?k=queryvalue"))
    provider = HttpAgentProvider(settings)
    shown = [repr(each) for each in (settings, provider, provider.for_slot(), vars(provider), vars(settings))]

    assert [form for form, spelled in FORMS.items() if any(spelled in text for text in shown)] == []


async def test_a_cancelled_call_leaves_no_token_in_its_traceback(agents) -> None:
    """
    A call cancelled in the middle shows the token in no local variable of its traceback.
    """
    agent = agents(hangs)
    task = asyncio.create_task(a_provider(agent).generate_structured(a_request()))
    while not agent.requests:
        await asyncio.sleep(0.01)
    task.cancel()

    with pytest.raises(asyncio.CancelledError) as caught:
        await task

    shown = "".join(traceback.TracebackException.from_exception(caught.value, capture_locals=True).format())
    assert "generate_structured" in shown
    assert [form for form, spelled in FORMS.items() if spelled in shown] == []


# ---- TLS


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    """A private certificate authority."""
    return trustme.CA()


def server_context(authority: trustme.CA, name: str = "127.0.0.1") -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)
    return context


@pytest.fixture
def ca_file(authority: trustme.CA, tmp_path: Path) -> str:
    """The authority's certificate as a PEM file."""
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    return str(tmp_path / "ca.pem")


async def test_a_private_authority_is_accepted_when_it_is_named(agents, authority, ca_file: str) -> None:
    """
    SSL_CERT_FILE makes certificates of a private authority good, for every call over the connection.
    """
    agent = agents(keeps(GOOD), server_context(authority))

    answers = await ask(agent, times=2, SSL_CERT_FILE=ca_file)

    assert [answer.reason_code for answer in answers] == [None, None]
    assert agent.connections == 1


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs the openssl command to name the file by its hash")
async def test_a_folder_of_authorities_is_accepted(agents, authority, ca_file: str, tmp_path: Path) -> None:
    """
    SSL_CERT_DIR names folders of hashed certificates.
    """
    command = ["openssl", "x509", "-noout", "-subject_hash", "-in", ca_file]
    name = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    folder = tmp_path / "hashed"
    folder.mkdir()
    shutil.copy(ca_file, folder / f"{name}.0")

    (answer,) = await ask(agents(says(GOOD), server_context(authority)), SSL_CERT_DIR=str(folder))

    assert (answer.reason_code, answer.detail) == (None, "")


async def test_an_unknown_authority_is_a_tls_failure(agents, authority) -> None:
    """
    A certificate of an unknown authority is refused twice, and no request goes out.
    """
    agent = agents(says(GOOD), server_context(authority))

    (answer,) = await ask(agent)

    assert answer.reason_code == ErrorCode.TRANSPORT_ERROR.value
    assert "SSL_CERT_FILE" in answer.detail
    assert (agent.connections, agent.requests) == (2, [])
    assert (answer.attempts, answer.request_sent) == (2, False)


async def test_a_certificate_for_another_host_is_a_tls_failure(agents, authority, ca_file: str) -> None:
    """
    The host's name is checked too.
    """
    agent = agents(says(GOOD), server_context(authority, "agent.example.com"))

    (answer,) = await ask(agent, SSL_CERT_FILE=ca_file)

    assert answer.reason_code == ErrorCode.TRANSPORT_ERROR.value
    assert agent.requests == []


async def test_plain_http_behind_an_https_url_is_a_tls_failure() -> None:
    """
    An agent that answers a TLS handshake in the clear gets no request.
    """

    async def reject(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(5)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(reject, "127.0.0.1", 0) as server:
        (answer,) = await ask(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/")

    assert answer.reason_code == ErrorCode.TRANSPORT_ERROR.value
    assert (answer.attempts, answer.request_sent) == (2, False)
    assert answer.detail.endswith("; it speaks no TLS: try http://")


async def test_a_silent_handshake_is_a_timeout() -> None:
    """
    A connection that never becomes TLS ends at the deadline and is not tried again.
    """
    with socket.create_server(("127.0.0.1", 0)) as listener:
        (answer,) = await ask(f"https://127.0.0.1:{listener.getsockname()[1]}/", timeout_seconds=0.3)

    assert answer.reason_code == ErrorCode.TIMEOUT.value
    assert (answer.attempts, answer.request_sent) == (1, False)


async def test_a_reply_cut_short_over_tls_is_truncated(agents, authority, ca_file: str) -> None:
    """
    A TLS connection that ends in the middle of a body is no whole reply.
    """
    (answer,) = await ask(agents(says(GOOD[:-5]), server_context(authority)), SSL_CERT_FILE=ca_file)

    assert answer.reason_code == ErrorCode.TRUNCATED.value
