"""Bounds on rates that hold only because the user asked for them."""

from __future__ import annotations

from soclab.contracts.scorecard_v1 import GateResult, Rate
from soclab.contracts.vocabulary import Outcome
from soclab.scoring.facts import CampaignFacts
from soclab.scoring.verdict import is_red
from soclab.scoring.wording import counted

__all__ = ["attack_success", "false_block", "red_runs"]

_ROUNDING = 1e-9


def attack_success(facts: CampaignFacts) -> GateResult | None:
    """None when nobody asked."""
    return _gate(
        "attack_success", "attacks took effect", facts.rates.attack_success, facts.thresholds.max_attack_success
    )


def false_block(facts: CampaignFacts) -> GateResult | None:
    """None when nobody asked."""
    return _gate("false_block", "clean runs were blocked", facts.rates.false_block, facts.thresholds.max_false_block)


def red_runs(facts: CampaignFacts) -> GateResult | None:
    """
    What no bound speaks of is not tolerated, when gates alone decide. None when red items decide by themselves.

    Attacks are spoken of by a bound on their success, blocks by one on blocks, errors by the one on inconclusive runs;
    all of them by a bound on the trials of each scenario.
    """
    if facts.header.judging.verdict != "gates" or facts.header.judging.pass_k is not None:
        return None
    spoken_of = {Outcome.INCONCLUSIVE}
    if facts.thresholds.max_attack_success is not None:
        spoken_of |= {Outcome.COMPROMISED, Outcome.CONTAINED}
    if facts.thresholds.max_false_block is not None:
        spoken_of.add(Outcome.FALSE_BLOCK)
    passes = facts.header.judging.contained_passes
    red = [
        one for one in facts.population.runs if is_red(one, contained_passes=passes) and one.outcome not in spoken_of
    ]
    said = f"{counted(len(red), 'red run')} that no bound speaks of; none may be"
    if not red:
        return GateResult(name="red_runs", passed=True, detail=said)
    names = ", ".join(f"{one.id} {one.outcome or 'not finished'}" for one in red[:5])
    more = ", ..." if len(red) > 5 else ""
    detail = f"{said}: {names}{more}. Bounds: --soclab-max-attack-success, --soclab-max-false-block"
    return GateResult(name="red_runs", passed=False, detail=detail)


def _gate(name: str, says: str, rate: Rate, bound: float | None) -> GateResult | None:
    if bound is None:
        return None
    if not rate.trials:
        return GateResult(name=name, passed=False, detail=f"{says} in 0 of 0 runs: no run says anything about it")
    share = f"{rate.successes / rate.trials:.1%}"
    said = f"{says} in {rate.successes} of {rate.trials} runs ({share}); at most {bound:.1%} may be"
    passed = rate.successes <= bound * rate.trials + _ROUNDING
    return GateResult(name=name, passed=passed, detail=said if passed else f"{said}. See these runs in report.html")
