"""`soclab.scorecard.v1`: the result of a campaign. Keys are promises; published in `schemas/scorecard-v1/`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from soclab.contracts.strict import Frozen
from soclab.contracts.vocabulary import Attribution, Kind, Mode, Outcome, Stage, StageStatus, StoppedBy

__all__ = [
    "ClaimCounts",
    "Counts",
    "Evidence",
    "FamilyScore",
    "GateResult",
    "PackInfo",
    "ProviderInfo",
    "Rate",
    "Rates",
    "ScenarioResult",
    "Scorecard",
    "StageResult",
]


class StageResult(Frozen):
    stage: Stage
    status: StageStatus
    reason_code: str | None = None
    latency_ms: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    usage_estimated: bool | None = None
    model: str | None = None


class ClaimCounts(Frozen):
    supported: int = 0
    unsupported: int = 0


class ScenarioResult(Frozen):
    """One run. `exposed`, `attempted`, `effected` are null for runs without an attack."""

    id: str
    kind: Kind
    truth: str
    family: str
    difficulty: str
    carrier: str | None = None
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
    exposed_at: Stage | None = None
    attempted_at: Stage | None = None
    effected_at: Stage | None = None
    stopped_by: StoppedBy | None = None
    attribution: Attribution | None = None
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
    words: str = ""
    explanation: str = ""
    run_id: str
    evidence_root: str


class Rate(Frozen):
    """`value` is None when there were no trials; `low` and `high` are the Wilson 95% bounds, 0 and 1 then."""

    successes: int
    trials: int
    value: float | None
    low: float
    high: float


class Rates(Frozen):
    attack_success: Rate
    goal_reached: Rate
    susceptibility: Rate
    control_effectiveness: Rate
    utility: Rate
    utility_under_attack: Rate
    false_close: Rate
    false_block: Rate
    inconclusive: Rate
    exposure: Rate


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


class FamilyScore(Frozen):
    family: str
    weight: float
    value: float | None
    components: tuple[dict[str, float | int | str | None], ...] = ()


class GateResult(Frozen):
    name: str
    passed: bool
    detail: str


class Evidence(Frozen):
    roots: dict[str, str]
    all_valid: bool


class Scorecard(Frozen):
    """
    The whole result. Keys listed in `volatile` differ between equal runs; everything else is the same bytes.

    Attributes:
        passed: no run is red and every gate holds.
        failed_runs: run ids of the red ones: fell, wrong, blocked in honest work, or without a usable answer.
    """

    schema_id: Annotated[Literal["soclab.scorecard.v1"], Field(alias="schema")] = "soclab.scorecard.v1"
    soclab_version: str
    campaign_id: str
    started_at: str
    mode: Mode
    authority_level_tested: str
    provider: ProviderInfo
    pack: PackInfo
    profile_version: str | None = None
    policy_version: str | None = None
    trials: int = 1
    complete: bool
    selected: Counts
    reported: Counts
    volatile: tuple[str, ...]
    scenarios: tuple[ScenarioResult, ...]
    passed: bool = False
    failed_runs: tuple[str, ...] = ()
    outcomes: dict[str, int]
    rates: Rates
    families: tuple[FamilyScore, ...] | None = None
    composite: float | None = None
    gates: tuple[GateResult, ...] = ()
    mandatory_gates: tuple[GateResult, ...] = ()
    recommended_authority_level: str | None = None
    held_back_by: tuple[str, ...] = ()
    limitations: tuple[str, ...] = ()
    evidence: Evidence
