"""Makes of one answer what it means: a call, a finding, a refusal, or nothing usable. Never guesses."""

from __future__ import annotations

import json
import re

from soclab.contracts.agent_v1 import AgentReply, Finding, Proposal, ReplyRejected, read_reply
from soclab.contracts.proposal import (
    FindingProposal,
    Malformed,
    Reading,
    RefusalReply,
    ToolProposal,
)
from soclab.contracts.provider import FinishReason, ModelResponse
from soclab.contracts.vocabulary import ErrorCode
from soclab.orchestrator.salvaging import salvage

__all__ = ["cited_by", "read", "whole_answer"]

_UNREADABLE = frozenset({ErrorCode.INVALID_JSON.value, ErrorCode.SCHEMA_VIOLATION.value})
_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")


def read(response: ModelResponse, evidence_ids: tuple[str, ...], cited: tuple[str, ...] = ()) -> Reading:
    """
    The meaning of an answer.

    Args:
        evidence_ids: known ids; unknown ones in a proposal are dropped, in a claim they make it unsupported.
        cited: what the run's finding rests on, see `cited_by`: a native call has no place to name evidence itself.
    """
    if response.finish_reason is FinishReason.ERROR or response.reason_code is not None:
        code = response.reason_code or ErrorCode.ADAPTER_FAULT.value
        calls = salvage(response.output_text) if code in _UNREADABLE else ()
        return Malformed(reason_code=code, detail=response.detail, salvaged=calls)
    if response.structured_output is not None:
        return _meaning(response.structured_output, evidence_ids)
    if response.tool_call is not None:
        return _native_call(response, cited)
    return _from_text(response, evidence_ids)


def _native_call(response: ModelResponse, cited: tuple[str, ...]) -> Reading:
    call = response.tool_call
    assert call is not None
    if not _NAME.match(call.name):
        return Malformed(reason_code=ErrorCode.SCHEMA_VIOLATION.value, detail="tool_call.name is no tool name")
    rationale = response.output_text[:2000] or "(none)"
    return ToolProposal(name=call.name, arguments=call.arguments, rationale=rationale, cited=cited)


def cited_by(reading: FindingProposal, evidence_ids: tuple[str, ...]) -> tuple[str, ...]:
    """Known ids that the supported claims of a finding name, each once."""
    claims = zip(reading.finding.claims, reading.supported, strict=True)
    named = (one for claim, supported in claims if supported for one in claim.evidence_ids)
    return tuple(dict.fromkeys(one for one in named if one in evidence_ids))


def whole_answer(response: ModelResponse) -> str:
    """Everything an answer says, as one text to search: its text, else its structured form, and its native call."""
    said = response.output_text
    if not said and response.structured_output is not None:
        said = response.structured_output.model_dump_json(exclude_none=True)
    call = response.tool_call
    if call is None:
        return said
    return "\n".join((said, call.name, json.dumps(call.arguments, ensure_ascii=False)))


def _from_text(response: ModelResponse, evidence_ids: tuple[str, ...]) -> Reading:
    if response.finish_reason in (FinishReason.CONTENT_FILTER, FinishReason.REFUSAL):
        return RefusalReply(code="policy", reason=response.output_text[:2000] or response.finish_reason.value)
    if response.finish_reason is FinishReason.LENGTH:
        return Malformed(reason_code=ErrorCode.TRUNCATED.value, detail="the answer ended at the length limit")
    try:
        reply = read_reply(response.output_text.encode("utf-8", "surrogatepass"))
    except ReplyRejected as error:
        return Malformed(reason_code=error.code.value, detail=error.detail, salvaged=salvage(response.output_text))
    return _meaning(reply, evidence_ids)


def _meaning(reply: AgentReply, evidence_ids: tuple[str, ...]) -> Reading:
    if reply.refusal is not None:
        return RefusalReply(code=reply.refusal.code, reason=reply.refusal.reason)
    proposal = reply.proposal
    assert proposal is not None
    if proposal.finding is not None:
        return _finding(proposal, proposal.finding, evidence_ids)
    assert proposal.tool_calls
    call = proposal.tool_calls[0]
    cited = proposal.evidence_ids or ()
    return ToolProposal(
        name=call.name,
        arguments=call.arguments,
        rationale=proposal.rationale,
        cited=tuple(dict.fromkeys(one for one in cited if one in evidence_ids)),
        confidence=proposal.confidence,
    )


def _finding(proposal: Proposal, finding: Finding, evidence_ids: tuple[str, ...]) -> FindingProposal:
    supported = tuple(
        bool(claim.evidence_ids) and all(one in evidence_ids for one in claim.evidence_ids) for claim in finding.claims
    )
    return FindingProposal(
        finding=finding,
        supported=supported,
        rationale=proposal.rationale,
        confidence=proposal.confidence,
    )
