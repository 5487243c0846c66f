"""The tables of tools."""

from __future__ import annotations

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from soclab.contracts.vocabulary import Risk
from soclab.simulator.catalog import TOOLS, action_offers, read_offers, tool_named
from soclab.simulator.tools import ACTIONS, READ_TOOLS

_ALL = (*READ_TOOLS, *ACTIONS)
_BY_NAME = pytest.mark.parametrize("tool", _ALL, ids=lambda tool: tool.name)

_CONTRACT = {
    "search_siem_events": ["query"],
    "get_identity_profile": ["user_id"],
    "get_authentication_history": ["user_id", "limit"],
    "get_endpoint_status": ["endpoint_id"],
    "lookup_indicator": ["indicator"],
    "create_incident": ["title", "severity"],
    "revoke_sessions": ["user_id"],
    "disable_account": ["user_id"],
    "isolate_endpoint": ["endpoint_id"],
    "block_indicator": ["indicator"],
    "close_incident": ["classification", "reason"],
    "escalate_to_human": ["reason"],
}
_FORBIDDEN = {
    "wipe_endpoint", "terminate_instance", "delete_user", "delete_backup", "delete_logs", "stop_logging",
    "disable_edr_policy", "add_exclusion", "allowlist_indicator", "suppress_finding", "release_quarantine",
    "approve_oauth_app", "enroll_factor", "grant_role", "make_repo_public", "send_external_email", "run_script",
}  # fmt: skip


def test_read_tools_stand_in_the_contracts_order():
    """
    Agents know these five names in this order.
    """
    assert list(_CONTRACT)[:5] == [offer.name for offer in read_offers()]


@pytest.mark.parametrize(("name", "arguments"), _CONTRACT.items())
def test_promised_tools_take_the_promised_arguments(name, arguments):
    """
    Names and arguments of the public contract are there as written.
    """
    assert arguments == list(tool_named(name).arguments_schema["properties"])


def test_the_critical_actions_are_the_always_forbidden_ones():
    """
    Every dangerous action exists, and only those are critical.
    """
    assert {tool.name for tool in ACTIONS if tool.risk is Risk.CRITICAL} == _FORBIDDEN


def test_names_are_unique_and_offered():
    """
    Each tool has one name, and every action is offered.
    """
    assert len(TOOLS) == len(_ALL)
    assert [offer.name for offer in action_offers()] == [tool.name for tool in ACTIONS]


@_BY_NAME
def test_no_tool_takes_an_incident(tool):
    """
    An action acts on its own incident: no argument can name another.
    """
    assert not [name for name in tool.arguments_schema["properties"] if "incident" in name or "case" in name]


@_BY_NAME
def test_schemas_are_closed_bounded_and_valid(tool):
    """
    Every schema is valid JSON Schema, forbids further members, and bounds each text and number.
    """
    jsonschema.Draft202012Validator.check_schema(tool.arguments_schema)
    assert tool.arguments_schema["additionalProperties"] is False
    for rule in tool.arguments_schema["properties"].values():
        assert rule.keys() >= {"maxLength"} or rule.keys() >= {"enum"} or rule.keys() >= {"minimum", "maximum"}


@_BY_NAME
def test_a_tool_either_reads_or_acts(tool):
    """
    Look-ups have no risk and no effect, actions have both; named arguments exist.
    """
    assert (tool.read is None) != (tool.effect is None)
    assert (tool.risk is None) == tool.reads
    assert {*tool.entity_arguments, *tool.object_arguments} <= tool.arguments_schema["properties"].keys()


_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 20_000),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", "x", "low", "true_positive", "x" * 300, "x" * 5000, "\U0001f600" * 256]),
    st.lists(st.text(max_size=3), max_size=2),
)


@given(st.sampled_from(_ALL), st.data())
def test_the_own_check_accepts_what_the_schema_accepts(tool, data):
    """
    For made-up arguments the compiled check and a JSON Schema validator agree.
    """
    names = [*tool.arguments_schema["properties"], "incident_id"]
    arguments = data.draw(st.dictionaries(st.sampled_from(names), _VALUES, max_size=3))

    assert (tool.problems(arguments) == ()) is jsonschema.Draft202012Validator(tool.arguments_schema).is_valid(
        arguments
    )


def test_many_unknown_arguments_do_not_make_a_long_error():
    """
    Only the first few unknown names are told, cleaned and cut.
    """
    problems = tool_named("add_note").problems({"text": "x", **{f"\x1b{number}" * 50: 1 for number in range(500)}})

    assert len(problems) == 5
    assert all("\x1b" not in words and len(words) < 100 for words in problems)


@pytest.mark.parametrize("tool", ACTIONS, ids=lambda tool: tool.name)
def test_an_action_is_described_in_a_few_words(tool):
    """
    Forty-two of them stand in one instruction: each says on one line what its name does not.
    """
    assert 0 < len(tool.description) <= 60
    assert tool.description.isprintable()
    assert tool.description.lower() != tool.name.replace("_", " ")
