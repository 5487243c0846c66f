"""The engine over a real socket: what the server does not clearly allow is denied, and says why."""

from __future__ import annotations

import asyncio
import json

import pytest

from soclab.contracts.policy import PolicyFacts, ToolFacts
from soclab.contracts.vocabulary import Decision, Risk
from soclab.errors import ConfigurationError, PolicyError
from soclab.policy.engine import NO_DECISION, POLICY_ERROR, UNAVAILABLE, UNKNOWN_VERSION
from soclab.policy.engines.opa_server import LIMIT_SECONDS, OpaServerEngine
from tests.opa_server import Reply, opa_server, speaking, undefined

LOOK_UP = PolicyFacts(
    tool=ToolFacts(name="get_identity_profile", known=True, reads=True, risk=Risk.NONE, reversible=True, closes=False)
)
DENIED = {"decision": "deny", "reasons": ["out_of_scope"]}
SHORT = 0.3
"""Seconds; the limit where a server never answers."""


def always(reply):
    return lambda asked: reply


def healthy(reply):
    """A server that is up, and whose decisions are this."""
    return lambda asked: Reply(body=b"{}") if asked.path == "/health" else reply


async def decided(behaviour, facts=LOOK_UP, limit_seconds=LIMIT_SECONDS):
    with opa_server(behaviour) as server:
        engine = OpaServerEngine(server.url, limit_seconds=limit_seconds)
        try:
            return await engine.decide(facts)
        finally:
            await engine.aclose()


async def test_the_facts_are_the_input_and_the_answer_is_the_decision():
    """`POST /v1/data/soclab/decision`, JSON, nothing but the facts."""
    with opa_server(speaking()) as server:
        engine = OpaServerEngine(server.url)
        found = await engine.decide(LOOK_UP)
        await engine.aclose()

    (asked,) = server.asked
    assert (asked.method, asked.path, asked.query) == ("POST", "/v1/data/soclab/decision", "")
    assert asked.headers["Content-Type"] == "application/json"
    assert asked.body == {"input": LOOK_UP.document()}
    assert (found.decision, found.obligations, found.fault) == (Decision.ALLOW, ("read_only", "redact_output"), "")


async def test_a_rule_of_another_name_is_asked_by_its_path():
    """The URL's own path is the rule."""
    module = 'package acme.soc\n\nimport rego.v1\n\nword := {"decision": "deny", "reasons": ["not_today"]}\n'
    with opa_server(speaking(module)) as server:
        engine = OpaServerEngine(f"{server.url}/v1/data/acme/soc/word")
        await engine.check()
        found = await engine.decide(LOOK_UP)
        await engine.aclose()

    assert found.reasons == ("not_today",)
    assert {one.path for one in server.decisions()} == {"/v1/data/acme/soc/word"}


async def test_an_answer_too_many_answers_no_question():
    """A faulty server or proxy sends it behind the right one; the next question is answered by what came to it."""
    denied, allowed = (json.dumps({"result": one}).encode() for one in (DENIED, {"decision": "allow"}))
    said = [b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(one), one) for one in (denied, allowed)]
    with opa_server(always(Reply(raw=b"".join(said), stays=True))) as server:
        engine = OpaServerEngine(server.url)
        found = [await engine.decide(LOOK_UP) for _ in range(3)]
        await engine.aclose()

    assert {one.decision for one in found} == {Decision.DENY}


async def test_every_question_has_a_connection_of_its_own():
    """However many runs ask at the same time."""
    with opa_server(speaking()) as server:
        engine = OpaServerEngine(server.url)
        await engine.check()
        found = await asyncio.gather(*(engine.decide(LOOK_UP) for _ in range(8)))
        await engine.aclose()

    assert {one.decision for one in found} == {Decision.ALLOW}
    assert server.connections == len(server.asked) == 3 + 8  # health, decision and version of the check


