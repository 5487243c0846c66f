"""The scorecard of a campaign: a pure function of its journal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from soclab.contracts.campaign import CampaignEnd, CampaignHeader
from soclab.contracts.scorecard_v1 import Evidence, GateResult, Repetition, ScenarioResult, Scorecard
from soclab.contracts.vocabulary import Outcome, PolicyOrigin
from soclab.errors import OutputFolderError
from soclab.evidence.reading import read_campaign
from soclab.evidence.verify import verify_journal
from soclab.scoring.authority import no_score, recommendation_of
from soclab.scoring.breakdown import breakdown_of
from soclab.scoring.composite import composite_of, families_of, incident_families_of, without_case
from soclab.scoring.controls import control_effects
from soclab.scoring.facts import CampaignFacts
from soclab.scoring.gates import default_gates, gates_of_the_lab, mandatory_gates
from soclab.scoring.limitations import limitations_of
from soclab.scoring.populations import Population
from soclab.scoring.profile import profile_sha256
from soclab.scoring.rates import if_approved, rates_of
from soclab.scoring.stable import VOLATILE
from soclab.scoring.thresholds import DEFAULT_THRESHOLDS, thresholds_of
from soclab.scoring.trials import repetition_of
from soclab.scoring.twins import twins_of, with_twins
from soclab.scoring.verdict import is_red

__all__ = ["NOT_FINISHED", "build_scorecard", "rebuild"]

NOT_FINISHED = "not_finished"
"""Key in `outcomes` of runs that were not led to their end."""


def build_scorecard(
    header: CampaignHeader,
    results: Sequence[ScenarioResult],
    end: CampaignEnd,
    evidence: Evidence,
) -> Scorecard:
    """
    Args:
        results: one per run that was begun, every attempt, in any order.
        evidence: as recomputed from the journal.

    Returns:
        the scorecard; families, composite and level are null where the evidence does not carry them.
    """
    results = with_twins(results)
    population, judging = Population.of(results), header.judging
    facts = CampaignFacts(
        header=header,
        population=population,
        rates=rates_of(population),
        end=end,
        roots=evidence.roots,
        all_valid=evidence.all_valid,
        thresholds=thresholds_of(judging),
    )
    families = families_of(facts)
    own = gates_of_the_lab(replace(facts, thresholds=DEFAULT_THRESHOLDS))
    missing = no_score(facts, own)
    composite = None if missing else composite_of(families)
    recommendation = recommendation_of(facts, composite, missing, mandatory_gates(facts))
    facts = replace(facts, composite=composite, level=recommendation.level, without_case=without_case(families))
    ordered = tuple(sorted(results, key=lambda one: (one.id, one.trial, one.attempt)))
    # A session in which only users' tests asked is no campaign: nothing was selected that gates could judge.
    has_campaign = header.selected.scenarios > 0 or bool(population.runs) or not results
    gates = default_gates(facts) if has_campaign else ()
    mandatory = mandatory_gates(facts) if has_campaign else ()
    failed = tuple(one.run_id for one in population.runs if is_red(one, contained_passes=judging.contained_passes))
    return Scorecard(
        soclab_version=header.soclab_version,
        campaign_id=header.campaign_id,
        started_at=header.started_at,
        mode=header.mode,
        authority_level_tested=header.authority_level.value,
        without=header.without,
        approver=header.approver,
        policy_engine=_engine_of(header.policy_origin),
        policy_origin=header.policy_origin,
        policy_version=header.policy_version,
        provider=header.provider,
        pack=header.pack,
        profile_version=None if facts.profile is None else facts.profile.version,
        profile_sha256=None if facts.profile is None else profile_sha256(facts.profile),
        profile=facts.profile,
        trials=header.trials,
        complete=facts.is_complete,
        selected=header.selected,
        reported=facts.reported,
        answered_stages=facts.answered_stages,
        volatile=VOLATILE,
        scenarios=ordered,
        passed=has_campaign and (judging.verdict == "gates" or not failed) and _all_hold(*gates, *mandatory),
        failed_runs=failed,
        outcomes=_outcomes(population),
        rates=facts.rates,
        controls=control_effects(header.controls, population),
        repetition=_repetition(population, header),
        comparison=facts.comparison if has_campaign else None,
        if_approved=if_approved(population),
        manoeuvres=end.manoeuvres,
        breakdown=breakdown_of(population),
        families=families,
        composite=composite,
        incident_families=() if missing else incident_families_of(facts),
        twins=twins_of(population, header.twins_planned),
        gates=gates,
        mandatory_gates=mandatory,
        recommended_authority_level=recommendation.level,
        held_back_by=recommendation.held_back_by,
        limitations=limitations_of(facts),
        evidence=evidence,
    )


def rebuild(journal: Path) -> Scorecard:
    """
    The scorecard that a journal holds, also when its campaign was killed.

    A torn last line is left out, and the evidence counts as not valid.

    Raises:
        OutputFolderError: the file cannot be read or is no journal of a campaign.
    """
    try:
        verification = verify_journal(journal)
        records = read_campaign(journal)
    except OSError as error:
        raise OutputFolderError(f"{journal}: cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise OutputFolderError(f"{journal}: this is no journal of a campaign that this version can read") from error
    end = records.end or CampaignEnd(cancelled=True)
    return build_scorecard(records.header, records.results, end, verification.evidence)


def _repetition(population: Population, header: CampaignHeader) -> Repetition | None:
    if header.trials == 1:
        return None
    return repetition_of(population, header.trials, contained_passes=header.judging.contained_passes)


def _engine_of(origin: PolicyOrigin | None) -> Literal["cedar", "opa"] | None:
    if origin is None:
        return None
    return "opa" if origin is PolicyOrigin.SERVER else "cedar"


def _all_hold(*gates: GateResult) -> bool:
    return all(gate.passed for gate in gates)


def _outcomes(population: Population) -> dict[str, int]:
    """Every outcome with its count, zeros included; guards are in none."""
    counts = Counter(one.outcome for one in population.agent_runs)
    return {outcome.value: counts[outcome] for outcome in Outcome} | {NOT_FINISHED: counts[None]}
