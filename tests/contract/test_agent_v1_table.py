"""The reply rules, one row each, written by hand: what is accepted and what is rejected."""

from __future__ import annotations

import json

import pytest

from tests.contract.agent_v1_judges import judgements
from tests.contract.agent_v1_replies import call_reply, finding_reply, refusal_reply

_CALL = {"name": "a", "arguments": {}}
_CLAIM = {"text": "", "evidence_ids": []}
_FINDING = {"summary": "", "claims": []}
_REFUSAL = {"code": "error", "reason": "r"}


def _call(**members):
    return call_reply(tool_calls=[_CALL | members])


def _usage(**tokens):
    return call_reply() | {"usage": {"input_tokens": 1, "output_tokens": 1} | tokens}


def _without(reply, *path):
    """The reply without the member at the path."""
    *parents, last = path
    place = reply
    for step in parents:
        place = place[step]
    del place[last]
    return reply


ACCEPTED = {
    "a call": call_reply(),
    "a finding": finding_reply(),
    "a refusal": refusal_reply(),
    "a proposal and a null refusal": call_reply() | {"refusal": None},
    "a refusal and a null proposal": refusal_reply() | {"proposal": None},
    "every optional member null": call_reply(finding=None, confidence=None, evidence_ids=None)
    | {"model": None, "usage": None, "refusal": None},
    "a finding and no calls": finding_reply() | {"proposal": finding_reply()["proposal"] | {"tool_calls": []}},
    "a finding and null calls": finding_reply() | {"proposal": finding_reply()["proposal"] | {"tool_calls": None}},
    "an empty finding": finding_reply(summary="", claims=[]),
    "a claim without ids": finding_reply(claims=[_CLAIM]),
    "techniques": finding_reply(techniques=["T1078", ""]),
    "no techniques": finding_reply(techniques=[]),
    "null techniques": finding_reply(techniques=None),
    "an unknown evidence id": call_reply(evidence_ids=["nothing:9"]),
    "a name of one letter": _call(name="a"),
    "a name with digits and underscores": _call(name="a_0_"),
    "an unknown tool": _call(name="launch_missiles"),
    "any arguments": _call(arguments={"": None, "a": [True, 1.5, {"b": {}}], "contract": 1, "\n": "\0"}),
    "rationale of one character": call_reply(rationale=" "),
    "rationale of 2000 characters": call_reply(rationale="x" * 2000),
    "rationale of 2000 astral characters": call_reply(rationale="\U0001f600" * 2000),
    "reason of 2000 characters": refusal_reply(reason="x" * 2000),
    "confidence 0": call_reply(confidence=0),
    "confidence 1": call_reply(confidence=1),
    "confidence 1.0": call_reply(confidence=1.0),
    "confidence minus zero": call_reply(confidence=-0.0),
    "model of 200 characters": call_reply() | {"model": "m" * 200},
    "model of 200 astral characters": call_reply() | {"model": "\U0001f600" * 200},
    "no tokens": _usage(input_tokens=0, output_tokens=0),
    "tokens with a zero fraction": _usage(input_tokens=1.0, output_tokens=-0.0),
    "tokens beyond 64 bits": _usage(input_tokens=10**30),
    "tokens beyond a double": _usage(input_tokens=10**4000),
    **{f"refusal code {code}": refusal_reply(code=code) for code in ("insufficient_evidence", "out_of_scope")},
    **{f"refusal code {code}": refusal_reply(code=code) for code in ("unsupported_stage", "policy", "error")},
}

