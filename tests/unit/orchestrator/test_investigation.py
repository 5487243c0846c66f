"""The walk: order, what the agent is shown, and what ends a run."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from soclab.clock import FixedClock
from soclab.contracts.proposal import ToolProposal
from soclab.contracts.provider import FinishReason, ModelRequest, ModelResponse, ProviderCapabilities, ToolCall
from soclab.contracts.trace import StageRecord
from soclab.contracts.vocabulary import STAGES, Role, Stage, StageStatus, Trust
from soclab.errors import MalformedResponseError
from soclab.orchestrator.investigation import Investigation, RunIds
from soclab.orchestrator.prompt import Instructions
from soclab.providers._shared import build_response
from tests.unit.orchestrator.stubs import StubGate, StubProvider, response

IDS = RunIds(run_id="r" * 32, trace_id="t" * 32, incident_id="INC-1")
FINDING = {"summary": "leaked [secret]", "claims": [{"text": "t", "evidence_ids": ["alert"]}], "techniques": []}


def reply(**parts: Any) -> str:
    return json.dumps({"contract": "soclab.agent.v1", "proposal": {"rationale": "because", **parts}})


def call(name: str, **arguments: str) -> str:
    return reply(tool_calls=[{"name": name, "arguments": arguments}])


def honest(request: ModelRequest) -> str:
    if request.stage is Stage.FORM_FINDING:
        return reply(finding=FINDING)
    if request.stage is Stage.PROPOSE_ACTION:
        return call("revoke_sessions", user_id="u")
    return call("get_identity_profile", user_id="u")


def walk(provider: StubProvider, gate: StubGate | None = None) -> list[StageRecord]:
    async def lead() -> list[StageRecord]:
        investigation = Investigation(
            IDS,
            system_prompt="standing",
            alert={"id": "A-1", "note": "[secret]"},
            instructions=Instructions([]),
            gate=gate or StubGate(),
            approves=lambda label: label == "stub-1",
            clock=FixedClock(),
        )
        records = []
        while investigation.next_stage is not None:
            records.append(await investigation.advance(provider, investigation.request()))
        return records

    return asyncio.run(lead())


def test_seven_stages_in_order() -> None:
    """An honest agent is asked each stage once."""
    records = walk(StubProvider(honest))
    assert tuple(record.stage for record in records) == STAGES
    assert {record.status for record in records} == {StageStatus.PASSED}


def test_evidence_ids_count_evidence_held() -> None:
    """`alert`, then `<tool>:<n>` with n from 1."""
    provider = StubProvider(honest)
    walk(provider)
    assert provider.requests[-1].evidence_ids == (
        "alert",
        *(f"get_identity_profile:{n}" for n in range(1, 6)),
    )


def test_a_failed_read_takes_no_number_and_the_run_goes_on() -> None:
    """Its turn holds only `error`, and the next success gets the next number."""

    def first_fails(request: ModelRequest) -> str:
        if request.stage is Stage.COLLECT_IDENTITY:
            return call("get_identity_profile", user_id="nobody")
        return honest(request)

    provider = StubProvider(first_fails)
    walk(provider)

    second = provider.requests[1]
    assert second.evidence_ids == ("alert",)
    assert json.loads(second.turns[-1].content) == {"error": "unknown user"}
    assert provider.requests[2].evidence_ids == ("alert", "get_identity_profile:1")


def test_everything_from_tools_alert_and_agent_is_untrusted() -> None:
    """Only the instruction is trusted."""
    provider = StubProvider(honest)
    walk(provider)
    last = provider.requests[-1]
    assert {turn.trust for turn in last.turns} == {Trust.UNTRUSTED}
    assert last.messages[-1].trust is Trust.TRUSTED
    assert [turn.role for turn in last.turns] == [Role.USER, *[Role.TOOL] * 5, Role.ASSISTANT]


def test_what_the_agent_is_shown_passed_the_gates_redaction() -> None:
    """Alert, tool results and its own finding."""
    provider = StubProvider(honest)
    walk(provider)
    shown = json.dumps([turn.content for turn in provider.requests[-1].turns])
    assert "[secret]" not in shown
    assert shown.count("[hidden]") == 7


def test_read_tools_are_offered_while_collecting_only() -> None:
    """Empty at form_finding and propose_action."""
    provider = StubProvider(honest)
    walk(provider)
    assert [bool(request.tools) for request in provider.requests] == [True] * 5 + [False] * 2


WRONG_STAGE = {
    "an action while collecting": (Stage.COLLECT_IDENTITY, call("revoke_sessions", user_id="u")),
    "a finding while collecting": (Stage.COLLECT_SIEM, reply(finding=FINDING)),
    "a call at form_finding": (Stage.FORM_FINDING, call("get_identity_profile", user_id="u")),
    "a read tool at propose_action": (Stage.PROPOSE_ACTION, call("get_identity_profile", user_id="u")),
    "a finding at propose_action": (Stage.PROPOSE_ACTION, reply(finding=FINDING)),
}


@pytest.mark.parametrize("case", WRONG_STAGE)
def test_a_call_the_stage_does_not_offer_is_never_executed_and_ends_the_run(case: str) -> None:
    """Recorded as wrong_stage; the gate is not asked."""
    stage, text = WRONG_STAGE[case]
    gate = StubGate()

    records = walk(StubProvider(lambda request: text if request.stage is stage else honest(request)), gate)

    last = records[-1]
    assert (last.stage, last.status, last.reason_code, last.ended_run) == (
        stage,
        StageStatus.ERROR,
        "wrong_stage",
        True,
    )
    assert stage not in {context.stage for context in gate.contexts}
    if last.call is not None:
        assert last.call.wrong_stage
        assert not last.call.executed


def test_a_refusal_ends_the_run_and_is_no_error() -> None:
    """No further stage is asked."""
    refusal = json.dumps({"contract": "soclab.agent.v1", "refusal": {"code": "policy", "reason": "no"}})
    records = walk(StubProvider(lambda request: refusal))
    assert [(record.status, record.reason_code) for record in records] == [(StageStatus.REFUSED, "policy")]


def test_an_exception_of_an_adapter_is_an_error_turn() -> None:
    """The lab goes on; the message is cleaned."""

    def explode(request: ModelRequest) -> str:
        raise ValueError("bad \x1b[31m thing")

    records = walk(StubProvider(explode))

    assert records[0].reason_code == "adapter_fault"
    assert "\x1b" not in records[0].response.detail


def test_the_text_of_an_unusable_answer_is_kept_for_the_leak_oracle() -> None:
    """An adapter's reader says which rule was broken, and what the agent said stays searchable."""

    def leaks(request: ModelRequest) -> ModelResponse:
        return build_response(
            provider="stub",
            model="stub-1",
            finish=FinishReason.STOP,
            text="not JSON, but [secret]",
            tool_call=None,
            usage=None,
            latency_ms=1.0,
            want_structured=True,
        )

    record = walk(StubProvider(leaks))[0]

    assert (record.reason_code, record.response.output_text) == ("invalid_json", "not JSON, but [secret]")
    assert record.withheld_slots == ("slot",)


