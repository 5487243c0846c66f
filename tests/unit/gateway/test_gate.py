"""What the gate runs, records and shows."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soclab.contracts.gate import CallRecord, Gate, Ruling
from soclab.contracts.proposal import ToolProposal
from soclab.contracts.strict import JsonValue
from soclab.contracts.vocabulary import Decision, Mode, Risk, Stage
from soclab.gateway.control import CallFacts, Control
from soclab.gateway.gate import LabGate
from soclab.gateway.measured import Measured
from soclab.gateway.presets import controls_for
from soclab.simulator.catalog import ACTIONS, READ_TOOLS
from soclab.simulator.prepared import prepared
from soclab.simulator.world import ReadResult, World
from tests.unit.gateway.incident import (
    ALL,
    CANARIES,
    EVIDENCE,
    FIXTURE,
    PLACEHOLDERS,
    call,
    clearing,
    fresh_world,
    gate,
    reasons,
    submit,
    without,
)

BASELINE = controls_for(Mode.BASELINE)
SECRET = CANARIES["profile"]
SHOWN = PLACEHOLDERS["profile"]
ENCODED = b64encode(SECRET.encode()).decode()


def test_the_gate_is_what_the_orchestrator_asks_for() -> None:
    """
    The lab's gate has the shape of the contract.
    """
    subject: Gate = gate()

    assert [spec.name for spec in READ_TOOLS] == [offer.name for offer in subject.read_tools()]
    assert [spec.name for spec in ACTIONS] == [offer.name for offer in subject.response_actions()]


@pytest.mark.parametrize(
    ("name", "reads", "acts"),
    [("lookup_indicator", True, False), ("block_indicator", False, True), ("get_mailbox", False, False)],
)
def test_tools_are_told_apart(name: str, reads: bool, acts: bool) -> None:
    """
    A name is a read tool, a response action, or neither.
    """
    assert (reads, acts) == (gate().is_read_tool(name), gate().is_action(name))


def test_a_look_up_is_recorded_in_full() -> None:
    """
    A successful look-up has its result, its evidence id and its counts, and neither risk nor changes.
    """
    record = submit(gate(), call("get_authentication_history", user_id="maria.ortega", limit=2))

    assert record == CallRecord(
        stage=Stage.PROPOSE_ACTION,
        name="get_authentication_history",
        arguments={"user_id": "maria.ortega", "limit": 2},
        executed=True,
        ruling=Ruling(decision=Decision.ALLOW, obligations=("read_only", "redact_output")),
        result=record.result,
        shown=record.result,
        evidence_id="get_authentication_history:3",
        records_requested=2,
        records_returned=2,
        named=(),
        protected_hits=(),
    )
    assert isinstance(record.result, dict)
    assert record.result["total"] == 120


def test_an_action_is_recorded_in_full() -> None:
    """
    In baseline an action runs at once, and its record has risk and changes and no evidence id.
    """
    world = fresh_world()

    record = submit(gate(BASELINE, world=world), call("disable_account", user_id="NORTHLAKE\\maria.ortega", cited=()))

    assert (record.executed, record.risk, record.evidence_id) == (True, Risk.HIGH, None)
    assert record.changes == ("users.maria.ortega.enabled: true -> false",)
    assert world.snapshot()["actions"] == [["disable_account", {"user_id": "maria.ortega"}]]


def test_a_failed_look_up_ran_and_has_no_evidence_id() -> None:
    """
    A look-up of somebody unknown is executed, has an error, and gives nothing to cite.
    """
    record = submit(gate(BASELINE), call("get_identity_profile", user_id="nobody"))

    assert (record.executed, record.evidence_id, record.shown) == (True, None, None)
    assert record.error is not None
    assert "unknown user nobody" in record.error


def test_baseline_checks_arguments_in_the_world_only() -> None:
    """
    Without controls a call that fits no schema is run, and the world's own answer is an error.
    """
    record = submit(gate(BASELINE), call("get_identity_profile", user_id="maria.ortega", incident_id="inc-2"))

    assert record.executed
    assert record.error == "invalid arguments: unknown argument incident_id"


def test_a_tool_that_does_not_exist_cannot_run() -> None:
    """
    Without controls an unknown name is answered with an error and counts as not executed.
    """
    record = submit(gate(BASELINE), call("get_mailbox", user_id="maria.ortega"))

    assert (record.executed, record.risk) == (False, None)
    assert record.error is not None


@pytest.mark.parametrize("severity", ["high", "low"])
def test_the_risk_of_a_severity_is_that_of_the_moment(severity: str) -> None:
    """
    Raising a severity is free of risk, lowering it is not, judged before it is done.
    """
    record = submit(gate(BASELINE), call("set_severity", severity=severity))

    assert {"high": Risk.NONE, "low": Risk.LOW}[severity] is record.risk


def test_a_denied_look_up_says_what_was_asked_for() -> None:
    """
    A look-up that is denied returns nothing, and its record keeps how many records were wanted.
    """
    record = submit(gate(), call("get_authentication_history", user_id="maria.ortega", limit=9000))

    assert (
        record.executed,
        record.records_requested,
        record.records_returned,
        record.result,
        record.error,
    ) == (False, 9000, 0, None, None)


def test_evidence_widens_the_scope() -> None:
    """
    What a shown result names as a whole value may be asked for next; before that it may not.
    """
    subject = gate()
    domain = call("lookup_indicator", indicator="login.example.net")

    before = reasons(submit(subject, domain))
    submit(subject, call("lookup_indicator", indicator="203.0.113.40"))

    assert before == ("out_of_scope",)
    assert reasons(submit(subject, domain)) == ()


def test_a_search_widens_the_scope() -> None:
    """
    Addresses in the events that a search returned belong to the incident.
    """
    subject = gate()
    submit(subject, call("search_siem_events", query="maria.ortega"))

    assert reasons(submit(subject, call("lookup_indicator", indicator="198.51.100.61"))) == ()


def test_free_text_does_not_widen_the_scope() -> None:
    """
    A name that only stands inside a sentence of the alert stays outside.
    """
    subject = gate()

    assert "ben.cho" in str(fresh_world().alert["title"])
    assert reasons(submit(subject, call("get_identity_profile", user_id="ben.cho"))) == ("out_of_scope",)


def test_a_denied_look_up_does_not_widen_the_scope() -> None:
    """
    What was not shown names nothing.
    """
    subject = gate()
    submit(subject, call("search_siem_events", query="198.51.100.7"))

    assert reasons(submit(subject, call("get_identity_profile", user_id="ben.cho"))) == ("out_of_scope",)


def test_secrets_are_not_shown() -> None:
    """
    In protected mode a result is shown with placeholders; the record keeps what the tool really returned.
    """
    record = submit(gate(), call("get_identity_profile", user_id="maria.ortega"))

    assert isinstance(record.result, dict)
    assert isinstance(record.shown, dict)
    assert (record.result["recovery_code"], record.shown["recovery_code"]) == (SECRET, SHOWN)


@pytest.mark.parametrize("controls", [BASELINE, without("output_redaction")], ids=["baseline", "switched off"])
def test_secrets_are_shown_without_redaction(controls: tuple[object, ...]) -> None:
    """
    In baseline, or with redaction switched off, nothing is hidden and nothing withheld.
    """
    subject = gate(controls)  # type: ignore[arg-type]

    assert subject.present({"code": SECRET}) == {"code": SECRET}
    assert subject.withheld(SECRET) == ()


def test_redaction_can_be_switched_off_by_the_engine() -> None:
    """
    `redacts=False` shows everything, whatever the controls.
    """
    world = fresh_world()
    subject = LabGate.for_run(
        world,
        controls=ALL,
        redacts=False,
        canaries=CANARIES,
        placeholders=PLACEHOLDERS,
        clearing=clearing(world),
    )

    assert subject.present(SECRET) == SECRET


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (f"code {SECRET}!", f"code {SHOWN}!"),
        ({"a": ["x", {SECRET: 1}]}, {"a": ["x", {SHOWN: 1}]}),
        ({"note": f"see {ENCODED}", "id": 7}, {"note": SHOWN, "id": 7}),
        ({ENCODED: [SECRET, ENCODED, None]}, {SHOWN: [SHOWN, SHOWN, None]}),
        ([SECRET.lower(), SECRET[::-1], " ".join(SECRET)], [SHOWN, SHOWN, SHOWN]),
        (f"{SECRET} {CANARIES['standing_instruction']}", f"{SHOWN} {PLACEHOLDERS['standing_instruction']}"),
        (
            f"{ENCODED} {CANARIES['standing_instruction'].lower()}",
            f"{SHOWN} {PLACEHOLDERS['standing_instruction']}",
        ),
    ],
    ids=["literal", "nested and key", "encoded", "encoded key", "other spellings", "two", "two encoded"],
)  # fmt: skip
def test_presenting_hides_secrets_in_every_form(value: JsonValue, shown: JsonValue) -> None:
    """
    A literal secret is replaced where it stands; a string with an encoded one is replaced as a whole.
    """
    assert shown == gate().present(value)


def test_presenting_leaves_clean_values_alone() -> None:
    """
    A value without a secret comes back as the same object.
    """
    value: JsonValue = {"note": "nothing", "list": [1, 2.5, None, True, '\u00e9 \\ " \n']}

    assert gate().present(value) is value


def test_a_secret_beside_odd_values_leaves_them_alone() -> None:
    """
    Numbers, escapes and other alphabets around a replaced secret stay what they were.
    """
    value: JsonValue = {"code": SECRET, "list": [1, 2.5, -0.0, 10**30, None, True, '\u00e9 \\ " \n \ud800']}

    assert {**value, "code": SHOWN} == gate().present(value)


class Chatty(World):
    """A world whose look-ups fail with a record's text in the error."""

    def read(self, name: str, arguments: Mapping[str, JsonValue]) -> ReadResult:
        return ReadResult(None, f"{name} failed near {SECRET}")


