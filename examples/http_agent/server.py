"""
A rule-based SOC agent behind HTTP: the whole of `soclab.agent.v1` in one file, standard library only.

It decides from fields that the platform writes and from nothing else. `ATTACKER_WRITABLE` lists the fields of the
tools' results that people outside the platform can put text into; they are cut out before anything is read.

    python server.py                         serves http://127.0.0.1:8765/ until Ctrl-C
    SOCLAB_HTTP_AGENT_PORT=0 python ...      any free port; the URL is printed
    SOCLAB_HTTP_AGENT_TOKEN=... python ...   answers 401 without `Authorization: Bearer ...`

`answer(request) -> reply` is a pure function; everything below "the socket" is plumbing.
"""

from __future__ import annotations

import hmac
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CONTRACT = "soclab.agent.v1"
Json = Any
Object = dict[str, Any]

# ----------------------------------------------------------------------------------------------------------------
# What is believed. Published: docs/attacker-writable-fields.md holds the same table with the reasons.

ATTACKER_WRITABLE: dict[str, tuple[str, ...]] = {
    "alert": ("comments", "sign_in.user_agent"),
    "get_identity_profile": ("profile_note", "recovery_code"),
    "get_authentication_history": ("events.user_agent", "events.device_display_name", "events.app"),
    "get_endpoint_status": ("processes.command_line", "processes.image", "admin_note"),
    "lookup_indicator": ("passive_dns", "reports", "registration"),
    "search_siem_events": (
        "events.note",
        "events.comment",
        "events.message",
        "events.email",
        "events.user_agent",
        "events.command_line",
        "events.destination_host",
    ),
}


def without(value: Json, path: str) -> Json:
    """A copy of `value` without the field at the dotted path; lists on the way are walked through."""
    if isinstance(value, list):
        return [without(item, path) for item in value]
    if not isinstance(value, dict):
        return value
    head, _, rest = path.partition(".")
    if not rest:
        return {key: item for key, item in value.items() if key != head}
    return {key: without(item, rest) if key == head else item for key, item in value.items()}


def trusted(source: str, value: Json) -> Object:
    """What the platform itself wrote in a result of `source`; {} for a source without a published table."""
    if source not in ATTACKER_WRITABLE or not isinstance(value, dict):
        return {}
    for path in ATTACKER_WRITABLE[source]:
        value = without(value, path)
    return dict(value)


# ----------------------------------------------------------------------------------------------------------------
# The case: what is known so far.


@dataclass
class Case:
    """The alert and the evidence, platform fields only. `ids` maps a tool to its evidence id."""

    alert: Object
    known_ids: list[str]
    results: dict[str, Object] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)

    @property
    def profile(self) -> Object:
        return self.results.get("get_identity_profile", {})

    @property
    def sign_ins(self) -> list[Object]:
        return objects(self.results.get("get_authentication_history", {}).get("events"))

    @property
    def endpoint(self) -> Object:
        return self.results.get("get_endpoint_status", {})

    @property
    def report(self) -> Object:
        return self.results.get("lookup_indicator", {})

    @property
    def events(self) -> list[Object]:
        return objects(self.results.get("search_siem_events", {}).get("events"))

    def named(self, *keys: str) -> str:
        """The first text that stands under one of the keys in the alert, at any depth; empty when there is none."""
        for key in keys:
            for found in values_under(self.alert, key):
                if isinstance(found, str) and found:
                    return found
        return ""

    @property
    def user_id(self) -> str:
        return self.named("user_id")

    @property
    def endpoint_id(self) -> str:
        return self.named("endpoint_id") or next(iter(texts(self.profile.get("registered_endpoints"))), "")

    def cite(self, *tools: str) -> list[str]:
        return [self.ids[tool] for tool in tools if tool in self.ids]


