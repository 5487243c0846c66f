"""Replies for tests: valid ones, and ones that differ from a valid one in a few places."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

__all__ = ["call_reply", "finding_reply", "mutated_replies", "refusal_reply", "valid_replies"]


def call_reply(**proposal: Any) -> dict[str, Any]:
    """A valid reply with one tool call; members of the proposal are added or replaced."""
    call = {"name": "get_identity_profile", "arguments": {"user_id": "maria.ortega"}}
    return {
        "contract": "soclab.agent.v1",
        "proposal": {"tool_calls": [call], "rationale": "Whose account is it?"} | proposal,
    }


def finding_reply(**finding: Any) -> dict[str, Any]:
    """A valid reply with a finding; members of the finding are added or replaced."""
    claims = [{"text": "A sign-in from a new country.", "evidence_ids": ["alert"]}]
    proposal = {"finding": {"summary": "One account.", "claims": claims} | finding, "rationale": "As seen."}
    return {"contract": "soclab.agent.v1", "proposal": proposal}


def refusal_reply(**refusal: Any) -> dict[str, Any]:
    """A valid refusal; members of it are added or replaced."""
    return {"contract": "soclab.agent.v1", "refusal": {"code": "policy", "reason": "Not allowed here."} | refusal}


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
_texts = st.lists(st.text(max_size=8), max_size=3)
_sentence = st.text(min_size=1, max_size=20)
_call = st.fixed_dictionaries(
    {
        "name": st.from_regex(r"[a-z][a-z0-9_]*", fullmatch=True),
        "arguments": st.dictionaries(st.text(max_size=5), _json, max_size=3),
    }
)
_claim = st.fixed_dictionaries({"text": st.text(max_size=20), "evidence_ids": _texts})
_finding = st.fixed_dictionaries(
    {"summary": st.text(max_size=20), "claims": st.lists(_claim, max_size=3)},
    optional={"techniques": st.none() | _texts},
)
_of_any_proposal = {
    "confidence": st.none() | st.integers(0, 1) | st.floats(0, 1),
    "evidence_ids": st.none() | _texts,
}
_proposal = st.fixed_dictionaries(
    {"rationale": _sentence, "tool_calls": st.lists(_call, min_size=1, max_size=1)},
    optional=_of_any_proposal | {"finding": st.none()},
) | st.fixed_dictionaries(
    {"rationale": _sentence, "finding": _finding},
    optional=_of_any_proposal | {"tool_calls": st.none() | st.just([])},
)
_refusal = st.fixed_dictionaries(
    {
        "code": st.sampled_from(["insufficient_evidence", "out_of_scope", "unsupported_stage", "policy", "error"]),
        "reason": _sentence,
    }
)
_tokens = st.integers(min_value=0) | st.integers(0, 2**60).map(float) | st.sampled_from([1e300, 10**400, 0.0])
_of_any_reply = {
    "model": st.none() | st.text(min_size=1, max_size=10),
    "usage": st.none() | st.fixed_dictionaries({"input_tokens": _tokens, "output_tokens": _tokens}),
}
_contract = {"contract": st.just("soclab.agent.v1")}
valid_replies = st.fixed_dictionaries(
    _contract | {"proposal": _proposal}, optional=_of_any_reply | {"refusal": st.none()}
) | st.fixed_dictionaries(_contract | {"refusal": _refusal}, optional=_of_any_reply | {"proposal": st.none()})

_a_call = {"name": "a", "arguments": {}}
_a_finding = {"summary": "", "claims": []}
_other_values = st.sampled_from(
    [
        *(None, True, False, 0, 1, -1, 2, 10**30, -(10**30), 0.0, -0.0, 1.0, 1e2, 0.5, 1.5, -0.5, 1e300, 1.0000000001),
        *("", "a", "A", "a\n", "\na", "a-b", "0a", "a0_", "soclab.agent.v1", "soclab.agent.v2", "policy", "1", "true"),
        *("x" * 200, "x" * 201, "x" * 2000, "x" * 2001, "\U0001f600" * 200, "\U0001f600" * 201),
        *("\U0001f600" * 2000, "\U0001f600" * 2001, "e\u0301" * 1000, "e\u0301" * 1001, "\0", "\ufffe"),
        *([], [None], ["alert"], [1], [[]], [_a_call], [_a_call, _a_call], {}, {"": None}, _a_call, _a_finding),
        *(
            {"code": "error", "reason": "r"},
            {"input_tokens": 1.0, "output_tokens": 1e2},
            {"text": "", "evidence_ids": []},
        ),
        {"rationale": "r", "tool_calls": [_a_call]},
    ]
).map(copy.deepcopy)  # since a later change may go into the value
_known_keys = st.sampled_from(
    [
        *("contract", "proposal", "refusal", "model", "usage", "tool_calls", "finding", "rationale", "confidence"),
        *("evidence_ids", "name", "arguments", "summary", "claims", "techniques", "text", "code", "reason"),
        *("input_tokens", "output_tokens", "extra", "", "Contract", "contract "),
    ]
)


@st.composite
def mutated_replies(draw: st.DrawFn) -> Any:
    """A valid reply after zero to three changes: something in it replaced, dropped, added or doubled."""
    box = [copy.deepcopy(draw(valid_replies))]
    for _ in range(draw(st.integers(0, 3))):
        container, key = draw(st.sampled_from(_places(box)))
        _change(draw, container, key, can_drop=container is not box)
    return box[0]


def _places(box: list[Any]) -> list[tuple[Any, Any]]:
    """(container, key or index) of every value in the box, the reply itself first."""
    found: list[tuple[Any, Any]] = [(box, 0)]
    for container, key in found:
        value = container[key]
        if isinstance(value, dict):
            found += [(value, name) for name in value]
        elif isinstance(value, list):
            found += [(value, index) for index in range(len(value))]
    return found


def _change(draw: st.DrawFn, container: Any, key: Any, *, can_drop: bool) -> None:
    value = container[key]
    match draw(st.sampled_from(["replace", "drop", "add", "double"])):
        case "drop" if can_drop:
            del container[key]
        case "add" if isinstance(value, dict):
            value[draw(_known_keys)] = draw(_other_values)
        case "add" if isinstance(value, list):
            value.append(draw(_other_values))
        case "double" if isinstance(value, list) and value:
            value.append(copy.deepcopy(value[-1]))
        case _:
            container[key] = draw(_other_values)