def test_errors_do_not_repeat_secrets() -> None:
    """
    A tool's error text is redacted like a result.
    """
    world = Chatty(prepared(FIXTURE, None), CANARIES)

    record = submit(gate(world=world), call("get_identity_profile", user_id="maria.ortega"))

    assert f"get_identity_profile failed near {SHOWN}" == record.error


@pytest.mark.parametrize(
    "text", [SECRET, ENCODED, SECRET[::-1], f'{{"rationale": "\\u{ord(SECRET[0]):04x}{SECRET[1:]}"}}']
)
def test_a_reply_with_a_secret_is_withheld(text: str) -> None:
    """
    Slots whose secret a reply would carry out are named.
    """
    assert gate().withheld(text) == ("profile",)


def test_a_reply_without_a_secret_is_not_withheld() -> None:
    """
    Placeholders and small parts of a secret are no secret.
    """
    assert gate().withheld(f"{SHOWN} {SECRET[:15]}") == ()


class Broken:
    """A control with a defect."""

    name = "broken"
    reasons = ()

    def measure(self, proposal: ToolProposal, call: CallFacts, found: Measured) -> None:
        raise RuntimeError("defect")


def test_a_control_that_fails_denies() -> None:
    """
    A call that a control could not judge does not run, and the ruling says so beside all other reasons.
    """
    subject = gate((Broken(), *ALL))

    fine = submit(subject, call("get_identity_profile", user_id="maria.ortega"))
    wrong = submit(subject, call("get_identity_profile", user_id="ben.cho"))

    assert (fine.executed, reasons(fine)) == (False, ("control_fault",))
    assert reasons(wrong) == ("control_fault", "out_of_scope")
    assert fine.ruling is not None
    assert (fine.ruling.controls, fine.ruling.fault) == (("broken",), "control_fault")
    assert "broken" in fine.ruling.fault_detail


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()), max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from([spec.name for spec in (*READ_TOOLS, *ACTIONS)]) | st.text(max_size=12)
ARGUMENTS = st.dictionaries(
    st.sampled_from(["user_id", "endpoint_id", "indicator", "query", "limit", "severity", "incident_id"])
    | st.text(max_size=9),
    JSON | st.sampled_from(["maria.ortega", "NL-DC-01", "203.0.113.40", "*", 10**400, float("nan"), float("inf")]),
    max_size=4,
)


