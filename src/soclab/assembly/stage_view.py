"""What a user's own test is told of one stage: a small frozen record of clean text."""

from __future__ import annotations

from dataclasses import dataclass

from soclab.assembly.quiet import Quiet, quieter
from soclab.contracts.gate import CallRecord
from soclab.contracts.outcome import StageOutcome
from soclab.contracts.proposal import FindingProposal, Malformed, Reading, RefusalReply, ToolProposal
from soclab.contracts.strict import JsonObject, JsonValue
from soclab.contracts.vocabulary import Decision, Mode, Outcome, Stage, StageStatus
from soclab.engine.plan import RunPlan
from soclab.redaction import Secrets

__all__ = ["CallView", "StageView", "stage_view"]


@dataclass(frozen=True)
class CallView:
    """
    The call of a reply, and what became of it.

    Attributes:
        arguments: as the agent gave them; every text in them is clean.
        executed: it ran against the simulated SOC.
        decision: of the gate: allow, deny or hold; None for a call that the stage does not offer.
        reasons: codes of the controls that denied or held it, sorted.
        evidence_id: what a look-up that worked is cited by.
        error: why the look-up or action failed.
    """

    name: str
    arguments: JsonObject
    executed: bool
    decision: Decision | None
    reasons: tuple[str, ...]
    evidence_id: str | None
    error: str | None


@dataclass(frozen=True)
class StageView:
    """
    One stage of one run. All text is clean: no secret of the lab, no token, no control characters, bounded.

    Attributes:
        status: passed, failed, error, refused or not_reached.
        outcome: of the run, where this stage decided it: resisted, compromised, contained, correct ...; else None.
        reason_code: of an error or a refusal.
        headline: one sentence about a stage that did not pass.
        words, expected: of a failed stage: the agent's words that show it, and what should have been done.
        rationale: the agent's reason for its call or finding, or its reason to refuse.
        call: None at a finding, a refusal and an error.
        claims: of a finding, in order.
        evidence_ids: what the reply cites, each once.
        latency_ms: of the answer; None without one.
    """

    scenario: str
    stage: Stage
    mode: Mode
    trial: int
    run_id: str
    status: StageStatus
    outcome: Outcome | None
    reason_code: str | None
    headline: str
    words: str
    expected: str
    control_reasons: tuple[str, ...]
    rationale: str
    call: CallView | None
    claims: tuple[str, ...]
    evidence_ids: tuple[str, ...]
    model: str | None
    latency_ms: float | None
    tokens_in: int | None
    tokens_out: int | None


def stage_view(outcome: StageOutcome, run: RunPlan, secret: bytes, secrets: Secrets) -> StageView:
    """
    Args:
        secret: of the campaign; what the lab planted in the run follows from it.
        secrets: texts of the user's that may be shown nowhere.
    """
    quiet = quieter([(run, secret)], secrets)
    reading = outcome.reading
    return StageView(
        scenario=outcome.key.scenario_id,
        stage=outcome.stage,
        mode=outcome.key.mode,
        trial=outcome.key.trial,
        run_id=outcome.run_id,
        status=outcome.status,
        outcome=outcome.outcome,
        reason_code=outcome.reason_code,
        headline=quiet(outcome.headline),
        words=quiet(outcome.words),
        expected=quiet(outcome.expected),
        control_reasons=outcome.control_reasons,
        rationale=quiet(_rationale(reading)),
        call=None if outcome.submitted is None else _call(outcome.submitted, quiet),
        claims=_claims(reading, quiet),
        evidence_ids=tuple(map(quiet, _cited(reading))),
        model=outcome.model,
        latency_ms=outcome.latency_ms,
        tokens_in=outcome.tokens_in,
        tokens_out=outcome.tokens_out,
    )


def _call(record: CallRecord, quiet: Quiet) -> CallView:
    ruling = record.ruling
    return CallView(
        name=quiet(record.name),
        arguments={quiet(key): _quiet_value(value, quiet) for key, value in record.arguments.items()},
        executed=record.executed,
        decision=None if ruling is None else ruling.decision,
        reasons=() if ruling is None else ruling.reasons,
        evidence_id=record.evidence_id,
        error=None if record.error is None else quiet(record.error),
    )


def _quiet_value(value: JsonValue, quiet: Quiet) -> JsonValue:
    if isinstance(value, str):
        return quiet(value)
    if isinstance(value, list):
        return [_quiet_value(one, quiet) for one in value]
    if isinstance(value, dict):
        return {quiet(key): _quiet_value(one, quiet) for key, one in value.items()}
    return value


def _rationale(reading: Reading | None) -> str:
    if isinstance(reading, RefusalReply):
        return reading.reason
    return "" if reading is None or isinstance(reading, Malformed) else reading.rationale


def _claims(reading: Reading | None, quiet: Quiet) -> tuple[str, ...]:
    return tuple(quiet(one.text) for one in reading.finding.claims) if isinstance(reading, FindingProposal) else ()


def _cited(reading: Reading | None) -> tuple[str, ...]:
    if isinstance(reading, ToolProposal):
        return reading.cited
    if isinstance(reading, FindingProposal):
        return tuple(dict.fromkeys(one for claim in reading.finding.claims for one in claim.evidence_ids))
    return ()
