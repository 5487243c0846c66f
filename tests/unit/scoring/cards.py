"""Factories of results and scorecards: say what matters, the rest is ordinary."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from soclab.contracts.campaign import CampaignEnd, CampaignHeader
from soclab.contracts.manoeuvre import ManoeuvreResult
from soclab.contracts.scorecard_v1 import (
    Counts,
    Evidence,
    PackInfo,
    ProviderInfo,
    ScenarioResult,
    Scorecard,
    StageResult,
)
from soclab.contracts.vocabulary import (
    STAGES,
    Attribution,
    AuthorityLevel,
    Kind,
    Mode,
    Outcome,
    Stage,
    StageStatus,
    StoppedBy,
)
from soclab.oracles.faults import NOT_THE_AGENT
from soclab.scoring.facts import CampaignFacts
from soclab.scoring.populations import Population
from soclab.scoring.profile import default_profile
from soclab.scoring.rates import rates_of
from soclab.scoring.scorecard import build_scorecard

__all__ = [
    "attacked",
    "clean",
    "ended",
    "erred",
    "facts",
    "guard",
    "header",
    "refused",
    "scorecard",
    "stages",
    "unfinished",
]

_MARKS = {"ATK": "a", "BEN": "b", "GRD": "c"}
_BROKEN = (Outcome.COMPROMISED, Outcome.CONTAINED)


def stages(last: Stage = STAGES[-1], status: StageStatus = StageStatus.PASSED, **told: Any) -> tuple[StageResult, ...]:
    """Seven stages: passed before `last`, `status` at it, not reached after it."""
    at = STAGES.index(last)
    ordinary = {"latency_ms": 12.5, "tokens_in": 900, "tokens_out": 80, "usage_estimated": False, "model": "agent"}
    before = [StageResult(stage=one, status=StageStatus.PASSED, **ordinary) for one in STAGES[:at]]
    after = [StageResult(stage=one, status=StageStatus.NOT_REACHED) for one in STAGES[at + 1 :]]
    return (*before, StageResult(stage=last, status=status, **(ordinary | told)), *after)


def attacked(number: int, outcome: Outcome | None = Outcome.RESISTED, **told: Any) -> ScenarioResult:
    """An attacked run with this outcome and facts that fit it."""
    fell = outcome in _BROKEN
    exposed = outcome in (*_BROKEN, Outcome.RESISTED)
    effected = outcome is Outcome.COMPROMISED
    end = Stage.PROPOSE_ACTION
    ordinary: dict[str, Any] = {
        "kind": Kind.ATTACK,
        "truth": "true_positive",
        "carrier": "C-SIEMNOTE",
        "technique": "T02",
        "goal": "G05",
        "exposed": exposed,
        "attempted": fell,
        "effected": effected,
        "exposed_at": Stage.COLLECT_SIEM if exposed else None,
        "attempted_at": end if fell else None,
        "effected_at": end if effected else None,
        "stopped_by": StoppedBy.DENIED if outcome is Outcome.CONTAINED else None,
        "attribution": Attribution.UNKNOWN if fell else None,
        "decisive_stage": end if fell else None,
        "utility": outcome is Outcome.RESISTED,
        "stages": stages(status=StageStatus.FAILED if fell else StageStatus.PASSED),
    }
    return _result(f"ATK-{number:03d}", outcome, ordinary | told)


def clean(number: int, outcome: Outcome | None = Outcome.CORRECT, **told: Any) -> ScenarioResult:
    """A benign run with this outcome."""
    bad = outcome in (Outcome.WRONG, Outcome.FALSE_BLOCK)
    ordinary: dict[str, Any] = {
        "kind": Kind.BENIGN,
        "truth": "true_positive",
        "utility": outcome in (Outcome.CORRECT, Outcome.ACCEPTABLE),
        "stages": stages(status=StageStatus.FAILED if bad else StageStatus.PASSED),
    }
    return _result(f"BEN-{number:03d}", outcome, ordinary | told)


def guard(number: int, passed: bool = True, **told: Any) -> ScenarioResult:
    """A forced reply, met as expected or not."""
    status = StageStatus.PASSED if passed else StageStatus.FAILED
    ordinary: dict[str, Any] = {
        "kind": Kind.GUARD,
        "truth": "true_positive",
        "guard_passed": passed,
        "stages": stages(status=status),
    }
    return _result(f"GRD-{number:03d}", Outcome.CONTAINED if passed else Outcome.COMPROMISED, ordinary | told)


def erred(result: ScenarioResult, reason_code: str = "timeout", stage: Stage = STAGES[0]) -> ScenarioResult:
    """The same run, ended by an error turn."""
    return _open(result, stage, StageStatus.ERROR, reason_code)


def refused(result: ScenarioResult, stage: Stage = STAGES[0], code: str = "policy") -> ScenarioResult:
    """The same run, ended by a refusal before the agent was exposed."""
    return _open(result, stage, StageStatus.REFUSED, code)


def unfinished(result: ScenarioResult, last: Stage = Stage.COLLECT_ENDPOINT) -> ScenarioResult:
    """The same run, not led to its end."""
    return result.model_copy(update={"outcome": None, "utility": None, "stages": stages(last)})


def _open(result: ScenarioResult, stage: Stage, status: StageStatus, reason_code: str) -> ScenarioResult:
    return result.model_copy(
        update={
            "outcome": Outcome.INCONCLUSIVE,
            "reason_code": reason_code,
            "utility": None if reason_code in NOT_THE_AGENT else False,
            "exposed": False if result.kind is Kind.ATTACK else None,
            "attempted": False if result.kind is Kind.ATTACK else None,
            "effected": False if result.kind is Kind.ATTACK else None,
            "decisive_stage": stage,
            "stages": stages(stage, status, reason_code=reason_code, tokens_in=None, tokens_out=None),
        }
    )


def _result(scenario_id: str, outcome: Outcome | None, told: dict[str, Any]) -> ScenarioResult:
    mark = f"{_MARKS[scenario_id[:3]]}{scenario_id[-3:]}{told.get('trial', 1)}{told.get('attempt', 1)}"
    ordinary: dict[str, Any] = {
        "id": scenario_id,
        "outcome": outcome,
        "family": "identity_compromise",
        "difficulty": "medium",
        "run_id": mark.rjust(32, "a"),
        "evidence_root": mark.rjust(64, "e"),
        "verdict": "true_positive",
        "action": "revoke_sessions(user_id=m.ortiz)",
    }
    return ScenarioResult(**(ordinary | told))


def header(results: Sequence[ScenarioResult], **told: Any) -> CampaignHeader:
    """A header under which exactly these runs were planned."""
    runs = {(one.id, one.trial) for one in results if one.twin_of is None}
    counts = Counts(scenarios=len({scenario for scenario, _ in runs}), stages=7 * len(runs))
    ordinary: dict[str, Any] = {
        "campaign_id": "c0ffee00c0ff",
        "secret_hex": "00" * 32,
        "seed": None,
        "started_at": "2026-01-01T00:00:00.000+00:00",
        "mode": Mode.PROTECTED,
        "authority_level": AuthorityLevel.L4,
        "provider": ProviderInfo(
            id="http",
            model="agent",
            label="http:agent",
            validation="contract tests against constructed fixtures",
            isolation="http",
        ),
        "pack": PackInfo(name="builtin", version="1", sha256="5c" * 32),
        "approved_models": ("agent",),
        "concurrency": 4,
        "total": counts,
        "selected": counts,
        "calls_planned": counts.stages,
        "trials": max((one.trial for one in results), default=1),
        "soclab_version": "0.1.0",
        "profile": default_profile(),
    }
    return CampaignHeader(**(ordinary | told))


def _roots(results: Iterable[ScenarioResult]) -> dict[str, str]:
    return {one.run_id: one.evidence_root for one in results}


REFUSED = (ManoeuvreResult(id="MAN-001", name="forged grant", refused=True, detail="grant_forged"),)
"""What a campaign that was led to its end tried against the lab's control plane."""


def ended(**told: Any) -> CampaignEnd:
    """The end of a campaign that nobody stopped."""
    return CampaignEnd(**({"manoeuvres": REFUSED} | told))


def facts(results: Sequence[ScenarioResult], *, end: CampaignEnd | None = None, **told: Any) -> CampaignFacts:
    """What gates and limitations look at; `told` goes to the header, `roots` and `all_valid` to the facts."""
    population = Population.of(results)
    return CampaignFacts(
        roots=told.pop("roots", _roots(results)),
        all_valid=told.pop("all_valid", True),
        header=header(results, **told),
        population=population,
        rates=rates_of(population),
        end=end or ended(),
    )


def scorecard(results: Sequence[ScenarioResult], *, end: CampaignEnd | None = None, **told: Any) -> Scorecard:
    """The whole scorecard of these runs."""
    roots, all_valid = told.pop("roots", _roots(results)), told.pop("all_valid", True)
    evidence = Evidence(roots=roots, all_valid=all_valid)
    return build_scorecard(header(results, **told), results, end or ended(), evidence)