@pytest.mark.parametrize("controls", [ALL, BASELINE], ids=["protected", "baseline"])
@given(name=NAMES, arguments=ARGUMENTS, cited=st.lists(st.sampled_from(EVIDENCE)))
def test_nothing_an_agent_says_raises(
    controls: tuple[object, ...], name: str, arguments: dict[str, JsonValue], cited: list[str]
) -> None:
    """
    Whatever the call, there is a record with a ruling, and only an allowed call ran.
    """
    record = submit(gate(controls), call(name, arguments, cited=tuple(cited)))  # type: ignore[arg-type]

    assert record.ruling is not None
    assert not record.executed or record.ruling.decision is Decision.ALLOW
    assert "control_fault" not in record.ruling.reasons


@pytest.mark.parametrize("controls", [ALL, BASELINE], ids=["protected", "baseline"])
@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ('"NL-DC-01"', ("NL-DC-01",)),
        ("NL-DC-01,", ("NL-DC-01",)),
        ("isolate_endpoint(NL-DC-01)", ("NL-DC-01",)),
        ("192.0.2.0/24", ("NL-DC-01",)),
        ("0xc000020a", ("NL-DC-01",)),
        ("https://NL-DC-01.example.com/", ("NL-DC-01",)),
        ("NL-DC-01 bg-admin-01", ("NL-DC-01", "bg-admin-01")),
        ("NL-WS-0200", ()),
    ],
)
def test_both_modes_record_the_same_protected_assets(
    controls: tuple[Control, ...], text: str, hits: tuple[str, ...]
) -> None:
    """
    What a state change touches does not hang on the controls, so that one reading serves gate and judge.
    """
    assert submit(gate(controls), call("block_indicator", indicator=text)).protected_hits == hits


def test_a_look_up_touches_nothing() -> None:
    """
    Reading about a protected asset is no touch.
    """
    assert submit(gate(), call("get_endpoint_status", endpoint_id="NL-DC-01")).protected_hits == ()


@pytest.mark.parametrize("query", ["ben.cho?", "ben.cho*", "ben[.]cho", "about Ben Cho."])
def test_a_search_is_recorded_with_what_it_selects_by(query: str) -> None:
    """
    The record holds the search's own reading, run or denied.
    """
    assert [submit(gate(one), call("search_siem_events", query=query)).named for one in (ALL, BASELINE)] == [
        ("user:ben.cho",),
        ("user:ben.cho",),
    ]
