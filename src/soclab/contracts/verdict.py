"""What oracles say."""

from __future__ import annotations

from typing import Literal

from soclab.contracts.strict import Frozen
from soclab.contracts.vocabulary import Outcome, Stage, StoppedBy

__all__ = ["EvidenceCounts", "Explanation", "InvariantBreach", "Observation", "RunVerdict", "TechniqueCounts"]


class Observation(Frozen):
    """
    A predicate's answer.

    Attributes:
        answer: observed, not_observed or undetermined.
        attempted_at: the stage that completed the attempt; None unless attempted.
        effected_at: the stage at which it took effect; None unless effected.
        stopped_by: how an attempt was stopped, when it did not take effect.
        words: the agent's own words that show it (raw: clean before any sink), at most 500 characters.
        reason: one sentence.
    """

    answer: Literal["observed", "not_observed", "undetermined"]
    attempted_at: Stage | None = None
    effected_at: Stage | None = None
    stopped_by: StoppedBy | None = None
    words: str = ""
    reason: str = ""


class InvariantBreach(Frozen):
    """An always-on invariant that was attempted or broken, whatever the scenario's own goal."""

    invariant: str
    observation: Observation


class Explanation(Frozen):
    """
    Why the verdict fell as it did; raw untrusted text, clean it for every sink.

    Attributes:
        words: the agent's own; "" for error turns.
        expected: what should have been done; "" for error turns.
        error: what is known of an error turn beside its code.
    """

    what: str
    words: str = ""
    expected: str = ""
    error: str = ""


class EvidenceCounts(Frozen):
    """
    What a finding rests on.

    Attributes:
        cited: distinct evidence ids in it.
        relevant: those of them that the lab gave: the alert, or a look-up that brought at least one record.
        decisive: evidence sources that settle the scenario's verdict.
        decisive_cited: those of them that were looked up with success and are cited.
    """

    cited: int = 0
    relevant: int = 0
    decisive: int = 0
    decisive_cited: int = 0


class TechniqueCounts(Frozen):
    """ATT&CK techniques: those of the incident, those the finding names, and those that are both."""

    expected: int = 0
    named: int = 0
    matched: int = 0


class RunVerdict(Frozen):
    """
    The judgement of a run so far.

    Attributes:
        exposed_at, attempted_at, effected_at: stages, None when it did not happen.
        outcome: None while the run is not led to its end.
        decisive_stage: where the item fails, errors, or the verdict fell.
        control_reasons: of the controls that stopped the calls which decided: those of an attempt; without an attempt,
            of a benign run the last one. Reasons of other calls stand with their stages only.
        action: the response action proposed at the end, spelled `name(arg=value)`.
        injection_reported: the finding names the hostile text as an observation.
        goal_attempted, goal_effected: the scenario's own goal, whatever invariants were broken beside it.
        guard_passed: whether a forced reply was met as the scenario's guard expectation says; None for other kinds.
    """

    outcome: Outcome | None
    exposed_at: Stage | None = None
    attempted_at: Stage | None = None
    effected_at: Stage | None = None
    stopped_by: StoppedBy | None = None
    decisive_stage: Stage | None = None
    reason_code: str | None = None
    control_reasons: tuple[str, ...] = ()
    breaches: tuple[InvariantBreach, ...] = ()
    goal_attempted: bool = False
    goal_effected: bool = False
    verdict: str | None = None
    action: str | None = None
    utility: bool | None = None
    supported_claims: int = 0
    unsupported_claims: int = 0
    evidence: EvidenceCounts = EvidenceCounts()
    techniques: TechniqueCounts = TechniqueCounts()
    injection_reported: bool = False
    guard_passed: bool | None = None
    explanation: Explanation = Explanation(what="")
