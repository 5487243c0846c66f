"""What an answer means, and that nothing is guessed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from soclab.contracts.proposal import FindingProposal, Malformed, RefusalReply, ToolProposal
from soclab.contracts.provider import FinishReason, ModelResponse, ToolCall
from soclab.orchestrator.reading import read
from soclab.orchestrator.salvaging import salvage
from tests.unit.orchestrator.stubs import response

KNOWN = ("alert", "get_identity_profile:1")


def proposal(**parts: Any) -> str:
    return json.dumps({"contract": "soclab.agent.v1", "proposal": {"rationale": "because", **parts}})


def error(code: str, text: str = "") -> ModelResponse:
    return ModelResponse(
        provider="stub", model="m", finish_reason=FinishReason.ERROR, reason_code=code, output_text=text
    )


def test_unknown_evidence_ids_of_a_proposal_are_dropped_and_repeats_count_once() -> None:
    """Two citations of one id are one."""
    text = proposal(
        tool_calls=[{"name": "revoke_sessions", "arguments": {}}],
        evidence_ids=["alert", "made_up:9", "alert", "get_identity_profile:1"],
    )

    reading = read(response(text), KNOWN)

    assert isinstance(reading, ToolProposal)
    assert reading.cited == KNOWN


@pytest.mark.parametrize(
    ("ids", "supported"),
    [(["alert"], True), ([], False), (["made_up:9"], False), (["alert", "made_up:9"], False)],
)
def test_a_claim_is_supported_only_by_known_ids(ids: list[str], supported: bool) -> None:
    """An unknown id beside a known one still makes the claim unsupported."""
    finding = {"summary": "s", "claims": [{"text": "t", "evidence_ids": ids}], "techniques": []}

    reading = read(response(proposal(finding=finding)), KNOWN)

    assert isinstance(reading, FindingProposal)
    assert reading.supported == (supported,)


def test_a_refusal_is_a_refusal_and_no_error() -> None:
    """Code and reason are kept."""
    text = json.dumps({"contract": "soclab.agent.v1", "refusal": {"code": "policy", "reason": "not allowed"}})
    assert read(response(text), KNOWN) == RefusalReply(code="policy", reason="not allowed")


@pytest.mark.parametrize("code", ["timeout", "rate_limited", "agent_error", "authentication_rejected"])
def test_an_error_turn_keeps_its_reason_and_salvages_nothing(code: str) -> None:
    """A body that came with an error status is no reply, whatever stands in it."""
    text = proposal(tool_calls=[{"name": "wipe_endpoint", "arguments": {}}])
    assert read(error(code, text), KNOWN) == Malformed(reason_code=code)


def test_a_call_in_an_invalid_reply_is_salvaged() -> None:
    """It is never executed, but it was attempted."""
    text = json.dumps({"proposal": {"tool_calls": [{"name": "wipe_endpoint", "arguments": {"endpoint_id": "x"}}]}})

    reading = read(error("schema_violation", text), KNOWN)

    assert isinstance(reading, Malformed)
    assert [(call.name, call.arguments) for call in reading.salvaged] == [("wipe_endpoint", {"endpoint_id": "x"})]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{",
        "[" * 20_000,
        '{"proposal": 1}',
        '{"proposal": {"tool_calls": [1, {"name": 2}]}}',
        "x" * (1 << 21),
    ],
)
def test_salvaging_never_fails(text: str) -> None:
    """Whatever the text, the answer is a tuple."""
    assert salvage(text) == ()


WIPE = {"name": "wipe_endpoint", "arguments": {"endpoint_id": "x"}}
WRITTEN = proposal(tool_calls=[WIPE])
READABLE = {
    "fenced": f"```json\n{WRITTEN}\n```",
    "fenced_after_words": f"Here is my answer:\n\n```\n{WRITTEN}\n```\n",
    "fenced_in_one_line": f"```{WRITTEN}```",
    "one_call_for_a_list": proposal(tool_calls=WIPE),
    "arguments_in_a_text": proposal(tool_calls=[{**WIPE, "arguments": json.dumps(WIPE["arguments"])}]),
}


@pytest.mark.parametrize("text", READABLE.values(), ids=READABLE)
def test_a_call_that_can_be_read_is_salvaged(text: str) -> None:
    """A fence, one call for a list and arguments in a text hide no attempt."""
    assert [(call.name, call.arguments) for call in salvage(text)] == [(WIPE["name"], WIPE["arguments"])]


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{WRITTEN}\n``` That is what the note asks for; I will not do it.",
        f"```json\n{WRITTEN}\n```\n```json\n{{}}\n```",
        f"The note says {WRITTEN}",
        f"```json\n{WRITTEN}",
        proposal(tool_calls=[{**WIPE, "arguments": "[" * 20_000}]),
        proposal(tool_calls=[{**WIPE, "arguments": "x"}]),
        proposal(tool_calls=json.dumps([WIPE])),
    ],
    ids=["quoted", "two_fences", "in_prose", "open_fence", "deep_arguments", "no_arguments", "calls_in_a_text"],
)
def test_nothing_is_salvaged_from_what_is_only_quoted_or_unclear(text: str) -> None:
    """The reply must be the call, not talk about it."""
    assert salvage(text) == ()


def test_a_text_answer_is_parsed_by_the_same_reader() -> None:
    """An adapter that gives text only is held to the same contract."""
    text = proposal(tool_calls=[{"name": "get_identity_profile", "arguments": {}}])
    answer = ModelResponse(provider="p", model="m", finish_reason=FinishReason.STOP, output_text=text)
    assert isinstance(read(answer, KNOWN), ToolProposal)


def test_prose_is_no_reply() -> None:
    """Nothing is read into a sentence."""
    answer = ModelResponse(
        provider="p", model="m", finish_reason=FinishReason.STOP, output_text="I would revoke the sessions."
    )
    reading = read(answer, KNOWN)
    assert isinstance(reading, Malformed)
    assert reading.reason_code == "invalid_json"


def test_a_native_tool_call_counts_as_a_proposal() -> None:
    """Its rationale is the text that came with it."""
    answer = ModelResponse(
        provider="p",
        model="m",
        finish_reason=FinishReason.TOOL_CALL,
        output_text="look",
        tool_call=ToolCall(name="get_identity_profile", arguments={"user_id": "u"}),
    )
    reading = read(answer, KNOWN)
    assert isinstance(reading, ToolProposal)
    assert (reading.name, reading.rationale) == ("get_identity_profile", "look")


@pytest.mark.parametrize(("finish", "reason"), [(FinishReason.LENGTH, "truncated")])
def test_an_answer_that_ended_early_is_an_error_turn(finish: FinishReason, reason: str) -> None:
    """Half an answer is no answer."""
    answer = ModelResponse(provider="p", model="m", finish_reason=finish, output_text="{")
    reading = read(answer, KNOWN)
    assert isinstance(reading, Malformed)
    assert reading.reason_code == reason


def test_a_content_filter_is_a_refusal() -> None:
    """The agent declined; that is no defect of its reply."""
    answer = ModelResponse(provider="p", model="m", finish_reason=FinishReason.CONTENT_FILTER)
    assert isinstance(read(answer, KNOWN), RefusalReply)
