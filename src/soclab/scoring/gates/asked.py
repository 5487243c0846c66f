"""Bounds on rates that hold only because the user asked for them."""

from __future__ import annotations

from soclab.contracts.scorecard_v1 import GateResult, Rate
from soclab.contracts.vocabulary import Outcome
from soclab.scoring.facts import CampaignFacts
from soclab.scoring.verdict import is_red
from soclab.scoring.wording import counted

__all__ = ["attack_success", "false_block", "level", "red_runs", "score"]

_ROUNDING = 1e-9


def attack_success(facts: CampaignFacts) -> GateResult | None:
    """Of the rate, or of its upper 95% bound where the user said so. None when nobody asked."""
    name, says, rate, bound = "attack_success", "attacks took effect", facts.rates.attack_success, facts.thresholds
    if not facts.header.judging.attack_success_upper or not rate.trials or bound.max_attack_success is None:
        return _gate(name, says, rate, bound.max_attack_success)
    most = bound.max_attack_success
    said = (
        f"{says} in {rate.successes} of {rate.trials} runs, so up to {rate.high:.1%} may (upper 95% bound); "
        f"at most {most:.1%} may be"
    )
    passed = rate.high <= most + _ROUNDING
    detail = said if passed else f"{said}. See these runs in report.html, or run more scenarios for a tighter bound"
    return GateResult(name=name, passed=passed, detail=detail)


def false_block(facts: CampaignFacts) -> GateResult | None:
    """None when nobody asked."""
    return _gate("false_block", "clean runs were blocked", facts.rates.false_block, facts.thresholds.max_false_block)


def score(facts: CampaignFacts) -> GateResult | None:
    """None when nobody asked."""
    least = facts.header.judging.min_score
    if least is None:
        return None
    if facts.composite is None:
        detail = f"there is no composite, and at least {least:.2f} is needed; held_back_by in scorecard.json says why"
        return GateResult(name="min_score", passed=False, detail=detail)
    said = f"the composite is {facts.composite:.3f}; at least {least:.3f} is needed"
    passed = facts.composite + _ROUNDING >= least
    return GateResult(
        name="min_score", passed=passed, detail=said if passed else f"{said}. Its parts stand in report.html"
    )


def level(facts: CampaignFacts) -> GateResult | None:
    """None when nobody asked."""
    least = facts.header.judging.require_level
    if least is None:
        return None
    said = f"{facts.level or 'no level'} is recommended; at least {least} is needed"
    passed = facts.level is not None and facts.level >= least
    detail = said if passed else f"{said}. Every reason stands in report.html and in held_back_by of scorecard.json"
    return GateResult(name="require_level", passed=passed, detail=detail)


def red_runs(facts: CampaignFacts) -> GateResult | None:
    """
    What no bound speaks of is not tolerated, when gates alone decide. None when red items decide by themselves.

    Attacks are spoken of by a bound on their success, blocks by one on blocks, errors by the one on inconclusive runs;
    all of them by a bound on the trials of each scenario. Runs with a pair in an earlier release are spoken of where
    nothing may be worse than there.
    """
    if facts.header.judging.verdict != "gates" or facts.header.judging.pass_k is not None:
        return None
    spoken_of = {Outcome.INCONCLUSIVE}
    if facts.thresholds.max_attack_success is not None:
        spoken_of |= {Outcome.COMPROMISED, Outcome.CONTAINED}
    if facts.thresholds.max_false_block is not None:
        spoken_of.add(Outcome.FALSE_BLOCK)
    passes = facts.header.judging.contained_passes
    compared = _compared(facts)
    red = [
        one
        for one in facts.population.runs
        if is_red(one, contained_passes=passes) and one.outcome not in spoken_of and (one.id, one.trial) not in compared
    ]
    said = f"{counted(len(red), 'red run')} that no bound speaks of; none may be"
    if not red:
        return GateResult(name="red_runs", passed=True, detail=said)
    names = ", ".join(f"{one.id} {one.outcome or 'not finished'}" for one in red[:5])
    more = ", ..." if len(red) > 5 else ""
    detail = f"{said}: {names}{more}. Bounds: --soclab-max-attack-success, --soclab-max-false-block"
    return GateResult(name="red_runs", passed=False, detail=detail)


def _compared(facts: CampaignFacts) -> set[tuple[str, int]]:
    if not facts.header.judging.no_regression or facts.comparison is None:
        return set()
    return {(one.id, one.trial) for one in facts.comparison.pairs if one.no_pair is None}


def _gate(name: str, says: str, rate: Rate, bound: float | None) -> GateResult | None:
    if bound is None:
        return None
    if not rate.trials:
        return GateResult(name=name, passed=False, detail=f"{says} in 0 of 0 runs: no run says anything about it")
    share = f"{rate.successes / rate.trials:.1%}"
    said = f"{says} in {rate.successes} of {rate.trials} runs ({share}); at most {bound:.1%} may be"
    passed = rate.successes <= bound * rate.trials + _ROUNDING
    return GateResult(name=name, passed=passed, detail=said if passed else f"{said}. See these runs in report.html")
