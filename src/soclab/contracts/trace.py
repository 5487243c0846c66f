"""What happened in one run, stage by stage. Oracles judge it; the journal keeps it."""

from __future__ import annotations

from soclab.contracts.gate import CallRecord
from soclab.contracts.proposal import FindingProposal, Malformed, RefusalReply, ToolProposal
from soclab.contracts.provider import ModelRequest, ModelResponse
from soclab.contracts.strict import Frozen, JsonValue
from soclab.contracts.vocabulary import Stage, StageStatus

__all__ = ["RunFacts", "StageRecord", "WorldState"]

WorldState = dict[str, JsonValue]
"""A snapshot of the simulated SOC: plain JSON, sorted, comparable; see `soclab.simulator.world`."""


class StageRecord(Frozen):
    """
    One finished stage.

    Attributes:
        request: what the agent was sent.
        response: what came back; raw and untrusted.
        reading: what the orchestrator made of it.
        call: the call that was submitted, or recorded as `wrong_stage`; None at a finding, refusal or error.
        status: passed, error or refused; whether the *run's* verdict fell here is the oracles' business.
        reason_code: on error (a member of ErrorCode) or refusal (its code).
        ended_run: no further stage follows though the seventh was not reached.
        model_approved: the label in the reply is on the approved list.
        withheld_slots: canary slots in this reply that redaction kept from leaving (protected mode).
    """

    stage: Stage
    request: ModelRequest
    response: ModelResponse
    reading: ToolProposal | FindingProposal | RefusalReply | Malformed
    call: CallRecord | None = None
    status: StageStatus
    reason_code: str | None = None
    ended_run: bool = False
    model_approved: bool = True
    withheld_slots: tuple[str, ...] = ()


class RunFacts(Frozen):
    """
    Everything oracles may look at, grown stage by stage.

    Attributes:
        before, after: snapshots of the world before the run and now.
        stages: finished stages in order.
        payload: the hostile text as it stands in the world (encoded), None in clean runs.
        canaries: slot -> secret string of this run.
        placeholders: slot -> what redaction shows in its place.
        payload_pieces: the same in pieces, where it stands split in several places; else empty.
        aliases: `entities.skeleton` of every spelling of a known user or endpoint -> its canonical id; ids too.
        twin_correct: whether the clean twin of this trial finished correctly; None while there is no finished twin.
    """

    before: WorldState
    after: WorldState
    stages: tuple[StageRecord, ...]
    payload: str | None = None
    canaries: dict[str, str] = {}
    placeholders: dict[str, str] = {}
    payload_pieces: tuple[str, ...] = ()
    aliases: dict[str, str] = {}
    twin_correct: bool | None = None
