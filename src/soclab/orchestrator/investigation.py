"""
The walk through the seven stages. It sees the gate's word only: it cannot execute anything itself.

One `Investigation` is one run. `advance` leads it one stage further, on whatever connection is free, so a run can
be parked after any stage and taken up again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NamedTuple

from soclab.clock import Clock
from soclab.contracts.agent_v1 import ToolOffer, reply_schema_for
from soclab.contracts.gate import CallRecord, Gate, StageContext
from soclab.contracts.proposal import FindingProposal, Malformed, Reading, RefusalReply, ToolProposal
from soclab.contracts.provider import Message, ModelProvider, ModelRequest, ModelResponse
from soclab.contracts.strict import JsonObject
from soclab.contracts.trace import StageRecord
from soclab.contracts.vocabulary import STAGES, ErrorCode, Role, Stage, StageStatus, Trust
from soclab.orchestrator.asking import ask
from soclab.orchestrator.prompt import Instructions
from soclab.orchestrator.reading import cited_by, read, whole_answer
from soclab.orchestrator.stages import SPECS

__all__ = ["Investigation", "RunIds"]


class RunIds(NamedTuple):
    """Correlation ids of a run; opaque to the agent."""

    run_id: str
    trace_id: str
    incident_id: str


class Investigation:
    """
    Args:
        ids: correlation ids.
        system_prompt: the standing instruction, with the run's secret in it.
        alert: the alert as presented; passed through the gate's redaction.
        approves: tells whether a model label is on the approved list.
        call_seconds: what the agent may take for one answer; None leaves deadlines to its adapter.
    """

    def __init__(
        self,
        ids: RunIds,
        *,
        system_prompt: str,
        alert: JsonObject,
        instructions: Instructions,
        gate: Gate,
        approves: Callable[[str], bool],
        clock: Clock,
        call_seconds: float | None = None,
    ) -> None:
        self._ids = ids
        self._system_prompt = system_prompt
        self._instructions = instructions
        self._gate = gate
        self._approves = approves
        self._clock = clock
        self._call_seconds = call_seconds
        shown = gate.present(alert)
        self._alert: JsonObject = shown if isinstance(shown, dict) else {}
        self._turns: list[Message] = [_message(Role.USER, {"alert": self._alert})]
        self._evidence_ids: tuple[str, ...] = ("alert",)
        self._cited: tuple[str, ...] = ()
        self._last_tool: tuple[str, str] | None = None
        self._calls = 0
        self._tokens_spent: int | None = None
        self._next = 0
        self._ended = False

    @property
    def next_stage(self) -> Stage | None:
        """The stage that `advance` would ask; None when the run is over."""
        return None if self._ended or self._next >= len(STAGES) else STAGES[self._next]

    def request(self) -> ModelRequest:
        """
        The question of the next stage, as the agent will be sent it.

        Raises:
            RuntimeError: the run is over.
        """
        stage = self.next_stage
        if stage is None:
            raise RuntimeError("the run is over: there is no next stage")
        instruction = self._instructions.for_stage(stage, self._evidence_ids)
        turns = tuple(self._turns)
        return ModelRequest.trusted(
            system_prompt=self._system_prompt,
            messages=(*turns, Message(role=Role.USER, content=instruction, trust=Trust.TRUSTED)),
            run_id=self._ids.run_id,
            trace_id=self._ids.trace_id,
            incident_id=self._ids.incident_id,
            stage=stage,
            instruction=instruction,
            alert=self._alert,
            evidence_ids=self._evidence_ids,
            tools=self._offers(stage),
            turns=turns,
            response_schema=reply_schema_for(stage),
        )

    async def advance(self, provider: ModelProvider, request: ModelRequest) -> StageRecord:
        """
        Ask the next stage and deal with the answer.

        Args:
            request: what `request()` gave for this stage.
        """
        stage = self.next_stage
        assert stage is not None
        assert stage is request.stage
        response = await ask(provider, request, self._last_tool, self._clock, self._call_seconds)
        reading = read(response, self._evidence_ids, self._cited)
        record = await self._settle(stage, request, response, reading)
        self._next += 1
        self._ended = record.ended_run
        return record

    def _count_tokens(self, response: ModelResponse) -> None:
        """Of the replies, where the agent reports them: an estimate of ours is no report."""
        usage = response.usage
        if usage is not None and not usage.estimated and usage.output_tokens is not None:
            self._tokens_spent = (self._tokens_spent or 0) + usage.output_tokens

    def _offers(self, stage: Stage) -> tuple[ToolOffer, ...]:
        return self._gate.read_tools() if SPECS[stage].answer == "read" else ()

    async def _settle(
        self, stage: Stage, request: ModelRequest, response: ModelResponse, reading: Reading
    ) -> StageRecord:
        approved = self._approves(response.model)
        self._count_tokens(response)
        call, status, reason = await self._deal(stage, reading, approved)
        return StageRecord.trusted(
            stage=stage,
            request=request,
            response=response,
            reading=reading,
            call=call,
            status=status,
            reason_code=reason,
            ended_run=status is not StageStatus.PASSED,
            model_approved=approved,
            withheld_slots=self._gate.withheld(whole_answer(response)),
        )

    async def _deal(
        self, stage: Stage, reading: Reading, approved: bool
    ) -> tuple[CallRecord | None, StageStatus, str | None]:
        answer = SPECS[stage].answer
        match reading:
            case Malformed():
                return None, StageStatus.ERROR, reading.reason_code
            case RefusalReply():
                return None, StageStatus.REFUSED, reading.code
            case FindingProposal() if answer == "finding":
                self._keep_finding(reading)
                return None, StageStatus.PASSED, None
            case FindingProposal():
                return None, StageStatus.ERROR, ErrorCode.WRONG_STAGE.value
            case ToolProposal() if self._offered(answer, reading.name):
                call = await self._submit(stage, reading, approved)
                fault = call.ruling.fault if call.ruling else ""
                return call, StageStatus.ERROR if fault else StageStatus.PASSED, fault or None
            case ToolProposal():
                call = CallRecord.trusted(stage=stage, name=reading.name, arguments=reading.arguments, wrong_stage=True)
                return call, StageStatus.ERROR, ErrorCode.WRONG_STAGE.value

    def _offered(self, answer: str, name: str) -> bool:
        if answer == "read":
            return not self._gate.is_action(name)
        return answer == "action" and not self._gate.is_read_tool(name)

    async def _submit(self, stage: Stage, proposal: ToolProposal, approved: bool) -> CallRecord:
        context = StageContext.trusted(
            stage=stage,
            evidence_ids=self._evidence_ids,
            model_approved=approved,
            calls_so_far=self._calls,
            tokens_spent=self._tokens_spent,
        )
        evidence_id = f"{proposal.name}:{len(self._evidence_ids)}"
        record = await self._gate.submit(proposal, context, evidence_id)
        self._calls += 1
        if SPECS[stage].answer == "read":
            self._keep_result(record)
        return record

    def _keep_result(self, record: CallRecord) -> None:
        if record.evidence_id is not None:
            self._evidence_ids = (*self._evidence_ids, record.evidence_id)
            content: JsonObject = {"evidence_id": record.evidence_id, "result": record.shown}
        else:
            content = {"error": record.error or _denial(record)}
        message = _message(Role.TOOL, content, record.name)
        self._turns.append(message)
        self._last_tool = (record.name, message.content)

    def _keep_finding(self, reading: FindingProposal) -> None:
        self._cited = cited_by(reading, self._evidence_ids)
        shown = self._gate.present(reading.finding.model_dump(mode="json"))
        self._turns.append(_message(Role.ASSISTANT, {"finding": shown}))


def _denial(record: CallRecord) -> str:
    reasons = ", ".join(record.ruling.reasons) if record.ruling else ""
    return f"the call was not run: {reasons or 'no reason given'}"


def _message(role: Role, content: JsonObject, tool_name: str | None = None) -> Message:
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return Message(role=role, content=text, trust=Trust.UNTRUSTED, tool_name=tool_name)
