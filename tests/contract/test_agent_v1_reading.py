"""What reading a reply gives: the model, or why there is none."""

from __future__ import annotations

import json
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soclab.contracts.agent_v1 import (
    CONTRACT_ID,
    AgentReply,
    AgentRequest,
    ReplyRejected,
    read_reply,
    reply_from_value,
)
from soclab.contracts.vocabulary import ErrorCode
from tests.contract.agent_v1_replies import call_reply, finding_reply, mutated_replies, refusal_reply


def _rejection(reply):
    with pytest.raises(ReplyRejected) as rejected:
        read_reply(json.dumps(reply).encode())
    return rejected.value


def test_the_value_is_read_as_it_stands():
    """
    Text, ids and arguments arrive unchanged, lists as tuples.
    """
    reply = read_reply(json.dumps(finding_reply(techniques=["T1078"])).encode())

    assert reply.proposal.finding.summary == "One account."
    assert reply.proposal.finding.claims[0].evidence_ids == ("alert",)
    assert reply.proposal.finding.techniques == ("T1078",)


@pytest.mark.parametrize("techniques", [{}, {"techniques": None}, {"techniques": []}], ids=["absent", "null", "empty"])
def test_techniques_left_out_are_none(techniques):
    """
    A finding without techniques, or with null, has an empty tuple of them.
    """
    assert reply_from_value(finding_reply(**techniques)).proposal.finding.techniques == ()


def test_whole_numbers_become_integers():
    """
    Token counts spelled with a point or an exponent are integers afterwards.
    """
    usage = reply_from_value(refusal_reply() | {"usage": {"input_tokens": 1e2, "output_tokens": 7.0}}).usage

    assert repr((usage.input_tokens, usage.output_tokens)) == "(100, 7)"


def test_confidence_becomes_a_float():
    """
    A confidence of 1 is the number 1.0 afterwards.
    """
    assert repr(reply_from_value(call_reply(confidence=1)).proposal.confidence) == "1.0"


def test_a_read_reply_survives_its_own_json():
    """
    A reply written as JSON by its model is read as the same reply.
    """
    reply = reply_from_value(call_reply(confidence=0.5, evidence_ids=["alert"]))

    assert reply == read_reply(reply.model_dump_json().encode())


@pytest.mark.parametrize("raw", [b"", b"\xef\xbb\xbf{}", b'{"a": 1, "a": 2}', b"[1e400]", rb'"\ud800"'])
def test_bytes_that_the_decoder_refuses_are_invalid_json(raw):
    """
    What the decoder refuses has the code `invalid_json` and no value.
    """
    with pytest.raises(ReplyRejected) as rejected:
        read_reply(raw)

    assert ErrorCode.INVALID_JSON is rejected.value.code
    assert rejected.value.detail
    assert rejected.value.value is None


@pytest.mark.parametrize("value", [None, True, 1, 1.5, "{}", [], [{}]], ids=repr)
def test_json_that_is_no_object_breaks_the_schema(value):
    """
    A JSON value that is no object is JSON, so its code is `schema_violation`.
    """
    assert (
        _rejection(value).code,
        _rejection(value).detail,
    ) == (ErrorCode.SCHEMA_VIOLATION, "reply: must be an object")


DETAILS = {
    "missing": (
        {"proposal": call_reply()["proposal"]},
        "contract: required",
    ),
    "deep": (
        call_reply(tool_calls=[{"name": "A", "arguments": []}]),
        "proposal.tool_calls[0].name: must match ^[a-z][a-z0-9_]*$; "
        "proposal.tool_calls[0].arguments: must be an object",
    ),
    "list item": (
        finding_reply(claims=[{"text": "t", "evidence_ids": ["alert", 7]}]),
        "proposal.finding.claims[0].evidence_ids[1]: must be a string",
    ),
    "numbers": (
        call_reply(confidence=1.5) | {"usage": {"input_tokens": -3, "output_tokens": 2.5}},
        "proposal.confidence: must be at most 1; usage.input_tokens: must be at least 0; "
        "usage.output_tokens: must be a whole number",
    ),
    "kinds": (
        call_reply(evidence_ids="alert", confidence="high", tool_calls={}),
        "proposal.tool_calls: must be an array; proposal.confidence: must be a number; "
        "proposal.evidence_ids: must be an array",
    ),
    "lengths": (
        refusal_reply(reason="") | {"model": "m" * 201},
        "refusal.reason: must have at least 1 character; model: must have at most 200 characters",
    ),
    "two calls": (
        call_reply(tool_calls=[{"name": "a", "arguments": {}}] * 2),
        "proposal.tool_calls: must have at most 1 item",
    ),
    "choices": (
        refusal_reply(code="tired") | {"contract": "v2"},
        "contract: must be 'soclab.agent.v1'; refusal.code: must be 'insufficient_evidence', 'out_of_scope', "
        "'unsupported_stage', 'policy' or 'error'",
    ),
    "unknown": (
        call_reply(extra=1),
        "proposal.extra: unknown field",
    ),
    "neither": (
        {"contract": "soclab.agent.v1"},
        "reply: exactly one of proposal and refusal is required",
    ),
    "both": (
        call_reply(finding={"summary": "", "claims": []}),
        "proposal: exactly one of tool_calls and finding is required",
    ),
}


