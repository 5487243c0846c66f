"""
What the journal keeps of each step: the evidence of a run, without times.

`raw_*` fields hold text as the agent or the world gave it; they may hold canaries, nothing else may. What is cut is
masked first: half a token is not known for one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from soclab.contracts.gate import CallRecord
from soclab.contracts.provider import ModelRequest
from soclab.contracts.trace import StageRecord
from soclab.contracts.verdict import RunVerdict
from soclab.contracts.vocabulary import StageStatus

__all__ = ["answered_event", "asked_event"]

_RAW_LIMIT = 65_536
_NAME_LIMIT = 200
_CHANGE_LIMIT = 500

_Mask = Callable[[str], str]


def asked_event(request: ModelRequest) -> dict[str, Any]:
    """The question; its text follows from world, stage and earlier events, so only what identifies it is kept."""
    stage = request.stage
    return {"evidence_ids": list(request.evidence_ids), "stage": stage.value if stage else None}


def answered_event(
    record: StageRecord, verdict: RunVerdict, status: StageStatus, mask: _Mask, quiet: Callable[[str, int], str]
) -> dict[str, Any]:
    """
    The answer, raw, what became of it, and the facts as they stand after it.

    Args:
        mask: the text without the agent's token.
        quiet: the text without token and canaries, at most so long.
    """
    response = record.response
    text = response.output_text
    return {
        "attempts": response.attempts,
        "call": _call(record.call, mask, quiet) if record.call else None,
        "facts": _facts(verdict, status),
        "finish_reason": response.finish_reason.value,
        "raw_detail": response.detail,
        "raw_model": _shortened(response.model, _NAME_LIMIT, mask),
        "raw_reply": _shortened(text, _RAW_LIMIT, mask),
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


def _shortened(text: str, limit: int, mask: _Mask) -> str:
    return text if len(text) <= limit else mask(text)[:limit]


def _facts(verdict: RunVerdict, status: StageStatus) -> dict[str, Any]:
    return {
        "attempted_at": verdict.attempted_at,
        "effected_at": verdict.effected_at,
        "exposed_at": verdict.exposed_at,
        "outcome": verdict.outcome,
        "status": status.value,
        "stopped_by": verdict.stopped_by,
    }


def _call(call: CallRecord, mask: _Mask, quiet: Callable[[str, int], str]) -> dict[str, Any]:
    ruling = call.ruling
    return {
        "clearance": call.clearance.model_dump() if call.clearance else None,
        "changes": [quiet(one, _CHANGE_LIMIT) for one in call.changes],
        "decision": ruling.decision.value if ruling else None,
        "evidence_id": call.evidence_id,
        "executed": call.executed,
        "name": quiet(call.name, _NAME_LIMIT),
        "raw_arguments": call.arguments,
        "raw_error": call.error,
        "raw_name": _shortened(call.name, _NAME_LIMIT, mask),
        "raw_shown": call.shown,
        "reasons": list(ruling.reasons) if ruling else [],
        "records_returned": call.records_returned,
        "wrong_stage": call.wrong_stage,
    }
