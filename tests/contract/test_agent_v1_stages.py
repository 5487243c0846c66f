"""The reply's schema narrowed to a stage, which a request carries as a hint."""

from __future__ import annotations

import json

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soclab.contracts.agent_v1 import reply_from_value, reply_schema_for
from soclab.contracts.vocabulary import STAGES, Stage
from tests.contract.agent_v1_judges import EcmaValidator
from tests.contract.agent_v1_replies import call_reply, finding_reply, mutated_replies, refusal_reply

_STAGES_OF_CALLS = [stage for stage in STAGES if stage is not Stage.FORM_FINDING]


def _accepts(stage, reply):
    return EcmaValidator(reply_schema_for(stage)).is_valid(reply)


@pytest.mark.parametrize("stage", _STAGES_OF_CALLS)
def test_a_stage_of_calls_takes_one_call_and_no_finding(stage):
    """
    Where a call is expected, the schema takes a call and neither a finding nor an empty list of calls.
    """
    assert _accepts(stage, call_reply(confidence=0.5, evidence_ids=["alert"]))
    assert not _accepts(stage, finding_reply())
    assert not _accepts(stage, call_reply(tool_calls=[]))


def test_the_finding_stage_takes_a_finding_and_no_call():
    """
    At `form_finding` the schema takes a finding and no call.
    """
    assert _accepts(Stage.FORM_FINDING, finding_reply(techniques=["T1078"]))
    assert not _accepts(Stage.FORM_FINDING, call_reply())


@pytest.mark.parametrize("stage", STAGES)
def test_a_refusal_is_taken_at_every_stage(stage):
    """
    An agent may refuse at any stage.
    """
    assert _accepts(stage, refusal_reply())
    assert not _accepts(stage, refusal_reply() | call_reply())


@given(st.sampled_from(STAGES), mutated_replies())
@settings(max_examples=300, deadline=None)
def test_what_a_stage_takes_is_a_valid_reply(stage, reply):
    """
    Every reply that a narrowed schema accepts is a valid reply.
    """
    if jsonschema_rs.Draft202012Validator(reply_schema_for(stage)).is_valid(reply):
        reply_from_value(reply)


@pytest.mark.parametrize("stage", STAGES)
def test_the_hint_is_a_valid_schema_without_loose_ends(stage):
    """
    The hint is a valid draft 2020-12 schema, and each of its definitions is used.
    """
    schema = reply_schema_for(stage)
    text = json.dumps(schema)

    EcmaValidator.check_schema(schema)
    assert [name for name in schema["$defs"] if f'"#/$defs/{name}"' not in text] == []


@pytest.mark.parametrize("stage", STAGES)
def test_the_hint_holds_no_words_for_people(stage):
    """
    The hint says what is accepted and nothing about who asks or why.
    """
    text = json.dumps(reply_schema_for(stage))

    assert [word for word in ('"description"', '"title"', '"default"', " lab", "test") if word in text] == []


def test_the_hint_is_built_once():
    """
    Asking again for the same stage gives the same object.
    """
    assert reply_schema_for(Stage.COLLECT_SIEM) is reply_schema_for(Stage.COLLECT_SIEM)
