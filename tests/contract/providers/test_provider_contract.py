"""What every provider promises, whoever the agent is. Add a provider to `PROVIDERS_UNDER_TEST` to try it."""

from __future__ import annotations

import asyncio
import importlib.util
import json
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest

from soclab.contracts.provider import FinishReason, ModelProvider, ModelResponse, ProviderCapabilities, TokenUsage
from soclab.contracts.vocabulary import STAGES, ErrorCode, Stage
from soclab.errors import CapabilityUnsupportedError, MalformedResponseError
from soclab.providers import registry
from soclab.providers.callables import provider_from
from soclab.providers.http.adapter import HttpAgentProvider
from soclab.providers.http.settings import HttpSettings
from soclab.providers.scripted import ScriptedProvider
from tests.contract.providers.agent_requests import a_reply, a_request, as_bytes
from tests.contract.providers.guide import chat_provider

Answers = Callable[[Stage], Any]


def _http(answer: Answers) -> ModelProvider:
    def handle(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=_text(answer(Stage(json.loads(request.content)["stage"]))))

    settings = HttpSettings.from_environment({"SOCLAB_HTTP_AGENT_URL": "http://agent.example.com/"})
    return HttpAgentProvider(settings, transport=lambda: httpx.MockTransport(handle))


def _asgi(answer: Answers) -> ModelProvider:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        body = b""
        while (part := await receive())["type"] == "http.request":
            body += part["body"]
            if not part["more_body"]:
                break
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": _text(answer(Stage(json.loads(body)["stage"])))})

    return provider_from(app)


def _sync_function(answer: Answers) -> ModelProvider:
    return provider_from(lambda request: answer(Stage(request["stage"])))


def _async_function(answer: Answers) -> ModelProvider:
    async def agent(request: dict[str, Any]) -> Any:
        return answer(Stage(request["stage"]))

    return provider_from(agent)


def _scripted(answer: Answers) -> ModelProvider:
    return ScriptedProvider({stage: answer(stage) for stage in STAGES})


def _guide(answer: Answers) -> ModelProvider:
    def completion(body: dict[str, Any]) -> Any:
        stage = Stage.FORM_FINDING if "finding" in body["messages"][-1]["content"] else Stage.COLLECT_SIEM
        message = {"content": _text(answer(stage)).decode("utf-8", "surrogateescape")}
        return {"choices": [{"finish_reason": "stop", "message": message}]}

    provider: ModelProvider = chat_provider(completion)
    return provider


def _text(answer: Any) -> bytes:
    if isinstance(answer, bytes):
        return answer
    return answer.encode() if isinstance(answer, str) else as_bytes(answer)


PROVIDERS_UNDER_TEST: dict[str, Callable[[Answers], ModelProvider]] = {
    "http": _http,
    "ASGI app": _asgi,
    "sync function": _sync_function,
    "async function": _async_function,
    "scripted": _scripted,
    "class of the guide": _guide,
}
BUILT_IN = [entry.id for entry in registry.PROVIDERS.values() if entry.isolation == "in_process"]


def built_in(provider_id: str) -> ModelProvider:
    module = str(registry.PROVIDERS[provider_id].factory).partition(":")[0]
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not there")
    return registry.build(provider_id, {})


def all_providers() -> list[Any]:
    made = [pytest.param(lambda make=make: make(a_reply), id=name) for name, make in PROVIDERS_UNDER_TEST.items()]
    return [*made, *[pytest.param(lambda one=one: built_in(one), id=f"registered {one}") for one in BUILT_IN]]


every_provider = pytest.mark.parametrize("make", all_providers())
every_adapter = pytest.mark.parametrize("make", PROVIDERS_UNDER_TEST.values(), ids=PROVIDERS_UNDER_TEST)


def question(stage: Stage, **changes: Any) -> Any:
    words = "Answer with a finding." if stage is Stage.FORM_FINDING else "Answer with one call."
    request = a_request(stage, **changes)
    asked = request.messages[-1].model_copy(update={"content": words})
    return request.model_copy(update={"messages": (*request.messages[:-1], asked), "instruction": words})


async def answer_of(provider: ModelProvider, stage: Stage = Stage.COLLECT_SIEM) -> ModelResponse:
    """One answer, asked for as the engine does: in a slot, entered."""
    per_slot = getattr(provider, "for_slot", None)
    slot: Any = per_slot() if callable(per_slot) else provider
    async with AsyncExitStack() as stack:
        if hasattr(slot, "__aenter__"):
            await stack.enter_async_context(slot)
        response: ModelResponse = await slot.generate_structured(question(stage))
        return response