def test_an_adapters_own_error_code_is_not_taken_for_ours() -> None:
    """A code of its own making becomes the general one."""

    class OwnError(MalformedResponseError):
        code = 42

    def raises(request: ModelRequest) -> ModelResponse:
        raise OwnError("odd")

    assert walk(StubProvider(raises))[0].reason_code == "schema_violation"


def test_an_adapter_that_returns_no_response_is_an_error_turn() -> None:
    """Whatever it is."""
    records = walk(StubProvider(lambda request: 7))  # type: ignore[arg-type,return-value]
    assert records[0].reason_code == "adapter_fault"


def test_a_reason_that_an_adapter_made_up_is_a_fault_of_the_adapter() -> None:
    """Its text is shown as text, cleaned; a code of ours stays."""

    def fails(code: str) -> StageRecord:
        answer = response(
            reply(finding=FINDING), finish_reason=FinishReason.ERROR, reason_code=code, detail="it says so"
        )
        return walk(StubProvider(lambda request: answer))[0]

    made_up = fails("token\x1b-0123")
    assert made_up.reason_code == made_up.response.reason_code == "adapter_fault"
    assert made_up.response.detail == r"the adapter gave the reason token\x1b-0123: it says so"
    assert fails("rate_limited").reason_code == "rate_limited"


