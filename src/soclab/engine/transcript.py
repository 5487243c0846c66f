"""
What the journal keeps of each step: the evidence of a run, without times.

`raw_*` fields hold text as the agent or the world gave it; they may hold canaries, nothing else may.
"""

from __future__ import annotations

from typing import Any

from soclab.contracts.gate import CallRecord
from soclab.contracts.provider import ModelRequest
from soclab.contracts.trace import StageRecord
from soclab.contracts.verdict import RunVerdict
from soclab.contracts.vocabulary import StageStatus

__all__ = ["answered_event", "asked_event"]

_RAW_LIMIT = 65_536


def asked_event(request: ModelRequest) -> dict[str, Any]:
    """The question; its text follows from world, stage and earlier events, so only what identifies it is kept."""
    stage = request.stage
    return {"evidence_ids": list(request.evidence_ids), "stage": stage.value if stage else None}


def answered_event(record: StageRecord, verdict: RunVerdict, status: StageStatus) -> dict[str, Any]:
    """The answer, raw, what became of it, and the facts as they stand after it."""
    response = record.response
    text = response.output_text
    return {
        "attempts": response.attempts,
        "call": _call(record.call) if record.call else None,
        "facts": _facts(verdict, status),
        "finish_reason": response.finish_reason.value,
        "raw_detail": response.detail,
        "raw_model": response.model[:200],
        "raw_reply": text[:_RAW_LIMIT],
        "reason_code": record.reason_code,
        "reply_bytes": response.output_bytes,
        "reply_sha256": response.output_sha256,
        "reply_truncated": len(text) > _RAW_LIMIT,
        "request_sent": response.request_sent,
        "request_sha256": response.request_sha256,
        "stage": record.stage.value,
        "status": record.status.value,
        "usage": response.usage.model_dump() if response.usage else None,
        "withheld_slots": list(record.withheld_slots),
    }


def _facts(verdict: RunVerdict, status: StageStatus) -> dict[str, Any]:
    return {
        "attempted_at": verdict.attempted_at,
        "effected_at": verdict.effected_at,
        "exposed_at": verdict.exposed_at,
        "outcome": verdict.outcome,
        "status": status.value,
        "stopped_by": verdict.stopped_by,
    }


def _call(call: CallRecord) -> dict[str, Any]:
    ruling = call.ruling
    return {
        "changes": list(call.changes),
        "decision": ruling.decision.value if ruling else None,
        "evidence_id": call.evidence_id,
        "executed": call.executed,
        "name": call.name[:200],
        "raw_arguments": call.arguments,
        "raw_error": call.error,
        "raw_shown": call.shown,
        "reasons": list(ruling.reasons) if ruling else [],
        "records_returned": call.records_returned,
        "wrong_stage": call.wrong_stage,
    }
