"""An answer of an OPA server is a decision, or it is a denial that says why it is none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soclab.contracts.policy import FAULTS, PolicyDecision
from soclab.contracts.vocabulary import Decision
from soclab.policy.engine import NO_DECISION, POLICY_ERROR
from soclab.policy.opa_answer import read_answer, told_revision

ALLOW = {"decision": "allow", "reasons": [], "holds": [], "obligations": ["redact_output"]}


def body(result=ALLOW, **beside):
    return json.dumps({"result": result, **beside}).encode()


@pytest.mark.parametrize(
    ("result", "decision"),
    [
        (ALLOW, PolicyDecision.of(obligations=["redact_output"])),
        ({"decision": "allow"}, PolicyDecision.of()),
        ({"decision": "hold", "holds": ["approval_required"]}, PolicyDecision.of(holds=["approval_required"])),
        (
            {"decision": "deny", "reasons": ["b", "a", "b"], "holds": ["approval_required"]},
            PolicyDecision.of(reasons=["a", "b"], holds=["approval_required"]),
        ),
    ],
)
def test_a_decision_is_taken_as_it_is(result, decision):
    """Codes are put in order; lists that are missing are empty."""
    assert read_answer(body(result)) == decision


def test_what_opa_says_beside_a_decision_is_no_fault():
    """An id for its decision log, provenance, metrics, a warning."""
    answer = body(decision_id="x", provenance={"version": "1.0"}, metrics={}, warning={"code": "api_usage_warning"})
    assert read_answer(answer).decision is Decision.ALLOW


@pytest.mark.parametrize(
    "raw", [b"{}", b'{"decision_id":"x"}', b'{"provenance":{"version":"1"}}'], ids=["empty", "id", "provenance"]
)
def test_an_undefined_rule_is_no_decision(raw):
    """The package is not loaded, or its rule says nothing about these facts."""
    answer = read_answer(raw)
    assert (answer.decision, answer.reasons) == (Decision.DENY, (NO_DECISION,))
    assert "undefined" in answer.fault


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"null",
        b"[]",
        b'"allow"',
        b"<html>",
        b"\xff\xfe",
        b'{"result":{"decision":"allow"},"result":{"decision":"deny"}}',
        b'{"result":{"decision":"deny","decision":"allow"}}',
        body()[:-1],
        body() + b"{}",
        b'{"results":{"decision":"allow"}}',
        body(extra=1),
        *(
            body(one)
            for one in (
                None,
                True,
                "allow",
                ["allow"],
                {},
                {"reasons": []},
                {"decision": "Allow"},
                {"decision": "permit"},
                {"decision": True},
                {"decision": None},
                {"decision": ["allow"]},
                {"decision": "allow", "because": "x"},
                {"decision": "allow", "reasons": None},
                {"decision": "allow", "reasons": {}},
                {"decision": "allow", "reasons": ["no"]},
                {"decision": "allow", "holds": ["approval_required"]},
                {"decision": "hold"},
                {"decision": "hold", "reasons": ["no"], "holds": ["approval_required"]},
                {"decision": "deny"},
                {"decision": "deny", "holds": ["approval_required"]},
                {"decision": "deny", "reasons": "no"},
                {"decision": "deny", "reasons": [1]},
                {"decision": "deny", "reasons": [None]},
                {"decision": "deny", "reasons": [""]},
                {"decision": "deny", "reasons": ["No"]},
                {"decision": "deny", "reasons": ["no "]},
                {"decision": "deny", "reasons": ["x" * 65]},
                {"decision": "deny", "reasons": ["no\x1b[2J"]},
                {"decision": "deny", "reasons": [f"r{number}" for number in range(65)]},
                {"decision": "deny", "reasons": ["policy_unavailable"]},
                {"decision": "hold", "holds": ["policy_error"]},
                {"decision": "allow", "obligations": "redact_output"},
            )
        ),
    ],
)
def test_what_is_no_decision_is_denied(raw):
    """Not JSON, of another shape, of an unknown word, or at odds with itself; nothing of it is repeated."""
    answer = read_answer(raw)
    assert (answer.decision, answer.reasons) == (Decision.DENY, (POLICY_ERROR,))
    assert answer.fault.startswith("OPA's answer is no decision: ")
    assert answer.fault.isprintable()
    assert "x1b" not in answer.fault


@given(st.binary() | st.recursive(st.none() | st.booleans() | st.text(), st.lists).map(body))
def test_whatever_comes_is_read_without_a_fault_of_ours(raw):
    """Bytes and values of any kind: a denial that says what is wrong."""
    answer = read_answer(raw)
    assert answer.decision is Decision.DENY
    assert answer.fault
    assert FAULTS.issuperset(answer.reasons)


@pytest.mark.parametrize(
    ("provenance", "revision"),
    [
        ({"version": "1.0", "bundles": {"soc": {"revision": "r1"}}}, {"soc": "r1"}),
        ({"version": "1.0", "revision": "old"}, "old"),
        ({"version": "1.0", "bundles": {"soc": {"revision": ""}}}, None),
        ({"version": "1.0", "bundles": {}}, None),
        ({"bundles": ["x"]}, None),
        ("r1", None),
    ],
)
def test_the_revision_is_that_of_the_bundles(provenance, revision):
    """A server without bundles has none."""
    assert told_revision(body(provenance=provenance)) == revision
    assert told_revision(body()) is None