@every_provider
def test_it_is_a_provider(make) -> None:
    """
    It has every part of the protocol, names itself and its model, and says what it can do.
    """
    provider = make()

    assert isinstance(provider, ModelProvider)
    assert provider.provider_id.isprintable()
    assert 1 <= len(provider.model) <= 200
    assert isinstance(provider.describe_capabilities(), ProviderCapabilities)


@every_provider
def test_it_counts_usage_as_an_estimate(make) -> None:
    """
    A count made before asking is an estimate and not zero.
    """
    usage = make().count_usage(a_request())

    assert usage.estimated
    assert usage.input_tokens > 0


@every_provider
@pytest.mark.parametrize("stage", STAGES)
async def test_it_answers_every_stage_in_the_labs_shape(make, stage: Stage) -> None:
    """
    Each stage gets a ModelResponse with the provider's name, usage, a latency and no claim about cost.
    """
    provider = make()

    response = await answer_of(provider, stage)

    assert isinstance(response, ModelResponse)
    assert response.provider == provider.provider_id
    assert isinstance(response.usage, TokenUsage)
    assert response.latency_ms >= 0
    assert (response.cost_usd, response.cost_is_estimated) == (None, True)


@every_adapter
@pytest.mark.parametrize("stage", STAGES)
async def test_a_valid_reply_is_the_structured_output(make, stage: Stage) -> None:
    """
    What the agent said is read into the reply, whole, and kept as text.
    """
    response = await answer_of(make(a_reply), stage)

    assert response.structured_output is not None
    assert response.structured_output.model_dump(exclude_unset=True, mode="json") == a_reply(stage)
    assert json.loads(response.output_text) == a_reply(stage)
    assert response.finish_reason is FinishReason.STOP
    assert response.reason_code is None


@every_adapter
async def test_the_label_of_a_reply_counts(make) -> None:
    """
    A reply that names a model is recorded under that name.
    """
    assert (await answer_of(make(lambda stage: a_reply(stage, model="another")))).model == "another"


BAD = {
    "prose": b"I would look at the events.",
    "code fence": b"```json\n" + as_bytes(a_reply()) + b"\n```",
    "repeated key": as_bytes(a_reply()).replace(b'"query"', b'"query": 1, "query"'),
    "NaN": as_bytes(a_reply()).replace(b'"maria.ortega"', b"NaN"),
    "1e400": as_bytes(a_reply()).replace(b'"maria.ortega"', b"1e400"),
    "lone surrogate": as_bytes(a_reply()).replace(b"maria", rb"\ud800"),
    "deep": as_bytes(a_reply()).replace(b'"maria.ortega"', b"[" * 20_000 + b"]" * 20_000),
    "unknown field": as_bytes(a_reply() | {"extra": 1}),
    "empty": b"",
}


@every_adapter
@pytest.mark.parametrize("said", BAD.values(), ids=BAD)
async def test_what_is_no_reply_is_never_structured_output(make, said: bytes) -> None:
    """
    The same strict reader stands behind every provider: an error turn, or MalformedResponseError for the caller.
    """
    try:
        response = await answer_of(make(lambda stage: said))
    except MalformedResponseError:
        return

    assert response.structured_output is None
    assert response.finish_reason is FinishReason.ERROR
    assert response.reason_code in (ErrorCode.INVALID_JSON.value, ErrorCode.SCHEMA_VIOLATION.value)
    assert response.output_text.encode() == said


@every_provider
async def test_what_it_does_not_claim_it_refuses(make) -> None:
    """
    An unsupported feature raises CapabilityUnsupportedError.
    """
    provider = make()
    capabilities = provider.describe_capabilities()

    if not capabilities.tool_calling:
        with pytest.raises(CapabilityUnsupportedError):
            await provider.request_tool(a_request())
        with pytest.raises(CapabilityUnsupportedError):
            await provider.continue_after_tool(a_request(), "lookup_indicator", "{}")
    if not capabilities.streaming:
        with pytest.raises(CapabilityUnsupportedError):
            provider.stream(a_request())


@every_provider
async def test_answers_at_the_same_time_do_not_mix(make) -> None:
    """
    Two runs that are asked at once each get the answer to their own question.
    """
    provider = make()
    alone = [await answer_of(provider, stage) for stage in (Stage.COLLECT_SIEM, Stage.FORM_FINDING)]

    together = await asyncio.gather(*[answer_of(provider, one) for one in (Stage.COLLECT_SIEM, Stage.FORM_FINDING)])

    assert [one.output_text for one in together] == [one.output_text for one in alone]


@pytest.mark.parametrize("provider_id", BUILT_IN)
def test_a_registered_provider_takes_its_label(provider_id: str) -> None:
    """
    The label given to `build` is the provider's model; without one it is `agent`.
    """
    built_in(provider_id)

    assert registry.build(provider_id, {}, "my-label").model == "my-label"
    assert registry.build(provider_id, {}).model == "agent"
