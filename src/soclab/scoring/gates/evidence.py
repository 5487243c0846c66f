"""The journal is what was written, and every run stands in it."""

from __future__ import annotations

from soclab.contracts.scorecard_v1 import GateResult
from soclab.scoring.facts import CampaignFacts
from soclab.scoring.wording import counted

__all__ = ["evidence", "runs_without_evidence"]


def evidence(facts: CampaignFacts) -> GateResult:
    missing = runs_without_evidence(facts)
    if not facts.all_valid:
        detail = "journal.jsonl does not verify: it was changed, cut, or not closed; its results are not to be trusted"
    elif missing:
        detail = f"{counted(len(missing), 'run')} without matching evidence in journal.jsonl ({', '.join(missing[:3])})"
    else:
        detail = f"the hash chains of journal.jsonl hold for all {len(facts.population.with_twins)} runs"
    return GateResult(name="evidence", passed=facts.all_valid and not missing, detail=detail)


def runs_without_evidence(facts: CampaignFacts) -> list[str]:
    """Scenario ids of the runs whose evidence root is not the journal's, in order."""
    return [one.id for one in facts.population.with_twins if facts.roots.get(one.run_id) != one.evidence_root]
