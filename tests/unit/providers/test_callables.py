"""Functions, apps and providers of users, as agents."""

from __future__ import annotations

import asyncio
import functools
import json
import threading
from contextvars import ContextVar
from typing import Any

import pytest

from soclab.contracts.agent_v1 import AgentReply
from soclab.contracts.provider import FinishReason, ModelRequest, ModelResponse
from soclab.contracts.vocabulary import ErrorCode, Stage
from soclab.errors import UsageError
from soclab.providers.callables import provider_from
from soclab.providers.scripted import ScriptedProvider
from soclab.providers.threaded import ThreadedProvider
from soclab.redaction import Secrets
from tests.contract.providers.agent_requests import REFUSAL, a_reply, a_request

TOKEN = "sk-live-0123456789"


async def ask(thing: Any, request: ModelRequest | None = None, **settings: Any) -> ModelResponse:
    return await provider_from(thing, **settings).generate_structured(request or a_request())


class AsyncObject:
    async def __call__(self, request: dict[str, Any]) -> Any:
        return a_reply()


class SyncObject:
    def __call__(self, request: dict[str, Any]) -> Any:
        return a_reply()

    def method(self, request: dict[str, Any]) -> Any:
        return a_reply()


async def coroutine_function(request: dict[str, Any]) -> Any:
    return a_reply()


def gives_a_coroutine(request: dict[str, Any]) -> Any:
    return coroutine_function(request)


def keyword_default(request: dict[str, Any], greeting: str = "hello") -> Any:
    return a_reply()


FUNCTIONS = {
    "sync": lambda request: a_reply(),
    "async": coroutine_function,
    "object": SyncObject(),
    "async object": AsyncObject(),
    "method": SyncObject().method,
    "partial": functools.partial(lambda extra, request: a_reply(), 1),
    "with a default": keyword_default,
    "any arguments": lambda *arguments: a_reply(),
    "sync that gives a coroutine": gives_a_coroutine,
}


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
async def test_a_function_of_one_argument_is_an_agent(function) -> None:
    """
    Functions, objects, methods and partials, sync and async, answer with their dict.
    """
    response = await ask(function)

    assert response.structured_output is not None
    assert (response.provider, response.model, response.reason_code) == ("callable", "agent", None)


RETURNED = {
    "dict": a_reply(),
    "text": json.dumps(a_reply()),
    "bytes": json.dumps(a_reply()).encode(),
    "bytearray": bytearray(json.dumps(a_reply()).encode()),
    "model": AgentReply.model_validate(a_reply()),
}


@pytest.mark.parametrize("returned", RETURNED.values(), ids=RETURNED)
async def test_a_reply_may_come_in_any_form(returned: Any) -> None:
    """
    A dict, its text, its bytes and the lab's own model mean the same.
    """
    response = await ask(lambda request: returned)

    assert response.structured_output == AgentReply.model_validate(a_reply())


async def test_a_whole_response_is_taken_as_it_is() -> None:
    """
    A function that builds a ModelResponse keeps every part of it.
    """
    response = ModelResponse(provider="mine", model="m", finish_reason=FinishReason.STOP, latency_ms=3.0)

    assert await ask(lambda request: response) is response


async def test_the_function_gets_the_request_body_as_its_own_copy() -> None:
    """
    It is asked with the contract's request, and changing it changes nothing for the lab.
    """
    request, seen = a_request(Stage.FORM_FINDING), []

    def agent(body: dict[str, Any]) -> Any:
        seen.append(dict(body))
        body["context"]["alert"].clear()
        return REFUSAL

    await ask(agent, request)
    await ask(agent, request)

    assert seen[0]["contract"] == "soclab.agent.v1"
    assert seen[0]["stage"] == "form_finding"
    assert request.alert == {"title": "Unusual sign-in"}


class Unprintable(Exception):
    def __str__(self) -> str:
        raise ValueError


def raiser(error: BaseException) -> Any:
    def agent(request: dict[str, Any]) -> Any:
        raise error

    return agent


def async_raiser(error: BaseException) -> Any:
    async def agent(request: dict[str, Any]) -> Any:
        raise error

    return agent


