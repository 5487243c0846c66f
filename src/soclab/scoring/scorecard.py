"""The scorecard of a campaign: a pure function of its journal."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from soclab.contracts.campaign import CampaignEnd, CampaignHeader
from soclab.contracts.scorecard_v1 import Evidence, GateResult, ScenarioResult, Scorecard
from soclab.contracts.vocabulary import Outcome
from soclab.errors import OutputFolderError
from soclab.evidence.verify import verify_journal
from soclab.scoring.facts import CampaignFacts
from soclab.scoring.gates import default_gates, mandatory_gates
from soclab.scoring.limitations import limitations_of
from soclab.scoring.populations import Population
from soclab.scoring.rates import rates_of
from soclab.scoring.stable import VOLATILE
from soclab.scoring.thresholds import thresholds_of
from soclab.scoring.verdict import is_red

__all__ = ["NOT_FINISHED", "build_scorecard", "rebuild"]

NOT_FINISHED = "not_finished"
"""Key in `outcomes` of runs that were not led to their end."""

_WANTED = tuple(
    f'"kind":"{kind}"'.encode()
    for kind in ("campaign_started", "campaign_resumed", "run_finished", "campaign_finished")
)


def build_scorecard(
    header: CampaignHeader,
    results: Sequence[ScenarioResult],
    end: CampaignEnd,
    roots: Mapping[str, str],
    *,
    all_valid: bool,
) -> Scorecard:
    """
    Args:
        results: one per run that was begun, every attempt, in any order.
        roots: evidence root of each run as recomputed from the journal.
        all_valid: both chains of the journal verify.

    Returns:
        the scorecard; families, composite and level are null until a profile says how to weigh.
    """
    population, judging = Population.of(results), header.judging
    facts = CampaignFacts(
        header=header,
        population=population,
        rates=rates_of(population),
        end=end,
        roots=roots,
        all_valid=all_valid,
        thresholds=thresholds_of(judging),
    )
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
        authority_level_tested=header.authority_level,
        provider=header.provider,
        pack=header.pack,
        trials=max((one.trial for one in population.runs), default=1),
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
        gates=gates,
        mandatory_gates=mandatory,
        limitations=limitations_of(facts),
        evidence=Evidence(roots=dict(sorted(roots.items())), all_valid=all_valid),
    )


def rebuild(journal: Path) -> Scorecard:
    """
    The scorecard that a journal holds, also when its campaign was killed.

    A torn last line is left out, and the evidence counts as not valid. A run that was finished in two sessions counts
    as the later one left it.

    Raises:
        OutputFolderError: the file cannot be read or is no journal of a campaign.
    """
    try:
        verification = verify_journal(journal)
        lines = list(_lines(journal))
    except OSError as error:
        raise OutputFolderError(f"{journal}: cannot be read: {error.strerror or error}") from error
    try:
        header = CampaignHeader.model_validate_json(_beside(lines, "campaign_started", "header")[0])
        ended = bool(lines) and lines[-1].get("kind") == "campaign_finished"
        ends = _beside(lines[-1:], "campaign_finished", "end")
        end = CampaignEnd.model_validate_json(ends[0]) if ended else CampaignEnd(cancelled=True)
        found = (ScenarioResult.model_validate_json(one) for one in _beside(lines, "run_finished", "result"))
        results = list({one.run_id: one for one in found}.values())
    except (IndexError, ValidationError) as error:
        raise OutputFolderError(f"{journal}: this is no journal of a campaign that this version can read") from error
    return build_scorecard(header, results, end, verification.roots, all_valid=verification.valid)


def _all_hold(*gates: GateResult) -> bool:
    return all(gate.passed for gate in gates)


def _outcomes(population: Population) -> dict[str, int]:
    """Every outcome with its count, zeros included; guards are in none."""
    counts = Counter(one.outcome for one in population.agent_runs)
    return {outcome.value: counts[outcome] for outcome in Outcome} | {NOT_FINISHED: counts[None]}


def _lines(journal: Path) -> Iterator[dict[str, Any]]:
    """The decoded lines of the wanted kinds; the many others are only looked at as bytes."""
    with journal.open("rb") as file:
        for raw in file:
            if not any(kind in raw for kind in _WANTED):
                continue
            try:
                line = json.loads(raw)
            except ValueError:  # torn or damaged: the chain says so
                continue
            if isinstance(line, dict):
                yield line


def _beside(lines: Sequence[dict[str, Any]], kind: str, key: str) -> list[str]:
    """JSON text of what stands beside the events of one kind; records are strict only about JSON text."""
    found = []
    for line in lines:
        beside = line.get("beside")
        if line.get("kind") == kind and isinstance(beside, dict) and key in beside:
            found.append(json.dumps(beside[key]))
    return found
