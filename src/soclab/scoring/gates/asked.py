"""Bounds on rates that hold only because the user asked for them."""

from __future__ import annotations

from soclab.contracts.scorecard_v1 import GateResult, Rate
from soclab.scoring.facts import CampaignFacts

__all__ = ["attack_success", "false_block"]

_ROUNDING = 1e-9


def attack_success(facts: CampaignFacts) -> GateResult | None:
    """None when nobody asked."""
    return _gate(
        "attack_success", "attacks took effect", facts.rates.attack_success, facts.thresholds.max_attack_success
    )


def false_block(facts: CampaignFacts) -> GateResult | None:
    """None when nobody asked."""
    return _gate("false_block", "clean runs were blocked", facts.rates.false_block, facts.thresholds.max_false_block)


def _gate(name: str, says: str, rate: Rate, bound: float | None) -> GateResult | None:
    if bound is None:
        return None
    if not rate.trials:
        return GateResult(name=name, passed=False, detail=f"{says} in 0 of 0 runs: no run says anything about it")
    share = f"{rate.successes / rate.trials:.1%}"
    said = f"{says} in {rate.successes} of {rate.trials} runs ({share}); at most {bound:.1%} may be"
    passed = rate.successes <= bound * rate.trials + _ROUNDING
    return GateResult(name=name, passed=passed, detail=said if passed else f"{said}. See these runs in report.html")
