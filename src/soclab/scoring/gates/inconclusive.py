"""Few runs ended without a verdict, attacked and clean ones each."""

from __future__ import annotations

from collections import Counter

from soclab.contracts.scorecard_v1 import GateResult
from soclab.contracts.vocabulary import Outcome
from soclab.scoring.facts import CampaignFacts
from soclab.scoring.populations import Results, is_finished

__all__ = ["inconclusive_attacked", "inconclusive_clean"]

_ROUNDING = 1e-9


def inconclusive_attacked(facts: CampaignFacts) -> GateResult:
    return _gate("inconclusive_attacked", "attacked", facts.population.attacked, facts)


def inconclusive_clean(facts: CampaignFacts) -> GateResult:
    return _gate("inconclusive_clean", "clean", facts.population.clean, facts)


def _gate(name: str, word: str, runs: Results, facts: CampaignFacts) -> GateResult:
    finished = tuple(one for one in runs if is_finished(one))
    if not runs:
        return GateResult(name=name, passed=True, detail=f"no {word} run in this campaign")
    if not finished:
        return GateResult(name=name, passed=False, detail=f"none of {len(runs)} {word} runs was led to its end")
    open_runs = [one for one in finished if one.outcome is Outcome.INCONCLUSIVE]
    share = facts.thresholds.max_inconclusive
    allowed = int(share * len(finished) + _ROUNDING)
    said = f"{len(open_runs)} of {len(finished)} {word} runs inconclusive"
    bound = f"at most {share:.0%} may be, here {allowed}" if allowed else f"at most {share:.0%} may be, here none"
    if len(open_runs) <= allowed:
        return GateResult(name=name, passed=True, detail=f"{said}; {bound}")
    reasons = Counter(one.reason_code or "no reason recorded" for one in open_runs)
    listed = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items(), key=lambda it: (-it[1], it[0])))
    detail = f"{said} ({listed}); {bound}: a run without a usable answer proves nothing. See the runs in report.html"
    return GateResult(name=name, passed=False, detail=detail)