async def test_a_connection_that_breaks_is_opened_anew_once():
    """Asking again changes nothing at the server."""
    with opa_server(speaking()) as server:
        answers, engine = server.behaviour, OpaServerEngine(server.url)
        first = await engine.decide(LOOK_UP)
        server.behaviour = lambda asked: Reply(closes=True) if len(server.asked) == 2 else answers(asked)
        second = await engine.decide(LOOK_UP)
        await engine.aclose()

    assert (first.decision, second.decision) == (Decision.ALLOW, Decision.ALLOW)
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("reply", "reason", "said"),
    [
        (Reply(waits=True), UNAVAILABLE, "no answer within 0.3 s"),
        (Reply(closes=True), UNAVAILABLE, "cannot be reached or breaks off"),
        (Reply(raw=b"\x00\x01 nonsense\r\n\r\n"), UNAVAILABLE, "breaks off"),
        (Reply(raw=b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"), UNAVAILABLE, "breaks off"),
        (Reply(status=500, body=b'{"code":"internal_error"}'), UNAVAILABLE, "status 500"),
        (Reply(status=404), UNAVAILABLE, "status 404"),
        (Reply(status=401), UNAVAILABLE, "status 401"),
        (Reply(status=204), UNAVAILABLE, "status 204"),
        (Reply(status=302, headers={"Location": "/v1/data/other"}), UNAVAILABLE, "status 302"),
        (Reply(body=b"x" * (1 << 17)), UNAVAILABLE, "more than 65536 bytes"),
        (Reply(body=b"x", headers={"Content-Encoding": "gzip"}), UNAVAILABLE, "compressed"),
        (Reply(body=b"{}"), NO_DECISION, "undefined"),
        (Reply(body=b"<html>"), POLICY_ERROR, "no JSON"),
        (Reply(body=b'{"result":true}'), POLICY_ERROR, "not an object"),
        (Reply(body=b'{"result":{"decision":"yes"}}'), POLICY_ERROR, "none of allow, hold and deny"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
async def test_whatever_else_comes_is_a_denial_that_says_why(reply, reason, said):
    """Slow, broken off, another status, a redirect, too much, compressed, or no decision."""
    found = await decided(always(reply), limit_seconds=SHORT if reply.waits else LIMIT_SECONDS)

    assert (found.decision, found.reasons) == (Decision.DENY, (reason,))
    assert said in found.fault
    assert found.fault.isprintable()


async def test_nobody_at_the_port_is_a_denial():
    """The server has ended."""
    with opa_server(speaking()) as server:
        pass
    found = await OpaServerEngine(server.url).decide(LOOK_UP)

    assert found.reasons == (UNAVAILABLE,)
    assert found.fault == "OPA: cannot be reached or breaks off (ConnectError)"


async def test_a_redirect_is_not_followed():
    """Nothing is asked of the place that it names."""
    with opa_server(always(Reply(status=307, headers={"Location": "/elsewhere"}))) as server:
        engine = OpaServerEngine(server.url)
        await engine.decide(LOOK_UP)
        await engine.aclose()

    assert [one.path for one in server.asked] == ["/v1/data/soclab/decision"]


async def test_proxies_of_the_environment_are_not_used(monkeypatch):
    """The facts go to the server that was named and to nobody else."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert (await decided(speaking())).decision is Decision.ALLOW


async def test_after_a_missing_answer_the_next_question_is_answered():
    """What came too late is not taken for the next answer."""
    with opa_server(always(Reply(waits=True))) as server:
        engine = OpaServerEngine(server.url, limit_seconds=SHORT)
        late = await engine.decide(LOOK_UP)
        server.behaviour = always(Reply(body=b'{"result":{"decision":"hold","holds":["approval_required"]}}'))
        known = await engine.decide(LOOK_UP)
        await engine.aclose()

    assert late.reasons == (UNAVAILABLE,)
    assert known.holds == ("approval_required",)
    assert server.connections == 2


async def test_facts_that_cannot_be_written_are_not_sent():
    """A lone surrogate is no text."""
    facts = LOOK_UP.model_copy(update={"tool": LOOK_UP.tool.model_copy(update={"name": "\ud800"})})
    found = await decided(always(Reply(status=500)), facts)
    assert found.reasons == (NO_DECISION,)


async def test_the_version_is_that_of_the_bundles_or_of_the_policies():
    """Equal policies have equal versions, other ones others; a server that tells nothing is unknown."""
    allow = json.dumps({"result": {"decision": "allow"}}).encode()
    told = json.dumps(
        {"result": {"decision": "allow"}, "provenance": {"bundles": {"soc": {"revision": "r7"}}}}
    ).encode()
    texts = speaking()

    async def version(behaviour):
        with opa_server(behaviour) as server:
            engine = OpaServerEngine(server.url)
            assert engine.version == UNKNOWN_VERSION
            await engine.check()
            return engine.version

    def listing(asked):
        return texts(asked) if asked.method == "GET" else Reply(body=allow)

    def bundled(asked):
        return Reply(body=told if asked.query == "provenance=true" else allow)

    def silent(asked):
        return Reply(status=403) if asked.path == "/v1/policies" else Reply(body=allow)

    found = [await version(one) for one in (texts, listing, bundled, silent)]
    assert found[0] == found[1] != found[2]
    assert {len(one) for one in found[:3]} == {64}
    assert found[3] == UNKNOWN_VERSION


@pytest.mark.parametrize(
    ("behaviour", "said"),
    [
        (always(Reply(status=500)), "answers with status 500; start the server"),
        (always(Reply(waits=True)), "no answer within 0.3 s; start the server"),
        (healthy(Reply(body=b"{}")), "undefined for these facts; load a policy package into it"),
        (healthy(Reply(body=b'{"result":{"decision":"yes"}}')), "load a policy package into it"),
        (healthy(Reply(status=404)), "answers with status 404"),
    ],
)
async def test_a_server_that_cannot_judge_is_found_before_the_campaign(behaviour, said):
    """One line: the variable, the URL, what is wrong, what to do."""
    with opa_server(behaviour) as server, pytest.raises(PolicyError) as raised:
        await OpaServerEngine(server.url, limit_seconds=SHORT).check()

    line = str(raised.value)
    assert line.startswith(f"SOCLAB_OPA_URL: {server.url}/v1/data/soclab/decision: ")
    assert said in line
    assert line.endswith("(docs/policy.md says how), or unset SOCLAB_OPA_URL")
    assert line.isprintable()


async def test_a_rule_that_is_not_there_is_found_before_the_campaign():
    """The server is healthy and knows nothing of the lab."""
    with opa_server(undefined) as server, pytest.raises(PolicyError, match="undefined"):
        await OpaServerEngine(server.url).check()
    assert [one.path for one in server.asked] == ["/health", "/v1/data/soclab/decision"]


def test_a_url_that_cannot_be_used_is_told_at_once():
    """Before anything is asked."""
    with pytest.raises(ConfigurationError, match="SOCLAB_OPA_URL"):
        OpaServerEngine("127.0.0.1:8181")
