"""What the public guide imports from `soclab.providers._shared`."""

from __future__ import annotations

import json

import pytest

import soclab.contracts
import soclab.providers
from soclab.contracts.provider import FinishReason, Message, ModelRequest, ToolCall
from soclab.contracts.vocabulary import ErrorCode, Role, Trust
from soclab.errors import MalformedResponseError
from soclab.providers._shared import Timer, build_response, openai_style_messages

REPLY = json.dumps({"contract": "soclab.agent.v1", "refusal": {"code": "policy", "reason": "no"}})


def respond(text: str | None, finish: FinishReason = FinishReason.STOP, **more: object):
    return build_response(provider="p", model="m", finish=finish, text=text, want_structured=True, **more)


def test_the_guides_names_are_there() -> None:
    """
    Everything the guide imports is exported.
    """
    assert set(soclab.providers.__all__) == {
        "ModelProvider",
        "ModelRequest",
        "ModelResponse",
        "ProviderError",
        "MalformedResponseError",
        "CapabilityUnsupportedError",
    }
    assert {"FinishReason", "ProviderCapabilities", "TokenUsage", "ToolCall"} <= set(soclab.contracts.__all__)


def test_a_text_is_read_strictly() -> None:
    """
    A reply in the text becomes the structured output, and a refusal the finish reason.
    """
    response = respond(REPLY)

    assert response.structured_output is not None
    assert response.finish_reason is FinishReason.REFUSAL
    assert response.output_text == REPLY


@pytest.mark.parametrize("text", [f"```json\n{REPLY}\n```", f"Sure: {REPLY}", f"{REPLY}.", "", None, "\ud800"])
def test_nothing_is_taken_off_a_text(text: str | None) -> None:
    """
    A fence, words around the JSON, no text and broken text are malformed, with the words kept for the scan.
    """
    with pytest.raises(MalformedResponseError) as caught:
        respond(text)

    assert caught.value.code is ErrorCode.INVALID_JSON  # type: ignore[attr-defined]
    assert caught.value.text == (text or "")  # type: ignore[attr-defined]


@pytest.mark.parametrize("finish", [FinishReason.LENGTH, FinishReason.CONTENT_FILTER, FinishReason.REFUSAL])
def test_an_answer_that_did_not_end_by_itself_is_not_read(finish: FinishReason) -> None:
    """
    Such a text is kept as it is.
    """
    response = respond("cut", finish)

    assert (response.finish_reason, response.structured_output) == (finish, None)


def test_a_native_call_is_not_read() -> None:
    """
    With a native tool call the text is its rationale.
    """
    response = respond("because", FinishReason.TOOL_CALL, tool_call=ToolCall(name="lookup_indicator"))

    assert response.tool_call is not None
    assert response.output_text == "because"


def test_plain_text_is_only_text() -> None:
    """
    Without want_structured nothing is read.
    """
    response = build_response(provider="p", model="m", finish=FinishReason.STOP, text="hello")

    assert (response.output_text, response.structured_output) == ("hello", None)


def test_a_timer_stands_still_after_its_block() -> None:
    """
    The time grows inside the block and not after it.
    """
    with Timer() as timer:
        first = timer.elapsed_ms
        second = timer.elapsed_ms

    assert 0 <= first <= second <= timer.elapsed_ms
    assert timer.elapsed_ms == timer.elapsed_ms


def test_messages_are_what_chat_models_take() -> None:
    """
    System prompt first; tool results come as user messages that name the tool.
    """
    request = ModelRequest(
        system_prompt="rules",
        messages=(
            Message(role=Role.USER, content="alert"),
            Message(role=Role.TOOL, content="{}", tool_name="lookup_indicator"),
            Message(role=Role.ASSISTANT, content="finding"),
            Message(role=Role.USER, content="next", trust=Trust.TRUSTED),
        ),
    )

    messages = openai_style_messages(request)

    assert [message["role"] for message in messages] == ["system", "user", "user", "assistant", "user"]
    assert messages[0]["content"] == "rules"
    assert "lookup_indicator" in messages[2]["content"]
    assert messages[2]["content"].endswith("{}")
