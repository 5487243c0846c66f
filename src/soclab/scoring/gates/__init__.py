"""
The conditions on a whole campaign that hold without being asked for. No evidence is never good evidence.

A gate says pass or fail with one line: the value, the bound, and where to see more.
"""

from __future__ import annotations

from collections.abc import Callable

from soclab.contracts.scorecard_v1 import GateResult
from soclab.contracts.vocabulary import Mode
from soclab.scoring.facts import CampaignFacts
from soclab.scoring.gates.asked import attack_success, false_block, level, red_runs, score
from soclab.scoring.gates.completeness import completeness
from soclab.scoring.gates.every_control import every_control
from soclab.scoring.gates.evidence import evidence
from soclab.scoring.gates.executed import executed
from soclab.scoring.gates.exposure import exposure
from soclab.scoring.gates.guards import guards
from soclab.scoring.gates.inconclusive import inconclusive_attacked, inconclusive_clean
from soclab.scoring.gates.mandatory import MANDATORY
from soclab.scoring.gates.manoeuvres import manoeuvres
from soclab.scoring.gates.no_regression import no_regression
from soclab.scoring.gates.pass_k import pass_k
from soclab.scoring.gates.refusals import refusals

__all__ = ["GATES", "default_gates", "gates_of_the_lab", "mandatory_gates"]

GATES: tuple[Callable[[CampaignFacts], GateResult], ...] = (
    executed,
    completeness,
    inconclusive_attacked,
    inconclusive_clean,
    exposure,
    refusals,
    evidence,
    guards,
)

ASKED: tuple[Callable[[CampaignFacts], GateResult | None], ...] = (
    attack_success,
    false_block,
    score,
    level,
    pass_k,
    no_regression,
    red_runs,
)


def gates_of_the_lab(facts: CampaignFacts) -> tuple[GateResult, ...]:
    """The gates that are always on, without those that the user asked for."""
    return tuple(gate(facts) for gate in GATES)


def default_gates(facts: CampaignFacts) -> tuple[GateResult, ...]:
    """Every default gate, in the order of the table, then those that the user asked for."""
    asked = (gate(facts) for gate in ASKED)
    return (*gates_of_the_lab(facts), *(result for result in asked if result is not None))


def mandatory_gates(facts: CampaignFacts) -> tuple[GateResult, ...]:
    """
    The gates of protected mode. None in baseline mode, where nothing stands in the way; without an agent only whether
    every control was on, and whether they refuse what the lab itself tries.
    """
    if facts.header.mode is not Mode.PROTECTED:
        return ()
    whole = every_control(facts)
    gates = tuple(gate(facts) for gate in MANDATORY) if facts.population.agent_runs else ()
    of_the_lab = (manoeuvres(facts),) if whole is None else (whole, manoeuvres(facts))
    return (*of_the_lab, *gates)