def objects(value: Json) -> list[Object]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def texts(value: Json) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def values_under(value: Json, key: str) -> Iterator[Json]:
    if isinstance(value, dict):
        if key in value:
            yield value[key]
        for item in value.values():
            yield from values_under(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from values_under(item, key)


def case_of(request: Object) -> Case:
    """The case as the request tells it. A turn counts as evidence only with an id that the context lists."""
    context = request.get("context", {})
    known = texts(context.get("evidence_ids"))
    case = Case(alert=trusted("alert", context.get("alert")), known_ids=known, ids={"alert": "alert"})
    for turn in objects(request.get("turns")):
        tool = turn.get("tool_name")
        if turn.get("role") != "tool" or not isinstance(tool, str):
            continue
        try:
            content = json.loads(turn.get("content", ""))
        except (TypeError, ValueError):
            continue
        evidence_id = content.get("evidence_id") if isinstance(content, dict) else None
        if isinstance(evidence_id, str) and evidence_id in known:
            case.results[tool] = trusted(tool, content.get("result"))
            case.ids[tool] = evidence_id
    return case


# ----------------------------------------------------------------------------------------------------------------
# What the facts say.


@dataclass
class Judgement:
    """An action, why, and the claims it rests on as (text, evidence ids)."""

    name: str
    arguments: Object
    reason: str
    claims: list[tuple[str, list[str]]]
    techniques: list[str]


def malicious_programs(case: Case) -> list[Object]:
    seen = [*objects(case.endpoint.get("processes")), *objects(case.endpoint.get("detections"))]
    return [item for item in seen if item.get("verdict") == "malicious"]


def clean_endpoint(case: Case) -> list[tuple[str, list[str]]]:
    """The claim that the endpoint has no part in it, where the record says so."""
    if not case.endpoint or malicious_programs(case):
        return []
    return [(f"{case.endpoint.get('endpoint_id')} shows no malicious program.", case.cite("get_endpoint_status"))]


def hostile_endpoint(case: Case) -> Judgement | None:
    """A machine that runs malicious programs has to leave the network, above all one that nobody manages."""
    programs = malicious_programs(case)
    endpoint_id = str(case.endpoint.get("endpoint_id", ""))
    if not programs or not endpoint_id or case.endpoint.get("isolation", "none") not in (None, "none"):
        return None
    state = "managed" if case.endpoint.get("managed") is True else "not managed"
    claims = [
        (
            f"{endpoint_id} is {state}; the sensor rates {len(programs)} of its programs or findings malicious.",
            case.cite("get_endpoint_status"),
        )
    ]
    tried = [event for event in case.sign_ins if event.get("endpoint_id") == endpoint_id]
    if tried:
        claims.append(
            (
                f"{len(tried)} sign-ins as {case.user_id} came from {endpoint_id}.",
                case.cite("get_authentication_history"),
            )
        )
    if endpoint_id not in texts(case.profile.get("registered_endpoints")) and case.profile:
        claims.append((f"{endpoint_id} is not registered for {case.user_id}.", case.cite("get_identity_profile")))
    if case.report.get("verdict") == "malicious":
        claims.append((f"{case.report.get('indicator')} is rated malicious.", case.cite("lookup_indicator")))
    if any(event.get("endpoint_id") == endpoint_id for event in case.events):
        claims.append((f"Events show {endpoint_id} active on the network.", case.cite("search_siem_events")))
    found = sorted({str(item["technique"]) for item in programs if isinstance(item.get("technique"), str)})
    return Judgement(
        name="isolate_endpoint",
        arguments={"endpoint_id": endpoint_id},
        reason=f"{endpoint_id} runs malicious programs and is still on the network.",
        claims=claims,
        techniques=["T1078", *found],
    )


def foreign_sign_ins(case: Case) -> list[Object]:
    """Successful sign-ins from no registered endpoint that a second platform fact marks as hostile."""
    registered = texts(case.profile.get("registered_endpoints"))
    networks: dict[str, set[str]] = {}
    for event in case.sign_ins:
        networks.setdefault(str(event.get("session_id")), set()).add(str(event.get("network")))
    bad = case.report.get("indicator") if case.report.get("verdict") == "malicious" else None
    return [
        event
        for event in case.sign_ins
        if event.get("result") == "success"
        and event.get("endpoint_id") not in registered
        and event.get("session_active") is not False
        and (
            (bad is not None and event.get("ip_address") == bad)
            or (event.get("session_id") is not None and len(networks[str(event.get("session_id"))]) > 1)
        )
    ]


def stolen_session(case: Case) -> Judgement | None:
    """A live session in foreign hands has to end."""
    foreign = foreign_sign_ins(case)
    user_id = str(case.profile.get("user_id") or case.user_id)
    if not foreign or not user_id:
        return None
    address = str(foreign[-1].get("ip_address"))
    session = str(foreign[-1].get("session_id"))
    claims = [
        (
            f"A session of {user_id} ({session}) was used from {address}, from no registered endpoint.",
            case.cite("get_authentication_history"),
        )
    ]
    if case.report.get("verdict") == "malicious":
        claims.append((f"{case.report.get('indicator')} is rated malicious.", case.cite("lookup_indicator")))
    methods = objects(case.profile.get("mfa_methods"))
    if any(method.get("registered_from") == address for method in methods):
        claims.append((f"A sign-in method was registered from {address}.", case.cite("get_identity_profile")))
    if any(event.get("src_ip") == address and event.get("status") == "success" for event in case.events):
        claims.append((f"Events show successful use from {address}.", case.cite("search_siem_events")))
    claims += clean_endpoint(case)
    return Judgement(
        name="revoke_sessions",
        arguments={"user_id": user_id},
        reason=f"A live session of {user_id} is used from {address}.",
        claims=claims,
        techniques=["T1539", "T1550.004"],
    )


def hostile_address(case: Case) -> Judgement | None:
    """Attempts from one bad address without any success: keep the address out."""
    address = case.report.get("indicator")
    if case.report.get("verdict") != "malicious" or not isinstance(address, str):
        return None
    seen = case.report.get("seen_in_tenant")
    succeeded = seen.get("successful_sign_ins") if isinstance(seen, dict) else None
    tried = [event for event in case.sign_ins if event.get("ip_address") == address]
    if not tried or any(event.get("result") == "success" for event in tried) or succeeded not in (0, None):
        return None
    claims = [
        (
            f"{len(tried)} sign-ins as {case.user_id} came from {address}, none succeeded.",
            case.cite("get_authentication_history"),
        ),
        (f"{address} is rated malicious; no sign-in from it succeeded here.", case.cite("lookup_indicator")),
    ]
    users = {str(event.get("user_id")) for event in case.events if event.get("src_ip") == address}
    if users:
        claims.append((f"Events show {address} against {len(users)} accounts.", case.cite("search_siem_events")))
    claims += clean_endpoint(case)
    return Judgement(
        name="block_indicator",
        arguments={"indicator": address},
        reason=f"{address} tries passwords of several accounts, without success so far.",
        claims=claims,
        techniques=["T1110.003"],
    )


def nothing_wrong(case: Case) -> Judgement | None:
    """Every platform field is calm, and all five look-ups were answered."""
    registered = texts(case.profile.get("registered_endpoints"))
    calm = (
        len(case.results) >= 5
        and case.profile.get("risk_level") in ("none", "low")
        and bool(case.sign_ins)
        and all(
            event.get("result") == "success"
            and event.get("endpoint_id") in registered
            and event.get("risk_level") in ("none", "low")
            for event in case.sign_ins
        )
        and case.endpoint.get("managed") is True
        and not malicious_programs(case)
        and case.report.get("verdict") in ("benign", "clean")
        and all(int(event.get("severity_id", 0)) <= 2 for event in case.events)
    )
    if not calm:
        return None
    claims = [
        ("Every sign-in succeeded from a registered endpoint at low risk.", case.cite("get_authentication_history")),
        (f"{case.endpoint.get('endpoint_id')} is managed and clean.", case.cite("get_endpoint_status")),
        (f"{case.report.get('indicator')} is rated harmless.", case.cite("lookup_indicator")),
    ]
    return Judgement(
        name="close_incident",
        arguments={"classification": "benign_expected", "reason": "Platform fields show expected activity only."},
        reason="Platform fields show expected activity only.",
        claims=claims,
        techniques=[],
    )


RULES: tuple[Callable[[Case], Judgement | None], ...] = (
    hostile_endpoint,
    stolen_session,
    hostile_address,
    nothing_wrong,
)


def escalation(reason: str, claims: list[tuple[str, list[str]]], techniques: list[str]) -> Judgement:
    return Judgement("escalate_to_human", {"reason": reason}, reason, claims, techniques)


def is_protected(case: Case, judgement: Judgement) -> bool:
    holders = {"user_id": case.profile, "endpoint_id": case.endpoint, "indicator": case.report}
    return any(holders[key].get("protected") is True for key in judgement.arguments if key in holders)


def judge(case: Case) -> Judgement:
    """The first rule that holds; a human where none does, where the target is protected, or on thin evidence."""
    judgement = next((found for rule in RULES if (found := rule(case)) is not None), None)
    if judgement is None:
        held = [("The alert alone does not settle the case.", ["alert"])]
        return escalation("Platform fields do not settle what happened.", held, [])
    if is_protected(case, judgement):
        return escalation(f"Protected asset: {judgement.reason}", judgement.claims, judgement.techniques)
    if len(cited(judgement)) < 2:
        return escalation(f"Thin evidence: {judgement.reason}", judgement.claims, judgement.techniques)
    return judgement


def cited(judgement: Judgement) -> list[str]:
    return list(dict.fromkeys(evidence_id for _, ids in judgement.claims for evidence_id in ids))


# ----------------------------------------------------------------------------------------------------------------
# The seven stages.


def call(name: str, arguments: Object, rationale: str, evidence_ids: list[str], confidence: float = 0.9) -> Object:
    return {
        "tool_calls": [{"name": name, "arguments": arguments}],
        "rationale": rationale,
        "confidence": confidence,
        "evidence_ids": evidence_ids,
    }


def collect_identity(case: Case) -> Object | None:
    if not case.user_id:
        return None
    why = f"The alert names {case.user_id}; the profile tells role, registered endpoints and sign-in methods."
    return call("get_identity_profile", {"user_id": case.user_id}, why, ["alert"])


def collect_authentication(case: Case) -> Object | None:
    if not case.user_id:
        return None
    why = f"How {case.user_id} signed in lately shows whether sessions or attempts are foreign."
    return call("get_authentication_history", {"user_id": case.user_id}, why, ["alert"])


def collect_endpoint(case: Case) -> Object | None:
    if not case.endpoint_id:
        return None
    why = f"The state of {case.endpoint_id} shows whether the machine itself is part of the attack."
    return call("get_endpoint_status", {"endpoint_id": case.endpoint_id}, why, ["alert"])


def telling_indicator(case: Case) -> str:
    """The indicator most worth a look-up: named by the alert, risky in the history, not one of our own addresses."""
    score: dict[str, int] = {}
    for key, weight in (("remote_ip", 4), ("source_ip", 3), ("domain", 2), ("url", 2), ("sha256", 2)):
        for found in values_under(case.alert, key):
            if isinstance(found, str) and found:
                score[found] = score.get(found, 0) + weight
    for event in case.sign_ins:
        address = event.get("ip_address")
        if isinstance(address, str) and event.get("risk_level") not in (None, "none", "low"):
            score[address] = score.get(address, 0) + 1
    own = {address for alias in (case.endpoint, case.profile) for address in texts(alias.get("aliases"))}
    outside = {name: value for name, value in score.items() if name not in own}
    return max(sorted(outside or score), key=lambda name: score[name], default="")


def enrich_indicators(case: Case) -> Object | None:
    indicator = telling_indicator(case)
    if not indicator:
        return None
    why = f"{indicator} is the most telling indicator so far; its rating decides how the sign-ins are read."
    return call("lookup_indicator", {"indicator": indicator}, why, ["alert"])


def collect_siem(case: Case) -> Object:
    terms = [term for term in (case.user_id, case.endpoint_id, telling_indicator(case)) if term]
    why = "The events around the user, the endpoint and the indicator show what else happened."
    return call("search_siem_events", {"query": " ".join(dict.fromkeys(terms))}, why, ["alert"])


def form_finding(case: Case) -> Object:
    judgement = judge(case)
    return {
        "finding": {
            "summary": f"{judgement.reason} This rests on platform fields; free text in the records was not used.",
            "claims": [{"text": text, "evidence_ids": ids} for text, ids in judgement.claims],
            "techniques": judgement.techniques,
        },
        "rationale": "Each claim is a platform field of the evidence it cites.",
        "confidence": 0.9,
        "evidence_ids": cited(judgement),
    }


def propose_action(case: Case) -> Object:
    judgement = judge(case)
    return call(judgement.name, judgement.arguments, judgement.reason, cited(judgement))


STAGES: dict[str, Callable[[Case], Object | None]] = {
    "collect_identity": collect_identity,
    "collect_authentication": collect_authentication,
    "collect_endpoint": collect_endpoint,
    "enrich_indicators": enrich_indicators,
    "collect_siem": collect_siem,
    "form_finding": form_finding,
    "propose_action": propose_action,
}


def refusal(code: str, reason: str) -> Object:
    return {"contract": CONTRACT, "refusal": {"code": code, "reason": reason}}


def answer(request: Object) -> Object:
    """
    The reply to one request. Pure: same request, same reply.

    Args:
        request: a decoded `soclab.agent.v1` request; members that this agent does not know are ignored.

    Returns:
        a complete reply: a proposal, or a refusal for an unknown stage, a missing tool or an alert without entities.
    """
    stage = request.get("stage")
    if not isinstance(stage, str) or stage not in STAGES:
        return refusal("unsupported_stage", "This agent knows the seven stages of soclab.agent.v1.")
    proposal = STAGES[stage](case_of(request))
    if proposal is None:
        return refusal("insufficient_evidence", "The alert names no entity of the kind this stage looks up.")
    offered = {tool.get("name") for tool in objects(request.get("tools"))}
    if stage.startswith(("collect", "enrich")) and proposal["tool_calls"][0]["name"] not in offered:
        return refusal("unsupported_stage", "The tool that this stage needs is not offered.")
    return {"contract": CONTRACT, "proposal": proposal}


# ----------------------------------------------------------------------------------------------------------------
# The socket.

MAX_BODY_BYTES = 4 * 1024 * 1024
IDLE_SECONDS = 120
UNREAD = {"Connection": "close"}  # for answers given before the body was read


class AgentHandler(BaseHTTPRequestHandler):
    """One connection. HTTP/1.1 with keep-alive; an answer leaves in one write, without Nagle's delay."""

    protocol_version = "HTTP/1.1"
    server_version = "northlake-agent/1"
    timeout = IDLE_SECONDS
    disable_nagle_algorithm = True
    wbufsize = 64 * 1024  # head and body leave together when the handler flushes
    brain: Callable[[Object], Object] = staticmethod(answer)
    token: str = ""

    def do_POST(self) -> None:
        body = self.read_body()
        if body is None:
            return
        if self.path.split("?", 1)[0] != "/":
            self.send_problem(404, "the agent answers at /")
            return
        if not self.is_authorised():
            self.send_problem(401, "a bearer token is required", {"WWW-Authenticate": "Bearer"})
            return
        try:
            request = json.loads(body)
        except (ValueError, RecursionError):
            self.send_problem(400, "the body is not JSON")
            return
        if not isinstance(request, dict) or request.get("contract") != CONTRACT:
            self.send_problem(400, f"the body is no {CONTRACT} request")
            return
        try:
            reply = type(self).brain(request)
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
            self.send_problem(400, f"the body is no complete {CONTRACT} request")
            return
        self.send_json(200, reply)

    def read_body(self) -> bytes | None:
        """The body, or None when a problem was sent instead."""
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            self.send_problem(411, "Content-Length is required", UNREAD)
            return None
        if len(length) > 12 or int(length) > MAX_BODY_BYTES:
            self.send_problem(413, f"at most {MAX_BODY_BYTES} bytes", UNREAD)
            return None
        return self.rfile.read(int(length))

    def is_authorised(self) -> bool:
        given = self.headers.get("Authorization", "")
        expected = f"Bearer {self.token}"
        return not self.token or hmac.compare_digest(given.encode(), expected.encode())

    def do_GET(self) -> None:
        self.send_problem(405, "POST a request", {"Allow": "POST", **UNREAD})

    do_HEAD = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do_GET  # noqa: N815 - names of the base class

    def send_problem(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        self.send_json(status, {"error": message}, headers)

    def send_json(self, status: int, value: Json, headers: dict[str, str] | None = None) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        for name, text in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Quiet: a request holds case data."""


class AgentServer(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 256

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is nobody's fault; anything else is shown."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


def make_server(brain: Callable[[Object], Object], port: int, token: str = "") -> AgentServer:
    """A bound server, not yet serving; `server.server_address[1]` is the port in use."""
    handler = type("Handler", (AgentHandler,), {"brain": staticmethod(brain), "token": token})
    return AgentServer(("127.0.0.1", port), handler)


def port_from(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise SystemExit("SOCLAB_HTTP_AGENT_PORT must be a number from 0 to 65535")
    return int(text)


def serve(brain: Callable[[Object], Object]) -> None:
    """Serve until Ctrl-C or a polite kill, also when started in the background of a script."""
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, signal.default_int_handler)
    port = port_from(os.environ.get("SOCLAB_HTTP_AGENT_PORT", "8765"))
    try:
        server = make_server(brain, port, os.environ.get("SOCLAB_HTTP_AGENT_TOKEN", ""))
    except OSError as error:
        raise SystemExit(
            f"cannot listen on 127.0.0.1:{port}: {error.strerror}; give another SOCLAB_HTTP_AGENT_PORT here, and the "
            "same port in the lab's SOCLAB_HTTP_AGENT_URL"
        ) from None
    try:
        print(f"agent listening on http://127.0.0.1:{server.server_address[1]}/ (Ctrl-C stops it)", flush=True)
        server.serve_forever()
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
    finally:
        server.server_close()


if __name__ == "__main__":
    serve(answer)
