"""Between words and deeds: what the orchestrator asks of the gate, and what it gets back."""

from __future__ import annotations

from typing import Protocol

from soclab.contracts.agent_v1 import ToolOffer
from soclab.contracts.policy import ApprovalState
from soclab.contracts.proposal import ToolProposal
from soclab.contracts.strict import Frozen, JsonObject, JsonValue
from soclab.contracts.vocabulary import Decision, Risk, Stage

__all__ = ["CallRecord", "Clearance", "Gate", "Ruling", "StageContext"]


class Ruling(Frozen):
    """
    The gate's word on one call.

    Attributes:
        decision: allow, deny or hold.
        reasons: sorted reason codes; empty on a plain allow.
        controls: the controls that gave them, same order as they stand in the presets.
        also_held_by: controls that would have held a call that is denied, in that order.
        obligations: sorted names of what must be done when the call runs.
        fault: "" unless the call could not be judged; then the reason code of that, which is among `reasons`.
        fault_detail: one line for people then.
    """

    decision: Decision
    reasons: tuple[str, ...] = ()
    controls: tuple[str, ...] = ()
    also_held_by: tuple[str, ...] = ()
    obligations: tuple[str, ...] = ()
    fault: str = ""
    fault_detail: str = ""


class StageContext(Frozen):
    """
    What a control may know of the moment. Facts only: computed by the lab, never the agent's word about itself.

    Attributes:
        evidence_ids: known so far, `alert` first.
        model_approved: whether the label in the reply is on the approved list.
        calls_so_far: calls submitted before this one in this run.
        tokens_spent: of the replies so far, as the agent reports them; None when it does not report them.
    """

    stage: Stage
    evidence_ids: tuple[str, ...]
    model_approved: bool = True
    calls_so_far: int = 0
    tokens_spent: int | None = None


class Clearance(Frozen):
    """
    How a state change got from its first ruling to the last one. No times: those stand with the approval.

    Attributes:
        proposal_sha256: what approval and grant are bound to.
        approval: what became of it; `none` where the rules asked for none.
        decided_by: who said yes or no.
        grant_id: of the grant it ran on; None where it did not run, or no grant was asked for.
    """

    proposal_sha256: str
    approval: ApprovalState = "none"
    approval_id: str | None = None
    decided_by: str | None = None
    grant_id: str | None = None


class CallRecord(Frozen):
    """
    One call, and what became of it. The ordered list of these is what oracles judge.

    Attributes:
        executed: it ran against the simulated SOC (a failed look-up counts as executed).
        ruling: None where no gate was asked (`wrong_stage`, salvaged from a malformed reply).
        result: the tool's raw result before redaction; None when not executed or failed.
        shown: what the agent is shown of it (redacted in protected mode).
        error: the tool's error text, when the look-up or action failed.
        evidence_id: given to a successful read.
        records_returned: how many records the simulator handed out.
        risk: of a response action; None for read tools and unknown names.
        changes: what changed in the world, one short fact each.
        named: `kind:id` of every entity that the query of a search selects by; None where no gate looked.
        protected_hits: ids of the protected assets that the arguments of a state change touch, in any spelling;
            () when it touches none, None where no gate looked.
        clearance: of a state change that controls judged; else None.
    """

    stage: Stage
    name: str
    arguments: JsonObject
    executed: bool = False
    wrong_stage: bool = False
    ruling: Ruling | None = None
    result: JsonValue = None
    shown: JsonValue = None
    error: str | None = None
    evidence_id: str | None = None
    records_requested: int = 0
    records_returned: int = 0
    risk: Risk | None = None
    changes: tuple[str, ...] = ()
    named: tuple[str, ...] | None = None
    protected_hits: tuple[str, ...] | None = None
    clearance: Clearance | None = None


class Gate(Protocol):
    """The only way from a proposal to the simulated SOC."""

    def read_tools(self) -> tuple[ToolOffer, ...]:
        """The five read tools, in the contract's order."""
        ...

    def response_actions(self) -> tuple[ToolOffer, ...]:
        """Every response action, for the instruction of `propose_action`."""
        ...

    def is_read_tool(self, name: str) -> bool: ...

    def is_action(self, name: str) -> bool: ...

    def present(self, value: JsonValue) -> JsonValue:
        """The value as the agent may see it: canaries replaced by placeholders in protected mode."""
        ...

    def withheld(self, text: str) -> tuple[str, ...]:
        """
        Canary slots that this raw reply would carry out of the system and that redaction withholds,
        sorted; always empty in baseline.
        """
        ...

    async def submit(self, proposal: ToolProposal, context: StageContext, evidence_id: str) -> CallRecord:
        """
        Judge the call and, when allowed, run it.

        Args:
            evidence_id: the id a successful read will get.

        Returns:
            the record; never raises for anything the agent said.
        """
        ...