RAISED = {
    "ValueError": (ValueError("no idea"), "ValueError: no idea"),
    "KeyError": (KeyError("stage"), "KeyError: 'stage'"),
    "no words": (RuntimeError(), "RuntimeError"),
    "hostile words": (ValueError("\x1b[31m\n::error::\u202e"), r"ValueError: \x1b[31m\x0a::error::\u202e"),
    "token": (ValueError(f"401 for {TOKEN}"), "ValueError: 401 for [agent-token]"),
    "unprintable": (Unprintable(), "Unprintable"),
    "own time-out": (TimeoutError("mine"), "TimeoutError: mine"),
}


@pytest.mark.parametrize("make", [raiser, async_raiser])
@pytest.mark.parametrize(("error", "detail"), RAISED.values(), ids=RAISED)
async def test_an_exception_is_an_error_turn(make, error: Exception, detail: str) -> None:
    """
    Whatever a function raises becomes one clean line without the token, and never an exception of the lab.
    """
    response = await ask(make(error), secrets=Secrets([TOKEN]))

    assert (response.reason_code, response.detail) == (ErrorCode.ADAPTER_FAULT.value, detail)
    assert response.finish_reason is FinishReason.ERROR
    assert response.structured_output is None


@pytest.mark.parametrize("make", [raiser, async_raiser])
@pytest.mark.parametrize("error", [SystemExit(3), asyncio.CancelledError(), StopIteration()])
async def test_what_would_end_a_program_ends_one_turn(make, error: BaseException) -> None:
    """
    sys.exit and its like in an agent's code are that agent's fault only.
    """
    response = await ask(make(error))

    assert response.reason_code == ErrorCode.ADAPTER_FAULT.value


def _ring() -> dict[str, Any]:
    ring: dict[str, Any] = {}
    ring["again"] = ring
    return ring


def _deep(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    ("returned", "code"),
    [
        (None, ErrorCode.ADAPTER_FAULT),
        (42, ErrorCode.ADAPTER_FAULT),
        ([a_reply()], ErrorCode.ADAPTER_FAULT),
        ({"when": object()}, ErrorCode.ADAPTER_FAULT),
        ({1: 2}, ErrorCode.ADAPTER_FAULT),
        ({"a": [{None: 2}]}, ErrorCode.ADAPTER_FAULT),
        (_ring(), ErrorCode.ADAPTER_FAULT),
        (_deep(100_000), ErrorCode.ADAPTER_FAULT),
        (_deep(100), ErrorCode.INVALID_JSON),
        (a_reply(usage={"input_tokens": float("nan"), "output_tokens": 1}), ErrorCode.INVALID_JSON),
        (a_reply(model="\ud800"), ErrorCode.INVALID_JSON),
        ("\ud800", ErrorCode.INVALID_JSON),
        ("", ErrorCode.INVALID_JSON),
        (b"\xff", ErrorCode.INVALID_JSON),
        ({}, ErrorCode.SCHEMA_VIOLATION),
        (a_reply(extra=1), ErrorCode.SCHEMA_VIOLATION),
    ],
    ids=range(16),
)
async def test_what_is_no_reply_is_an_error_turn(returned: Any, code: ErrorCode) -> None:
    """
    Values that are no JSON, and JSON that is no reply, have their reason code.
    """
    response = await ask(lambda request: returned)

    assert response.reason_code == code.value
    assert response.detail.isprintable()


async def test_sync_functions_do_not_stop_the_event_loop() -> None:
    """
    Two sync agents that wait for each other both answer.
    """
    barrier = threading.Barrier(2, timeout=10)

    def agent(request: dict[str, Any]) -> Any:
        barrier.wait()
        return a_reply()

    answers = await asyncio.gather(ask(agent), ask(agent))

    assert [answer.reason_code for answer in answers] == [None, None]


async def test_context_variables_reach_the_function() -> None:
    """
    A sync function in its thread sees the caller's context, so that its log lines find their way.
    """
    variable: ContextVar[str] = ContextVar("variable")
    variable.set("here")
    seen = []

    await ask(lambda request: seen.append(variable.get()))

    assert seen == ["here"]


async def test_a_function_that_is_too_late_is_a_timeout() -> None:
    """
    A hanging function, sync or async, ends its turn at the deadline.
    """
    release = threading.Event()

    async def hangs(request: dict[str, Any]) -> Any:
        await asyncio.Event().wait()

    answers = [await ask(each, timeout_seconds=0.05) for each in (hangs, lambda request: release.wait(10))]
    release.set()

    assert [answer.reason_code for answer in answers] == [ErrorCode.TIMEOUT.value] * 2


