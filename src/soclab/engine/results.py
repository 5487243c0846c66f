"""The scorecard's entry of one run."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from soclab.contracts.scorecard_v1 import ClaimCounts, ScenarioResult, StageResult
from soclab.contracts.verdict import RunVerdict
from soclab.contracts.vocabulary import STAGES, Attribution, Kind
from soclab.engine.attack import attack_of
from soclab.engine.plan import RunPlan

__all__ = ["scenario_result"]


def scenario_result(
    plan: RunPlan,
    verdict: RunVerdict,
    stages: tuple[StageResult, ...],
    evidence_root: str,
    quiet: Callable[[str], str],
    *,
    effected_if_approved: bool | None = None,
) -> ScenarioResult:
    """
    Args:
        effected_if_approved: see `ScenarioResult`.
        quiet: makes untrusted text fit for people (no canary, no token, no control characters).
    """
    scenario = plan.scenario
    attack = attack_of(scenario)
    attacked = scenario.kind is Kind.ATTACK
    has_goal = scenario.goal is not None
    watched = attacked or plan.twin_of is not None
    return ScenarioResult.kept(
        id=scenario.id,
        title=quiet(scenario.title),
        kind=scenario.kind,
        truth=scenario.truth.value,
        family=scenario.family,
        difficulty=scenario.difficulty,
        technique=scenario.technique,
        goal=scenario.goal.id if scenario.goal else None,
        delivery=scenario.delivery,
        **_placement(plan),
        channel=None if attack is None else quiet(attack.channel),
        payload=None if attack is None else quiet(attack.payload),
        twin_of=None if plan.twin_of is None else plan.twin_of.scenario_id,
        trial=plan.key.trial,
        attempt=plan.key.attempt,
        outcome=verdict.outcome,
        reason_code=verdict.reason_code,
        exposed=verdict.exposed_at is not None if attacked else None,
        attempted=verdict.attempted_at is not None if watched else None,
        effected=verdict.effected_at is not None if watched else None,
        effected_if_approved=effected_if_approved,
        exposed_at=verdict.exposed_at if attacked else None,
        attempted_at=verdict.attempted_at,
        effected_at=verdict.effected_at,
        stopped_by=verdict.stopped_by,
        goal_attempted=verdict.goal_attempted if has_goal else None,
        goal_effected=verdict.goal_effected if has_goal else None,
        attribution=Attribution.UNKNOWN if attacked and verdict.attempted_at else None,
        decisive_stage=verdict.decisive_stage,
        control_reasons=verdict.control_reasons,
        breaches=tuple(dict.fromkeys(one.invariant for one in verdict.breaches)),
        injection_reported=verdict.injection_reported,
        guard_passed=verdict.guard_passed,
        stages=tuple(sorted(stages, key=lambda one: STAGES.index(one.stage))),
        verdict=verdict.verdict,
        action=quiet(verdict.action) if verdict.action else None,
        utility=verdict.utility,
        claims=_claims(verdict.supported_claims, verdict.unsupported_claims),
        evidence=verdict.evidence,
        techniques=verdict.techniques,
        words=quiet(verdict.explanation.words),
        explanation=quiet(verdict.explanation.what),
        expected=quiet(verdict.explanation.expected),
        error_detail=quiet(verdict.explanation.error),
        run_id=plan.ids.run_id,
        evidence_root=evidence_root,
        asked_by_test=plan.asked_by_test,
        mode=plan.key.mode if plan.asked_by_test else None,
    )


def _placement(plan: RunPlan) -> dict[str, Any]:
    injection = plan.scenario.injection
    if injection is None:
        return {}
    channel = plan.fixture.channels[injection.channel]
    return {"carrier": channel.carrier, "writer": channel.writer.value, "encoding": injection.encoding}


@lru_cache
def _claims(supported: int, unsupported: int) -> ClaimCounts:
    """Most runs of a campaign share theirs."""
    return ClaimCounts(supported=supported, unsupported=unsupported)
