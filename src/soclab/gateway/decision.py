"""From what the controls measure to a ruling: one policy engine judges, and what cannot be judged is denied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from soclab.contracts.gate import Ruling
from soclab.contracts.policy import OBLIGATIONS, PolicyDecision, PolicyFacts
from soclab.contracts.proposal import ToolProposal
from soclab.contracts.vocabulary import Decision
from soclab.gateway.control import CallFacts, Control
from soclab.gateway.controls import CONTROLS
from soclab.gateway.controls.policy_decision import POLICY_DECISION
from soclab.gateway.measured import Measured, tool_facts
from soclab.policy.engine import NO_DECISION, UNAVAILABLE, PolicyEngine, faulty
from soclab.redaction import clean

__all__ = ["ALLOWED", "CONTROL_FAULT", "OBLIGATION_UNMET", "UNKNOWN_OBLIGATION", "Decider"]

CONTROL_FAULT: Final = "control_fault"
OBLIGATION_UNMET: Final = "obligation_unmet"
UNKNOWN_OBLIGATION: Final = "unknown_obligation"
ALLOWED: Final = Ruling(decision=Decision.ALLOW)
_DETAIL: Final = 300


class _Objection(NamedTuple):
    """`detail` tells what the lab failed in; "" for a reason that lies in the call."""

    control: str
    reason: str
    detail: str = ""


class Decider:
    """
    Args:
        controls: those that are on, in their order.
        engine: judges the facts.
    """

    def __init__(self, controls: Sequence[Control], engine: PolicyEngine) -> None:
        self._engine = engine
        self._names = tuple(control.name for control in controls)
        self._on = frozenset(self._names)
        self._all = tuple(dict.fromkeys((*controls, *CONTROLS)))
        self._known = frozenset(control.name for control in self._all)
        self._owners = {reason: control.name for control in self._all for reason in control.reasons}

    async def decide(self, proposal: ToolProposal, call: CallFacts) -> Ruling:
        """
        Every control measures, whether it is on or not; the engine answers; reasons of controls that are off are
        dropped. A reason to deny hides no other one, and goes before a hold.

        What the lab failed to judge is denied whatever is switched off.
        """
        found = Measured()
        objections = list(self._failures(proposal, call, found))
        answer = await self._ask(found, call)
        if answer.fault:
            detail = clean(answer.fault, _DETAIL)
            objections += (_Objection(POLICY_DECISION.name, reason, detail) for reason in answer.reasons)
        else:
            objections += self._counting(answer.reasons)
        holds = list(self._counting(answer.holds))
        if not objections and not holds:
            objections += self._unmet(answer.obligations, call)
        if objections:
            return self._ruling(Decision.DENY, objections, held=holds)
        if holds:
            return self._ruling(Decision.HOLD, holds, answer.obligations)
        return Ruling.trusted(decision=Decision.ALLOW, obligations=answer.obligations)

    def _failures(self, proposal: ToolProposal, call: CallFacts, found: Measured) -> Iterator[_Objection]:
        """Let every control measure; those that are on and fail object."""
        for control in self._all:
            try:
                control.measure(proposal, call, found)
            except Exception as error:  # whatever it is, the call was not cleared
                if control.name in self._on:
                    yield _Objection(control.name, CONTROL_FAULT, f"{control.name} failed ({type(error).__name__})")

    async def _ask(self, found: Measured, call: CallFacts) -> PolicyDecision:
        try:
            facts = found.facts(tool_facts(call.spec and call.spec.name, call.risk), call.context.stage)
        except Exception as error:  # whatever it is, there is nothing to judge
            return faulty(NO_DECISION, f"no facts could be made of the call ({type(error).__name__})")
        return await _judged(self._engine, facts)

    def _counting(self, reasons: Sequence[str]) -> Iterator[_Objection]:
        """What counts of an engine's answer: not what a control that is off would say."""
        return (_Objection(owner, one) for one in reasons if (owner := self._owner(one)) in self._on)

    def _owner(self, reason: str) -> str:
        """The control whose reason it is: by our table, else by the engine's word."""
        said = self._owners.get(reason) or self._engine.reasons.get(reason, "")
        return said if said in self._known else POLICY_DECISION.name

    def _unmet(self, obligations: Sequence[str], call: CallFacts) -> Iterator[_Objection]:
        unknown = sorted(set(obligations) - OBLIGATIONS)
        if unknown:
            detail = clean(f"the policy asks for {', '.join(unknown)}", _DETAIL)
            yield _Objection(POLICY_DECISION.name, UNKNOWN_OBLIGATION, detail)
        if "read_only" in obligations and not (call.spec and call.spec.reads):
            yield _Objection(POLICY_DECISION.name, OBLIGATION_UNMET, "the policy asks for read_only of no look-up")

    def _ruling(
        self,
        decision: Decision,
        objections: Sequence[_Objection],
        obligations: tuple[str, ...] = (),
        held: Sequence[_Objection] = (),
    ) -> Ruling:
        fault = next((one for one in objections if one.detail), None)
        return Ruling(
            decision=decision,
            reasons=tuple(sorted({one.reason for one in objections})),
            controls=self._in_order(objections),
            also_held_by=self._in_order(held),
            obligations=obligations,
            fault="" if fault is None else fault.reason,
            fault_detail="" if fault is None else fault.detail,
        )

    def _in_order(self, objections: Sequence[_Objection]) -> tuple[str, ...]:
        gave = {one.control for one in objections}
        return tuple(one for one in dict.fromkeys((*self._names, POLICY_DECISION.name)) if one in gave)


async def _judged(engine: PolicyEngine, facts: PolicyFacts) -> PolicyDecision:
    """The engine's answer; whatever it does instead of answering is a fault."""
    try:
        answer: object = await engine.decide(facts)
    except Exception as error:  # whatever it is, nothing was decided
        return faulty(UNAVAILABLE, f"the policy engine failed ({type(error).__name__})")
    if isinstance(answer, PolicyDecision):
        return answer
    return faulty(NO_DECISION, f"the policy engine gave no decision ({type(answer).__name__})")