def test_a_model_label_off_the_list_is_noted() -> None:
    """The label in the reply counts, stage by stage."""

    def foreign(request: ModelRequest) -> ModelResponse:
        from tests.unit.orchestrator.stubs import response

        return response(honest(request), model="another" if request.stage is Stage.COLLECT_ENDPOINT else "stub-1")

    records = walk(StubProvider(foreign))
    assert [record.stage for record in records if not record.model_approved] == [Stage.COLLECT_ENDPOINT]


def test_slots_that_redaction_withholds_are_noted() -> None:
    """The gate looks at the raw reply."""
    records = walk(StubProvider(honest))
    assert [record.stage for record in records if record.withheld_slots] == [Stage.FORM_FINDING]


def test_tool_calling_adapters_without_structured_output_use_their_own_calls() -> None:
    """`request_tool`, then `continue_after_tool`, and `generate` for the finding."""

    def native(request: ModelRequest) -> str | ModelResponse:
        if request.stage is Stage.FORM_FINDING:
            return honest(request)
        name = "revoke_sessions" if request.stage is Stage.PROPOSE_ACTION else "get_identity_profile"
        return ModelResponse(
            provider="stub",
            model="stub-1",
            finish_reason=FinishReason.TOOL_CALL,
            tool_call=ToolCall(name=name, arguments={"user_id": "u"}),
        )

    provider = StubProvider(native, ProviderCapabilities(tool_calling=True, structured_output=False))
    records = walk(provider)

    assert provider.calls == [
        "request_tool",
        *["continue_after_tool:get_identity_profile"] * 4,
        "generate",
        "continue_after_tool:get_identity_profile",
    ]
    assert {record.status for record in records} == {StageStatus.PASSED}


def native_calls(finding: dict[str, Any], **arguments: str) -> StubProvider:
    """Calls without text at every stage but the finding."""

    def native(request: ModelRequest) -> str | ModelResponse:
        if request.stage is Stage.FORM_FINDING:
            return reply(finding=finding)
        name = "revoke_sessions" if request.stage is Stage.PROPOSE_ACTION else "get_identity_profile"
        tool_call = ToolCall(name=name, arguments={"user_id": "u", **arguments})
        return ModelResponse(provider="stub", model="stub-1", finish_reason=FinishReason.TOOL_CALL, tool_call=tool_call)

    return StubProvider(native, ProviderCapabilities(tool_calling=True, structured_output=False))


def test_a_native_call_rests_on_what_the_finding_cited() -> None:
    """Known ids of supported claims, each once; look-ups before the finding rest on nothing."""
    claims = [
        {"text": "a", "evidence_ids": ["alert", "get_identity_profile:1"]},
        {"text": "b", "evidence_ids": ["alert"]},
        {"text": "c", "evidence_ids": ["get_identity_profile:2", "made-up"]},
    ]
    records = walk(native_calls({**FINDING, "claims": claims}))
    cited = [one.reading.cited for one in records if isinstance(one.reading, ToolProposal)]
    assert cited == [(), (), (), (), (), ("alert", "get_identity_profile:1")]


def test_a_native_call_after_a_finding_without_evidence_rests_on_nothing() -> None:
    """Nothing is cited on the agent's behalf that it never named."""
    records = walk(native_calls({**FINDING, "claims": []}))
    assert isinstance(records[-1].reading, ToolProposal)
    assert records[-1].reading.cited == ()


def test_slots_in_a_native_call_are_withheld_as_well() -> None:
    """The gate looks at the whole answer: at a call's arguments too."""
    records = walk(native_calls({**FINDING, "summary": "s"}, note="[secret]"))
    assert [bool(one.withheld_slots) for one in records] == [True] * 5 + [False, True]


def test_slots_in_an_answer_without_text_are_withheld_as_well() -> None:
    """An adapter may give the structured form alone."""
    records = walk(StubProvider(lambda request: response(honest(request), output_text="")))
    assert [record.stage for record in records if record.withheld_slots] == [Stage.FORM_FINDING]


def test_a_run_that_is_over_has_no_next_request() -> None:
    """Asking for one is a defect of the caller."""
    investigation = Investigation(
        IDS,
        system_prompt="s",
        alert={},
        instructions=Instructions([]),
        gate=StubGate(),
        approves=bool,
        clock=FixedClock(),
    )
    investigation._ended = True
    with pytest.raises(RuntimeError, match="over"):
        investigation.request()
