"""
A whole campaign against agents that are dead or mad: errors with their reason, never "resisted", never green.

Each agent stands behind a real socket and echoes the token wherever it can.
"""

from __future__ import annotations

import gzip
import json
import socket
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable

import pytest

from tests.contract.providers.misbehaving_agent import (
    Behaviour,
    MisbehavingAgent,
    SeenRequest,
    drips,
    replies,
    resets,
    says,
)
from tests.integration.commands import Finished, places_with, spellings
from tests.plugin.lab import Lab

TOKEN = "tok-7f/3+Qz_0123456789.abcdef?x"
SCENARIOS = ("ATK-001", "ATK-041", "BEN-001")
ECHO = json.dumps({"you sent": f"Authorization: Bearer {TOKEN}"}).encode()
OK = b'{"contract": "soclab.agent.v1", "proposal": {"rationale": "'


def echoes_header(connection: socket.socket, request: SeenRequest) -> None:
    """401 with the header it was sent, in the body and in a header."""
    sent = request.headers.get("authorization", "")
    connection.sendall(replies(json.dumps({"sent": sent}).encode(), "401 Unauthorized", f"X-Sent: {sent}"))


def bomb() -> bytes:
    return replies(gzip.compress(b" " * 80_000_000, 9), "200 OK", "Content-Encoding: gzip")


BROKEN: dict[str, tuple[Behaviour, str]] = {
    "answers 500": (says(replies(ECHO, "500 Internal Server Error")), "agent_error"),
    "401 that echoes the header": (echoes_header, "authentication_rejected"),
    "302": (says(replies(ECHO, "302 Found", "Location: http://127.0.0.1:9/")), "unexpected_status"),
    "429": (says(replies(ECHO, "429 Too Many Requests", "Retry-After: 0")), "rate_limited"),
    "slow drip": (drips(b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n{"), "timeout"),
    "5 MB": (says(replies(b'{"a": "' + b"x" * 5_000_000 + b'"}')), "reply_too_large"),
    "gzip bomb": (says(bomb()), "reply_too_large"),
    "20,000-deep JSON": (says(replies(b"[" * 20_000 + b"]" * 20_000)), "invalid_json"),
    "lone surrogate in a value": (says(replies(OK + b'\\ud800"}}')), "invalid_json"),
    "lone surrogate in a key": (says(replies(b'{"\\udfff": 1}')), "invalid_json"),
    "truncated body": (says(replies(ECHO + b" " * 50)[:-50]), "truncated"),
    "NaN": (says(replies(b'{"contract": NaN}')), "invalid_json"),
    "duplicate keys": (says(replies(b'{"contract": 1, "contract": 2}')), "invalid_json"),
    "cookies": (says(replies(b"{}", "200 OK", f"Set-Cookie: token={TOKEN}")), "schema_violation"),
    "a reset after the request": (resets, "transport_error"),
    "echo as reply": (says(replies(ECHO)), "schema_violation"),
}


@pytest.fixture
def answered_for(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Finished]:
    """Leads a campaign against a URL, in this process or apart, and gives what it left behind, written to `out`."""

    def lead(url: str, *options: str, apart: bool = False, seconds: float = 30) -> Finished:
        monkeypatch.setenv("SOCLAB_HTTP_AGENT_URL", url)
        monkeypatch.setenv("SOCLAB_HTTP_AGENT_TOKEN", TOKEN)
        monkeypatch.setenv("SOCLAB_HTTP_AGENT_TIMEOUT_SECONDS", str(seconds))
        result = (lab.run_apart if apart else lab.run)("--soclab-provider", "http", "--soclab-out", "out", *options)
        return Finished(int(result.ret), f"{result.stdout}\n{result.stderr}", lab.path)

    return lead


SOME = tuple(word for one in SCENARIOS for word in ("--soclab-scenario", one))
LOUD = (*SOME, "--showlocals", "--tb=long", "-vv", "-rA", "--junitxml=junit.xml")


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_agent_is_inconclusive_with_its_reason_and_red(
    name: str, answered_for: Callable[..., Finished]
) -> None:
    """One request a run, an error turn with its reason code, nothing resisted, exit 1, the token nowhere."""
    behaviour, reason = BROKEN[name]
    with MisbehavingAgent(behaviour) as agent:
        finished = answered_for(agent.url, *LOUD, seconds=0.5 if reason == "timeout" else 30)

    runs = finished.scorecard()["scenarios"]
    seen = {one["id"]: (one["outcome"], one["reason_code"]) for one in runs}
    assert seen == dict.fromkeys(SCENARIOS, ("inconclusive", reason))
    assert finished.status == 1
    assert len(agent.requests) == len(SCENARIOS)
    assert all("cookie" not in request.headers for request in agent.requests)
    assert places_with(spellings(TOKEN), finished) == []


def test_an_agent_that_is_switched_off_is_inconclusive_and_red(answered_for: Callable[..., Finished]) -> None:
    """Nobody listens: transport errors, and after five of them no more calls."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    finished = answered_for(url)

    runs = finished.scorecard()["scenarios"]
    assert finished.status == 1
    assert {one["outcome"] for one in runs} == {"inconclusive"}
    reasons = Counter(one["reason_code"] for one in runs)
    assert set(reasons) == {"transport_error", "agent_unreachable"}
    assert reasons["transport_error"] >= 5
    assert places_with(spellings(TOKEN), finished) == []


def test_errors_stand_apart_from_failures(answered_for: Callable[..., Finished]) -> None:
    """JUnit and the terminal count a dead agent as errors, and not as failures of items."""
    with MisbehavingAgent(says(replies(b"", "503 Service Unavailable"))) as agent:
        finished = answered_for(agent.url, *LOUD)

    suite = ElementTree.parse(finished.folder / "junit.xml").getroot().find("testsuite")
    assert suite is not None
    assert int(suite.get("errors", "0")) == len(SCENARIOS)
    failed = [case.get("name") for case in suite.iter("testcase") if case.find("failure") is not None]
    assert all("gate" in str(name) for name in failed)
    assert "agent_error" in finished.output


@pytest.mark.parametrize("mode", ["baseline", "protected"])
def test_a_foreign_model_label_is_said_with_what_to_do(mode: str, answered_for: Callable[..., Finished]) -> None:
    """An agent that names another model is told from the approved one, and how to approve it."""
    refusal = {"contract": "soclab.agent.v1", "refusal": {"code": "policy", "reason": "no"}, "model": "other-7"}
    with MisbehavingAgent(says(replies(json.dumps(refusal).encode()))) as agent:
        finished = answered_for(agent.url, *LOUD, "--soclab-mode", mode)

    assert "its model is 'other-7'" in finished.output
    assert "give --soclab-model other-7" in finished.output
    assert finished.status == 1


def test_a_token_as_model_label_is_masked(answered_for: Callable[..., Finished]) -> None:
    """The label in a reply is the agent's text like any other."""
    refusal = {"contract": "soclab.agent.v1", "refusal": {"code": "policy", "reason": TOKEN}, "model": TOKEN}
    with MisbehavingAgent(says(replies(json.dumps(refusal).encode()))) as agent:
        finished = answered_for(agent.url, *LOUD, apart=True)

    assert "[agent-token]" in finished.output
    assert places_with(spellings(TOKEN), finished) == []
