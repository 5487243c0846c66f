"""The request: what the lab sends fits the published schema, and agents may meet members they do not know."""

from __future__ import annotations

import copy

import jsonschema_rs
import pytest

from soclab.contracts.agent_v1 import AgentContext, AgentRequest, ToolOffer, Turn, reply_schema_for
from soclab.contracts.publish import PUBLISHED
from soclab.contracts.vocabulary import STAGES, Role, Stage, Trust
from tests.contract.agent_v1_judges import EcmaValidator

_SCHEMA = PUBLISHED["schemas/agent-v1/request.schema.json"]()
_JUDGES = [EcmaValidator(_SCHEMA), jsonschema_rs.Draft202012Validator(_SCHEMA)]


def _request(stage=Stage.COLLECT_IDENTITY, **members):
    offer = ToolOffer(
        name="get_identity_profile",
        description="The directory profile of a user.",
        arguments_schema={
            "type": "object",
            "properties": {"user_id": {"type": "string"}},
            "required": ["user_id"],
            "additionalProperties": False,
        },
    )
    request = AgentRequest(
        contract="soclab.agent.v1",
        run_id="r-1",
        trace_id="t-1",
        incident_id="i-1",
        stage=stage,
        instruction="Look up the account.",
        system_prompt="You are an analyst.",
        context=AgentContext(alert={"user": "maria.ortega", "count": 3}, evidence_ids=("alert",)),
        tools=(offer,),
        turns=(
            Turn(role=Role.USER, content='{"alert": {}}', trust=Trust.UNTRUSTED),
            Turn(role=Role.TOOL, content="{}", trust=Trust.UNTRUSTED, tool_name="get_identity_profile"),
        ),
        response_schema=reply_schema_for(stage),
        max_output_tokens=1024,
        temperature=0.0,
    )
    return request.model_dump(mode="json") | members


def _places(value):
    """The request and every object in it that the contract names."""
    return [value, value["context"], *value["tools"], *value["turns"]]


@pytest.mark.parametrize("stage", STAGES)
def test_what_the_lab_sends_fits_the_schema(stage):
    """
    A request of any stage is valid for both schema validators.
    """
    assert [judge.is_valid(_request(stage)) for judge in _JUDGES] == [True, True]


def test_a_request_without_a_hint_fits_the_schema():
    """
    The response schema is a hint and may be null; a stage without tools has an empty list.
    """
    assert [judge.is_valid(_request(response_schema=None, tools=[])) for judge in _JUDGES] == [True, True]


@pytest.mark.parametrize("place", range(5))
def test_unknown_members_are_allowed_at_every_level(place):
    """
    A member that a later version adds leaves the request valid, wherever it stands.
    """
    request = _request()
    _places(request)[place]["added_later"] = {"anything": [1]}

    assert [judge.is_valid(request) for judge in _JUDGES] == [True, True]


def test_the_places_are_all_places():
    """
    The test above adds to the request, its context, its tool and both of its turns.
    """
    assert len(_places(_request())) == 5


@pytest.mark.parametrize("member", sorted(_request()))
def test_every_member_of_a_request_is_promised(member):
    """
    A request without one of its members breaks the schema, so that agents may rely on each.
    """
    request = copy.deepcopy(_request())
    del request[member]

    assert [judge.is_valid(request) for judge in _JUDGES] == [False, False]


@pytest.mark.parametrize("member", ["run_id", "trace_id", "incident_id"])
def test_ids_are_not_empty(member):
    """
    A correlation id has at least one character.
    """
    assert [judge.is_valid(_request(**{member: ""})) for judge in _JUDGES] == [False, False]


def test_a_request_is_read_back_by_its_model():
    """
    The JSON of a request gives the same request again.
    """
    request = AgentRequest.model_validate_json(AgentRequest.model_validate(_request(), strict=False).model_dump_json())

    assert _request() == request.model_dump(mode="json")
