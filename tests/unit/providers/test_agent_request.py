"""The request body of soclab.agent.v1."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soclab.contracts.agent_v1 import AgentRequest
from soclab.contracts.provider import Message, ModelRequest
from soclab.contracts.vocabulary import STAGES, Role, Stage, Trust
from soclab.errors import CapabilityUnsupportedError
from soclab.providers.agent_request import estimated_tokens, request_body

MESSAGE = Message(role=Role.TOOL, content="{}", trust=Trust.UNTRUSTED, tool_name="lookup_indicator")


def a_request(**members: object) -> ModelRequest:
    return ModelRequest.model_validate(
        {"system_prompt": "s", "messages": (MESSAGE,), "stage": Stage.COLLECT_SIEM} | members
    )


@pytest.mark.parametrize("stage", STAGES)
def test_the_body_is_a_request_of_the_contract(stage: Stage) -> None:
    """
    The strict model of the contract accepts the body of every stage, and nothing of it is lost.
    """
    body = request_body(a_request(stage=stage, run_id="r", trace_id="t", incident_id="i", turns=(MESSAGE,)))

    read = AgentRequest.model_validate_json(body)
    assert (read.run_id, read.trace_id, read.incident_id, read.stage) == ("r", "t", "i", stage)
    assert read.turns[0].model_dump() == MESSAGE.model_dump()
    assert (read.max_output_tokens, read.temperature, read.response_schema) == (1024, 0.0, None)


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=())))
def test_any_text_goes_out_as_ascii_and_comes_back(text: str) -> None:
    """
    Control characters and lone surrogates stand as JSON escapes.
    """
    body = request_body(a_request(instruction=text, alert={"note": text}))

    assert body.isascii()
    assert json.loads(body)["instruction"] == text
    assert json.loads(body)["context"]["alert"]["note"] == text


def test_equal_requests_have_equal_bytes() -> None:
    """
    The order of keys in an alert does not change the bytes.
    """
    assert request_body(a_request(alert={"a": 1, "b": 2})) == request_body(a_request(alert={"b": 2, "a": 1}))


def test_ids_are_never_empty() -> None:
    """
    A request that no orchestrator built still has ids that the contract accepts.
    """
    assert AgentRequest.model_validate_json(request_body(a_request())).run_id == "none"


def test_messages_stand_in_for_turns() -> None:
    """
    A request with messages only sends them as its turns.
    """
    assert len(json.loads(request_body(a_request()))["turns"]) == 1


def test_without_a_stage_there_is_no_request() -> None:
    """
    The contract has no request without a stage.
    """
    with pytest.raises(CapabilityUnsupportedError, match="stage"):
        request_body(a_request(stage=None))


@pytest.mark.parametrize(("size", "tokens"), [(0, 0), (1, 1), (4, 1), (5, 2)])
def test_tokens_are_a_quarter_of_the_bytes(size: int, tokens: int) -> None:
    """
    The estimate is rounded up.
    """
    assert estimated_tokens(size) == tokens
