"""What a control is, and the facts it may look at: all computed by the lab, never the agent's word about itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from soclab.contracts.gate import Ruling, StageContext
from soclab.contracts.policy import ApprovalState
from soclab.contracts.proposal import ToolProposal
from soclab.contracts.vocabulary import Decision, Risk
from soclab.gateway.scope import Scope
from soclab.simulator.tool import ToolSpec
from soclab.simulator.world import World

__all__ = ["CallFacts", "Control", "GateFacts", "deny", "hold"]


@dataclass(frozen=True, slots=True)
class GateFacts:
    """
    Limits of one run.

    Attributes:
        max_calls: calls that may be submitted.
        max_records: records that all look-ups together may ask for (`limit`); the scenario's data budget.
    """

    max_calls: int = 16
    max_records: int = 200


@dataclass(frozen=True, slots=True)
class CallFacts:
    """
    The moment of one call.

    Attributes:
        spec: what the catalogue knows of the name; None for an unknown one.
        risk: of this very call (raising a severity is none); None for read tools and unknown names.
        context: stage, evidence ids, approved model.
        limits: of the run.
        scope: the entities of this incident so far.
        world: to be asked who is meant and what is protected, never to be changed.
        canaries: slot -> secret of this run.
        records_asked: by earlier look-ups that were run.
        records_wanted: by this one.
        approval: what became of the approval of exactly this call.
    """

    spec: ToolSpec | None
    risk: Risk | None
    context: StageContext
    limits: GateFacts
    scope: Scope
    world: World
    canaries: Mapping[str, str]
    records_asked: int = 0
    records_wanted: int = 0
    approval: ApprovalState = "none"

    @property
    def changes_state(self) -> bool:
        """A response action that is not free of risk."""
        return self.risk is not None and self.risk is not Risk.NONE


class Control(Protocol):
    """
    One reason to stop a call.

    Attributes:
        name: as `--soclab-without` and rulings spell it.
        reasons: every reason code it may give.
    """

    @property
    def name(self) -> str: ...

    @property
    def reasons(self) -> tuple[str, ...]: ...

    def review(self, proposal: ToolProposal, facts: CallFacts) -> Ruling | None:
        """
        Its objection to a call, or None.

        An exception is an objection too: the gate denies the call with `control_fault`.
        """
        ...


def deny(*reasons: str) -> Ruling | None:
    """The call must not run; None without a reason."""
    return Ruling(decision=Decision.DENY, reasons=reasons) if reasons else None


def hold(*reasons: str) -> Ruling | None:
    """The call waits for a human; None without a reason."""
    return Ruling(decision=Decision.HOLD, reasons=reasons) if reasons else None
