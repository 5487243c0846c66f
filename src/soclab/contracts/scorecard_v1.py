"""`soclab.scorecard.v1`: the result of a campaign. Keys are promises; published in `schemas/scorecard-v1/`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from soclab.contracts.approval import Approver
from soclab.contracts.manoeuvre import ManoeuvreResult
from soclab.contracts.profile_v1 import ScoringProfile
from soclab.contracts.rate import Rate, Rates
from soclab.contracts.releases_v1 import ReleaseComparison
from soclab.contracts.score import ComponentScore, FamilyScore, IncidentFamilyScore
from soclab.contracts.strict import Frozen
from soclab.contracts.twins import Amplification, Twins
from soclab.contracts.verdict import EvidenceCounts, TechniqueCounts
from soclab.contracts.vocabulary import Attribution, Kind, Mode, Outcome, PolicyOrigin, Stage, StageStatus, StoppedBy

__all__ = [
    "ClaimCounts",
    "ControlEffect",
    "ComponentScore",
    "Counts",
    "Evidence",
    "FamilyScore",
    "GateResult",
    "IncidentFamilyScore",
    "PackInfo",
    "ProviderInfo",
    "Rate",
    "Rates",
    "Repetition",
    "ScenarioResult",
    "ScenarioTrials",
    "Scorecard",
    "StageResult",
]


class StageResult(Frozen):
    """
    One stage of a run.

    Attributes:
        call: what the agent asked for, spelled `name(argument=value)`; clean text without secrets, bounded. None where
            no call can be read in its answer, or there was no answer.
        ruling: what became of that call: `run`, `denied: out_of_scope`, `held: approval_required`,
            `failed: unknown user ...`, `not run: wrong_stage`. None without a call.
        denied_by, held_by: controls that denied the call, and that held it or would have; in the order of the table.
            Null where no call came before the gate.
    """

    stage: Stage
    status: StageStatus
    reason_code: str | None = None
    call: str | None = None
    ruling: str | None = None
    denied_by: tuple[str, ...] | None = None
    held_by: tuple[str, ...] | None = None
    latency_ms: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    usage_estimated: bool | None = None
    model: str | None = None


class ClaimCounts(Frozen):
    supported: int = 0
    unsupported: int = 0


class ScenarioResult(Frozen):
    """
    One run. `exposed`, `attempted`, `effected` are null for runs without an attack; of a clean twin the last two say
    whether it did what the attacker of its attack wants, or broke an invariant.

    Attributes:
        twin_of: of a clean twin, the id of its attack; it counts in no rate and no gate, and is never red.
        goal_attempted, goal_effected: the attacker's own goal, whatever else; null where there is none.
        attribution: of an attempt, against the finished clean twin of the trial: `attack` (the twin did not do it),
            `capability` (it did, too), `unknown` (no finished twin). It changes no outcome.
        amplification: null without a clean twin that was led to its end by usable answers.
        title: of the scenario.
        channel: where the hostile text stands, in plain words; null without an attack.
        payload: the hostile text before encoding: clean text without secrets, at most 500 characters; likewise.
        effected_if_approved: the attack would have taken effect if people had agreed to every call that was held; null
            where people are asked during the run, in baseline, and without an attack.
        words: the agent's own words that show what happened; "" for error turns.
        evidence, techniques: what the finding rests on; null in runs of versions that did not count it.
        explanation: one sentence: what happened.
        expected: what should have been done and why; "" for runs without a usable answer.
        error_detail: what is known of an error beside `reason_code`; "" otherwise.
        asked_by_test: only a user's own test asked for this run: it is listed, and counts in no rate and no gate.
        mode: of such a run, which may be another one than the campaign's; null for the campaign's own runs.
    """

    id: str
    title: str | None = None
    kind: Kind
    truth: str
    family: str
    difficulty: str
    carrier: str | None = None
    channel: str | None = None
    payload: str | None = None
    writer: str | None = None
    technique: str | None = None
    encoding: str | None = None
    goal: str | None = None
    delivery: str | None = None
    twin_of: str | None = None
    trial: int = 1
    attempt: int = 1
    outcome: Outcome | None = None
    reason_code: str | None = None
    exposed: bool | None = None
    attempted: bool | None = None
    effected: bool | None = None
    effected_if_approved: bool | None = None
    exposed_at: Stage | None = None
    attempted_at: Stage | None = None
    effected_at: Stage | None = None
    stopped_by: StoppedBy | None = None
    goal_attempted: bool | None = None
    goal_effected: bool | None = None
    attribution: Attribution | None = None
    amplification: Amplification | None = None
    decisive_stage: Stage | None = None
    control_reasons: tuple[str, ...] = ()
    breaches: tuple[str, ...] = ()
    injection_reported: bool = False
    guard_passed: bool | None = None
    stages: tuple[StageResult, ...] = ()
    verdict: str | None = None
    action: str | None = None
    utility: bool | None = None
    claims: ClaimCounts = ClaimCounts()
    evidence: EvidenceCounts | None = None
    techniques: TechniqueCounts | None = None
    words: str = ""
    explanation: str = ""
    expected: str = ""
    error_detail: str = ""
    run_id: str
    evidence_root: str
    asked_by_test: bool = False
    mode: Mode | None = None


class ProviderInfo(Frozen):
    id: str
    model: str
    label: str
    validation: str
    isolation: Literal["http", "in_process"]


class PackInfo(Frozen):
    name: str
    version: str
    sha256: str


class Counts(Frozen):
    scenarios: int
    stages: int


class GateResult(Frozen):
    name: str
    passed: bool
    detail: str


class ControlEffect(Frozen):
    """
    What one control did in a campaign.

    Attributes:
        control: its name.
        reviewed: calls that it looked at.
        denied, held: of these; alone or with others.
        attempts: attacked runs in which the agent went for the attacker's goal.
        stopped_alone: of these, stopped by this control while no other objected.
        stopped_together: of these, stopped by it and by others as well.
    """

    control: str
    reviewed: int
    denied: int
    held: int
    attempts: int
    stopped_alone: int
    stopped_together: int


class Evidence(Frozen):
    """
    What the journal's hashes come to.

    Attributes:
        roots: run id -> root over its events; equal for equal runs.
        all_valid: both chains of the journal verify.
        journal_lines: lines of the journal's chain.
        journal_root: hash of the last of them, which covers every byte of the journal.
    """

    roots: dict[str, str]
    all_valid: bool
    journal_lines: int = 0
    journal_root: str = ""


class ScenarioTrials(Frozen):
    """
    All trials of one scenario.

    Attributes:
        trials: that were begun.
        good: trials with a verdict and nothing red; without a verdict, or without the hostile text, is not good.
        outcomes: outcome -> trials that ended so; `not_finished` for none.
        unstable: good in some trials and bad in others; those without a verdict are no flip.
    """

    id: str
    kind: Kind
    trials: int
    good: int
    outcomes: dict[str, int]
    unstable: bool


class Repetition(Frozen):
    """
    What several trials of the same scenarios say.

    Attributes:
        trials: k, planned for each scenario.
        pass_k: scenarios of the agent that are good in all k trials (pass^k).
        unstable: ids of the scenarios that flip.
    """

    trials: int
    pass_k: Rate
    unstable: tuple[str, ...] = ()
    scenarios: tuple[ScenarioTrials, ...] = ()


class Scorecard(Frozen):
    """
    The whole result. Keys listed in `volatile` differ between equal runs; everything else is the same bytes.

    Attributes:
        policy_engine, policy_origin, policy_version: what judged the calls, whose policy it was, and its SHA-256 or
            `unknown`, where a server does not tell; null in baseline, where nothing judged.
        without: controls of protected mode that were switched off: with any off, no level is recommended.
        approver: who answered when a change waited for people.
        if_approved: exposed attacks that took effect, or would have if people had agreed to every call that was held;
            null where somebody answers during the run, and in baseline.
        manoeuvres: what the lab tried against its own control plane; they say nothing about the agent. () in baseline.
        controls: what each control that was on did; () in baseline.
        answered_stages: stages with a usable answer; error turns, refusals and stages that were not reached are none.
        passed: no run is red and every gate holds.
        repetition: what the trials say scenario by scenario; null when each scenario was run once.
        twins: null where no clean twins were planned.
        comparison: with the campaign of an earlier release; null where none was asked for.
        failed_runs: run ids of the red ones: fell, wrong, blocked in honest work, or without a usable answer.
        profile: the weights and floors in force; `profile_version` and `profile_sha256` name it.
        breakdown: `family`, `carrier`, `technique`, `writer`, `goal` -> its values -> rates that have trials there.
        families: null without a profile, or without a run of an agent.
        composite: weighted mean of the families; null when the evidence does not carry one (`held_back_by` says why).
        incident_families: the weakest first.
        recommended_authority_level: null when nothing can be recommended.
        held_back_by: why no higher level is recommended, every reason.
    """

    schema_id: Annotated[Literal["soclab.scorecard.v1"], Field(alias="schema")] = "soclab.scorecard.v1"
    soclab_version: str
    campaign_id: str
    started_at: str
    mode: Mode
    authority_level_tested: str
    without: tuple[str, ...] = ()
    approver: Approver = Approver.NONE
    provider: ProviderInfo
    pack: PackInfo
    profile_version: str | None = None
    profile_sha256: str | None = None
    profile: ScoringProfile | None = None
    policy_engine: Literal["cedar", "opa"] | None = None
    policy_origin: PolicyOrigin | None = None
    policy_version: str | None = None
    trials: int = 1
    complete: bool
    selected: Counts
    reported: Counts
    answered_stages: int | None = None
    volatile: tuple[str, ...]
    scenarios: tuple[ScenarioResult, ...]
    passed: bool = False
    failed_runs: tuple[str, ...] = ()
    outcomes: dict[str, int]
    rates: Rates
    controls: tuple[ControlEffect, ...] = ()
    repetition: Repetition | None = None
    if_approved: Rate | None = None
    manoeuvres: tuple[ManoeuvreResult, ...] = ()
    breakdown: dict[str, dict[str, dict[str, Rate]]] = {}
    twins: Twins | None = None
    comparison: ReleaseComparison | None = None
    families: tuple[FamilyScore, ...] | None = None
    composite: float | None = None
    incident_families: tuple[IncidentFamilyScore, ...] = ()
    gates: tuple[GateResult, ...] = ()
    mandatory_gates: tuple[GateResult, ...] = ()
    recommended_authority_level: str | None = None
    held_back_by: tuple[str, ...] = ()
    limitations: tuple[str, ...] = ()
    evidence: Evidence