async def test_a_cancelled_call_is_cancelled() -> None:
    """
    A cancellation from outside is no error turn.
    """
    started = asyncio.Event()

    async def agent(request: dict[str, Any]) -> Any:
        started.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(ask(agent))
    await started.wait()
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task


# ---- apps


class App:
    """An ASGI app that answers each request with what it saw of it."""

    def __init__(self, path: str = "/") -> None:
        self.path = path

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body = json.loads((await receive())["body"])
        found = scope["path"] == self.path and scope["method"] == "POST"
        reply = json.dumps(a_reply(Stage(body["stage"]))).encode()
        await send({"type": "http.response.start", "status": 200 if found else 404, "headers": []})
        await send({"type": "http.response.body", "body": reply})


async def app_function(scope: Any, receive: Any, send: Any) -> None:
    await App()(scope, receive, send)


async def app_with_other_names(s: Any, r: Any, w: Any) -> None:
    await App()(s, r, w)


@pytest.mark.parametrize("app", [App(), app_function, app_with_other_names, functools.partial(App().__call__)])
async def test_an_asgi_app_is_an_agent(app) -> None:
    """
    An object or function of scope, receive and send is driven like an HTTP agent.
    """
    response = await ask(app)

    assert (response.provider, response.reason_code) == ("http", None)


async def test_an_app_is_asked_at_its_path() -> None:
    """
    `path` says where the app takes its requests.
    """
    assert (await ask(App("/agent"), path="agent")).reason_code is None
    assert (await ask(App("/agent"))).detail == "status 404"


async def test_an_app_that_raises_is_an_agent_error() -> None:
    """
    An exception in an app is a 500, as behind a real server.
    """

    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise ValueError

    assert (await ask(app)).reason_code == ErrorCode.AGENT_ERROR.value


async def test_an_app_that_hangs_is_a_timeout() -> None:
    """
    The deadline of a call holds for apps too.
    """

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.Event().wait()

    assert (await ask(app, timeout_seconds=0.05)).reason_code == ErrorCode.TIMEOUT.value


async def test_an_app_is_not_asked_again() -> None:
    """
    An app that raises before it answers is asked once.
    """
    asked = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        asked.append(scope)
        raise ConnectionResetError

    await ask(app)

    assert len(asked) == 1


# ---- providers


class PlainProvider(ScriptedProvider):
    """A provider whose methods are plain functions."""

    def generate_structured(self, request: ModelRequest) -> ModelResponse:  # type: ignore[override]
        self.thread = threading.current_thread()
        return asyncio.run(ScriptedProvider.generate_structured(self, request))


def test_a_provider_is_returned_as_it_is() -> None:
    """
    A provider with async methods needs nothing around it.
    """
    provider = ScriptedProvider()

    assert provider_from(provider) is provider


async def test_a_provider_with_plain_methods_works_in_threads() -> None:
    """
    A provider of plain functions is led in threads and keeps its names.
    """
    inner = PlainProvider({Stage.COLLECT_SIEM: a_reply()}, model="mine")
    provider = provider_from(inner)

    response = await provider.generate_structured(a_request())

    assert isinstance(provider, ThreadedProvider)
    assert (provider.provider_id, provider.model) == ("scripted", "mine")
    assert response.reason_code is None
    assert inner.thread is not threading.current_thread()


class Incomplete:
    provider_id = "mine"
    model = "m"

    async def generate_structured(self, request: ModelRequest) -> None: ...

    def describe_capabilities(self) -> None: ...


REFUSED = {
    "nothing": (None, "NoneType"),
    "text": ("http://agent.example.com", "str"),
    "class": (ScriptedProvider, "it is a class: give an instance"),
    "function of nothing": (lambda: 1, "lambda"),
    "sync function of three": (lambda a, b, c: 1, "lambda"),
    "incomplete provider": (Incomplete(), "it lacks count_usage, generate, request_tool, continue_after_tool, stream"),
}


@pytest.mark.parametrize(("thing", "words"), REFUSED.values(), ids=REFUSED)
def test_anything_else_is_one_line_that_says_what_is_accepted(thing: Any, words: str) -> None:
    """
    What is no agent is refused with its name, what is wrong with it and the three kinds that are accepted.
    """
    with pytest.raises(UsageError) as caught:
        provider_from(thing)

    message = str(caught.value)
    assert words in message
    assert message.isprintable()
    assert all(kind in message for kind in ("ModelProvider", "ASGI app", "function of one argument"))
