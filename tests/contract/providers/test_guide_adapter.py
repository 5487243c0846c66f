"""The adapter class of docs/python-adapters.md, taken from the page and run as it stands."""

from __future__ import annotations

import ast
import importlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from soclab.contracts.provider import FinishReason, ModelProvider, ModelResponse, TokenUsage
from soclab.contracts.vocabulary import STAGES, Outcome, Stage
from soclab.errors import CapabilityUnsupportedError, MalformedResponseError
from soclab.providers.callables import provider_from
from tests.contract.providers.agent_requests import a_reply, a_request
from tests.contract.providers.guide import chat_provider, constructed
from tests.unit.engine.campaigns import finished

FIXTURES = Path(__file__).parent / "fixtures"


async def ask(fixture: str, stage: Stage = Stage.COLLECT_SIEM) -> ModelResponse:
    response: ModelResponse = await chat_provider(constructed(fixture)).generate_structured(a_request(stage))
    return response


def test_the_class_is_a_provider_as_it_stands() -> None:
    """
    The class has every part of the protocol and is taken by provider_from without a wrapper.
    """
    provider = chat_provider({})

    assert isinstance(provider, ModelProvider)
    assert provider_from(provider) is provider


@pytest.mark.parametrize(
    ("fixture", "stage"), [("chat_call", Stage.COLLECT_SIEM), ("chat_finding", Stage.FORM_FINDING)]
)
async def test_a_completion_becomes_a_reply(fixture: str, stage: Stage) -> None:
    """
    The text of a chat completion is read as the reply, with the usage that the vendor reports.
    """
    response = await ask(fixture, stage)

    assert response.structured_output is not None
    assert response.structured_output.model_dump(exclude_unset=True, mode="json") == a_reply(stage)
    assert (response.provider, response.model, response.finish_reason) == ("chat", "example-model", FinishReason.STOP)
    assert response.usage == TokenUsage(input_tokens=120, output_tokens=40, estimated=False)
    assert response.cost_is_estimated


async def test_a_refusal_in_the_text_is_a_refusal() -> None:
    """
    A reply that refuses is a refusal, though the vendor calls it a normal stop.
    """
    assert (await ask("chat_refusal")).finish_reason is FinishReason.REFUSAL


async def test_usage_that_is_counted_is_labelled() -> None:
    """
    Without the vendor's usage the adapter's own count is an estimate.
    """
    usage = (await ask("chat_without_usage")).usage

    assert usage is not None
    assert usage.estimated
    assert usage.input_tokens > 0


@pytest.mark.parametrize("fixture", ["chat_code_fence", "chat_prose", "chat_no_choices"])
async def test_what_is_no_reply_is_malformed(fixture: str) -> None:
    """
    A code fence, prose and an answer of another shape are never guessed at.
    """
    with pytest.raises(MalformedResponseError):
        await ask(fixture)


@pytest.mark.parametrize(
    ("fixture", "finish"),
    [("chat_length", FinishReason.LENGTH), ("chat_content_filter", FinishReason.CONTENT_FILTER)],
)
async def test_an_answer_that_did_not_end_by_itself_is_not_read(fixture: str, finish: FinishReason) -> None:
    """
    A length limit and a content filter keep their finish reason and give no reply.
    """
    response = await ask(fixture)

    assert response.finish_reason is finish
    assert response.structured_output is None


async def test_the_vendor_gets_prompt_and_messages() -> None:
    """
    The system prompt comes first, then the messages in order.
    """
    sent: list[Any] = []

    await chat_provider(constructed("chat_call"), sent).generate_structured(a_request())

    assert [message["role"] for message in sent[0]["messages"]] == ["system", "user", "user"]
    assert sent[0]["messages"][-1]["content"] == "Answer with one call."
    assert (sent[0]["max_tokens"], sent[0]["temperature"]) == (1024, 0.0)


async def test_generate_gives_plain_text() -> None:
    """
    Without structure any text is an answer.
    """
    response = await chat_provider(constructed("chat_prose")).generate(a_request())

    assert response.output_text == "I would search the SIEM for maria.ortega."
    assert response.structured_output is None


async def test_what_the_class_cannot_do_it_says() -> None:
    """
    Tool calling and streaming are unsupported, not ignored.
    """
    provider = chat_provider({})

    with pytest.raises(CapabilityUnsupportedError):
        await provider.request_tool(a_request())
    with pytest.raises(CapabilityUnsupportedError):
        await provider.continue_after_tool(a_request(), "lookup_indicator", "{}")
    with pytest.raises(CapabilityUnsupportedError):
        provider.stream(a_request())


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*/*.json")), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_fixture_says_where_it_comes_from(path: Path) -> None:
    """
    Every fixture carries the origin that its folder names.
    """
    assert json.loads(path.read_text())["origin"] == path.parent.name


PAGE = (Path(__file__).parents[3] / "docs" / "python-adapters.md").read_text(encoding="utf-8")


def follows_the_instruction(body: dict[str, Any]) -> dict[str, Any]:
    """A vendor whose model sends the shown reply back with the placeholders replaced."""
    asked = body["messages"][-1]["content"]
    shown = next(line for line in asked.splitlines() if line.startswith('{"contract"'))
    text = re.sub(r"<[^>]*>", "maria.ortega", shown)
    return {"choices": [{"finish_reason": "stop", "message": {"content": text}}]}


def test_the_adapter_goes_through_a_campaign_as_the_page_says(tmp_path: Path) -> None:
    """
    Without any label given, its own model is the approved one: nothing it does is stopped for its name.
    """
    done = finished(tmp_path, chat_provider(follows_the_instruction), patterns=("BEN-001",))

    (result,) = done.results
    assert done.scorecard.provider.model == "example-model"
    assert [stage.model for stage in result.stages] == ["example-model"] * len(STAGES)
    assert (result.outcome, result.action) == (Outcome.WRONG, "escalate_to_human(reason=maria.ortega)")
    assert "unapproved_model" not in result.control_reasons
    assert next(gate for gate in done.scorecard.mandatory_gates if gate.name == "unapproved_model").passed


@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL), ids=lambda text: text[:20])
def test_the_page_imports_names_that_it_calls_reliable(block: str) -> None:
    """
    Every import of ours on the page is a public name of a module that the page lists.
    """
    section = PAGE.split("### Names you can rely on\n")[1].split("\n## ")[0]
    reliable = set(re.findall(r"`(soclab[a-z_.]*)`", section))
    for node in ast.walk(ast.parse(block)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("soclab"):
            assert node.module in reliable
            assert {alias.name for alias in node.names} <= set(importlib.import_module(node.module).__all__)
