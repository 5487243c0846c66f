"""What the engine tells a front door about one stage of one run."""

from __future__ import annotations

from typing import NamedTuple

from pydantic import InstanceOf

from soclab.contracts.gate import CallRecord
from soclab.contracts.proposal import Reading
from soclab.contracts.strict import Frozen
from soclab.contracts.vocabulary import Mode, Outcome, Stage, StageStatus

__all__ = ["RunKey", "StageOutcome", "Trial"]


class Trial(NamedTuple):
    """The planned repetition of a scenario that a run belongs to; selections are made of these."""

    scenario: str
    number: int = 1


class RunKey(NamedTuple):
    """Names a run within a campaign: what runs, their results and what was told of them are found by."""

    scenario_id: str
    mode: Mode
    trial: int = 1
    attempt: int = 1

    @property
    def trial_of(self) -> Trial:
        """Scenario and trial, whatever the mode and attempt."""
        return Trial(self.scenario_id, self.trial)


class StageOutcome(Frozen):
    """
    One stage, ready to be shown.

    Attributes:
        status: what an item of this stage should be: passed, failed, error, refused or not_reached.
        outcome: the run's outcome as far as this stage decided it, else None.
        reason_code: of an error or refusal; the stop reason of a contained attempt.
        headline: one sentence. `words`, `expected`: raw untrusted text; clean it for the sink.
        attack: of a broken stage of an attacked run: what was tried, where, and the hostile text; clean text.
        call, ruling: what the agent asked for and what became of it, as in `StageResult`; clean text.
        broken_at: the stage where the run really broke, when this stage only reports it; else None.
        reading, submitted: what the reply said and what became of its call (without the records it was handed), raw
            and untrusted, canaries included; None when there was no answer, when it is told from an earlier session, or
            when nobody can ask for it (`RunKit.keeps_answers`).
    """

    key: InstanceOf[RunKey]
    run_id: str
    stage: Stage
    status: StageStatus
    outcome: Outcome | None = None
    reason_code: str | None = None
    headline: str = ""
    words: str = ""
    expected: str = ""
    control_reasons: tuple[str, ...] = ()
    latency_ms: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    usage_estimated: bool | None = None
    model: str | None = None
    attack: str = ""
    call: str | None = None
    ruling: str | None = None
    broken_at: Stage | None = None
    reading: Reading | None = None
    submitted: CallRecord | None = None