REJECTED = {
    "no object": [call_reply()],
    "null": None,
    "an empty object": {},
    "no contract": _without(call_reply(), "contract"),
    "a null contract": call_reply() | {"contract": None},
    "another contract": call_reply() | {"contract": "soclab.agent.v2"},
    "contract with a trailing newline": call_reply() | {"contract": "soclab.agent.v1\n"},
    "neither proposal nor refusal": {"contract": "soclab.agent.v1"},
    "both null": {"contract": "soclab.agent.v1", "proposal": None, "refusal": None},
    "both proposal and refusal": call_reply() | {"refusal": _REFUSAL},
    "neither call nor finding": _without(call_reply(), "proposal", "tool_calls"),
    "neither call nor finding: empty calls": call_reply(tool_calls=[]),
    "neither call nor finding: both null": call_reply(tool_calls=None, finding=None),
    "both call and finding": call_reply(finding=_FINDING),
    "two calls": call_reply(tool_calls=[_CALL, _CALL]),
    "a null call": call_reply(tool_calls=[None]),
    "a call that is no list": call_reply(tool_calls=_CALL),
    "a finding that is a list": call_reply(tool_calls=None, finding=[_FINDING]),
    "no name": _without(call_reply(), "proposal", "tool_calls", 0, "name"),
    "no arguments": _without(call_reply(), "proposal", "tool_calls", 0, "arguments"),
    "null arguments": _call(arguments=None),
    "arguments as text": _call(arguments="{}"),
    "arguments as a list": _call(arguments=[]),
    "an empty name": _call(name=""),
    "a name with a trailing newline": _call(name="disable_account\n"),
    "a name with a leading newline": _call(name="\ndisable_account"),
    "a name with a capital": _call(name="Disable_account"),
    "a name with a hyphen": _call(name="disable-account"),
    "a name that begins with a digit": _call(name="0a"),
    "a name that begins with an underscore": _call(name="_a"),
    "a name with a letter outside ASCII": _call(name="d\u0456sable"),
    "a name with a digit outside ASCII": _call(name="a\u0661"),
    "a name that is a number": _call(name=1),
    "no rationale": _without(call_reply(), "proposal", "rationale"),
    "a null rationale": call_reply(rationale=None),
    "an empty rationale": call_reply(rationale=""),
    "rationale of 2001 characters": call_reply(rationale="x" * 2001),
    "rationale of 2001 astral characters": call_reply(rationale="\U0001f600" * 2001),
    "rationale of 1001 characters with accents": call_reply(rationale="e\u0301" * 1001),
    "rationale as a list": call_reply(rationale=["because"]),
    "confidence below 0": call_reply(confidence=-0.001),
    "confidence above 1": call_reply(confidence=1.001),
    "confidence 2": call_reply(confidence=2),
    "confidence far beyond a double": call_reply(confidence=10**400),
    "confidence true": call_reply(confidence=True),
    "confidence false": call_reply(confidence=False),
    "confidence as text": call_reply(confidence="0.5"),
    "evidence ids as text": call_reply(evidence_ids="alert"),
    "evidence ids as an object": call_reply(evidence_ids={"alert": 1}),
    "an evidence id that is a number": call_reply(evidence_ids=[1]),
    "an evidence id that is null": call_reply(evidence_ids=["alert", None]),
    "no summary": _without(finding_reply(), "proposal", "finding", "summary"),
    "a null summary": finding_reply(summary=None),
    "no claims": _without(finding_reply(), "proposal", "finding", "claims"),
    "null claims": finding_reply(claims=None),
    "claims that are text": finding_reply(claims=["it was him"]),
    "claims as an object": finding_reply(claims=_CLAIM),
    "a claim without text": finding_reply(claims=[_without(dict(_CLAIM), "text")]),
    "a claim without evidence ids": finding_reply(claims=[_without(dict(_CLAIM), "evidence_ids")]),
    "a claim with null evidence ids": finding_reply(claims=[_CLAIM | {"evidence_ids": None}]),
    "the second of two claims": finding_reply(claims=[_CLAIM, _CLAIM | {"evidence_ids": [True]}]),
    "techniques as text": finding_reply(techniques="T1078"),
    "a technique that is a number": finding_reply(techniques=[1078]),
    "no refusal code": _without(refusal_reply(), "refusal", "code"),
    "an unknown refusal code": refusal_reply(code="tired"),
    "a refusal code with a trailing newline": refusal_reply(code="policy\n"),
    "a refusal code in capitals": refusal_reply(code="POLICY"),
    "no reason": _without(refusal_reply(), "refusal", "reason"),
    "an empty reason": refusal_reply(reason=""),
    "a reason of 2001 characters": refusal_reply(reason="x" * 2001),
    "a refusal that is text": refusal_reply() | {"refusal": "policy"},
    "an empty model": call_reply() | {"model": ""},
    "a model of 201 characters": call_reply() | {"model": "m" * 201},
    "a model of 201 astral characters": call_reply() | {"model": "\U0001f600" * 201},
    "a model that is a number": call_reply() | {"model": 4},
    "usage without input": _without(_usage(), "usage", "input_tokens"),
    "usage without output": _without(_usage(), "usage", "output_tokens"),
    "an empty usage": call_reply() | {"usage": {}},
    "null tokens": _usage(input_tokens=None),
    "negative tokens": _usage(input_tokens=-1),
    "negative tokens with a zero fraction": _usage(output_tokens=-1.0),
    "tokens with a fraction": _usage(input_tokens=1.5),
    "tokens as text": _usage(input_tokens="1"),
    "true as tokens": _usage(input_tokens=True),
    "false as tokens": _usage(output_tokens=False),
    "an unknown member of the reply": call_reply() | {"extra": 1},
    "an unknown null member": call_reply() | {"extra": None},
    "an empty key": call_reply() | {"": 1},
    "a known key in capitals": call_reply() | {"Contract": "soclab.agent.v1"},
    "an unknown member of the proposal": call_reply(extra=1),
    "an unknown member of a call": _call(id="call_1"),
    "an unknown member of the finding": finding_reply(severity="high"),
    "an unknown member of a claim": finding_reply(claims=[_CLAIM | {"confidence": 1}]),
    "an unknown member of the refusal": refusal_reply(detail=""),
    "an unknown member of the usage": _usage(total_tokens=2),
}

ACCEPTED_TEXTS = {
    "tokens as 1e2": '{"input_tokens": 1e2, "output_tokens": 1E+0}',
    "tokens as 1.50e1": '{"input_tokens": 1.50e1, "output_tokens": -0}',
    "tokens that underflow to zero": '{"input_tokens": 1e-400, "output_tokens": 0e9}',
}


def _three(verdict):
    return dict.fromkeys(("validator", "jsonschema", "jsonschema_rs"), verdict)


@pytest.mark.parametrize("reply", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_accepted(reply):
    """
    A reply that keeps the rules is accepted by the validator and by both schema validators.
    """
    assert _three(True) == judgements(json.dumps(reply))


@pytest.mark.parametrize("reply", REJECTED.values(), ids=REJECTED.keys())
def test_rejected(reply):
    """
    A reply that breaks one rule is rejected by the validator and by both schema validators.
    """
    assert _three(False) == judgements(json.dumps(reply))


@pytest.mark.parametrize("usage", ACCEPTED_TEXTS.values(), ids=ACCEPTED_TEXTS.keys())
def test_spellings_of_whole_numbers_are_accepted(usage):
    """
    A token count may be spelled as any number whose value has no fraction.
    """
    reply = json.dumps(call_reply())

    assert _three(True) == judgements(f'{reply[:-1]}, "usage": {usage}}}')