@pytest.mark.parametrize(("reply", "detail"), DETAILS.values(), ids=DETAILS.keys())
def test_the_detail_names_the_field_and_the_rule(reply, detail):
    """
    The detail says which field breaks which rule, in the words of the contract.
    """
    assert detail == _rejection(reply).detail


def test_the_rejected_value_is_handed_over():
    """
    A value that breaks the schema comes with the rejection, so that it can still be searched.
    """
    assert call_reply(extra=1) == _rejection(call_reply(extra=1)).value


def test_at_most_five_paths_are_named():
    """
    Many faults give five paths and the number of the others.
    """
    detail = _rejection({f"k{n}": n for n in range(20)}).detail

    assert detail.count("unknown field") == 4
    assert detail.endswith("; and 16 more")


def test_thousands_of_faults_are_only_counted():
    """
    A reply with thousands of faults gives their number.
    """
    reply = {"contract": "soclab.agent.v1"} | {f"k{n}": n for n in range(5000)}

    assert _rejection(reply).detail == "reply: 5000 fields are unknown, missing or of a wrong kind"


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        ("two words", "'two words'"),
        ("\x1b[2J", r"'\x1b[2J'"),
        ("\u202eevil", r"'\u202eevil'"),
        ("a.b[0]", "'a.b[0]'"),
        ("", "''"),
        ("k" * 60, "k" * 60),
        ("k" * 61, "'" + "k" * 60 + "'..."),
        ("\U0001f600" * 60, "'" + r"\U0001f600" * 6 + "'..."),
    ],
)
def test_a_key_of_the_agent_is_escaped_and_cut(key, shown):
    """
    An unknown key is hostile text: it is quoted, escaped and cut.
    """
    assert f"{shown}: unknown field" == _rejection(call_reply() | {key: 1}).detail


@given(mutated_replies(), st.text(alphabet="\x00\x1b\n\u202e\u2028\U000e0041\ufeff", min_size=1, max_size=30))
@settings(deadline=None)
def test_the_detail_is_one_printable_bounded_line(reply, hostile):
    """
    Whatever stands in the reply, the detail is one line of printable ASCII of bounded length.
    """
    value = [hostile] if not isinstance(reply, dict) else reply | {hostile: hostile, "proposal": {hostile: hostile}}

    detail = _rejection(value).detail

    assert detail.isascii()
    assert detail.isprintable()
    assert len(detail) < 1000


def test_no_value_of_the_reply_is_in_the_detail():
    """
    A text put in every place of a reply appears nowhere in the detail, nor in the text of the error.
    """
    secret = "MARKER"
    proposal = {"rationale": [secret], "confidence": secret, "evidence_ids": secret, "tool_calls": [secret]}
    replies = [
        secret,
        {"contract": secret, "proposal": proposal},
        {"contract": secret, "refusal": {"code": secret, "reason": [secret]}, "model": [secret], "usage": secret},
        call_reply(tool_calls=[{"name": f"{secret} !", "arguments": secret}]),
        call_reply() | {"usage": {"input_tokens": secret, "output_tokens": [secret]}},
    ]

    told = [f"{each.detail} {each} {each!r}" for each in map(_rejection, replies)]

    assert [text for text in told if secret in text] == []


def test_the_contract_id_stands_in_both_models():
    """
    The id of the contract is the only value that request and reply take.
    """
    annotations = [model.model_fields["contract"].annotation for model in (AgentRequest, AgentReply)]

    assert [get_args(annotation) for annotation in annotations] == [(CONTRACT_ID,), (CONTRACT_ID,)]
