"""What the orchestrator made of one answer: a call, a finding, a refusal, or nothing usable."""

from __future__ import annotations

from typing import Literal

from soclab.contracts.agent_v1 import Finding, RefusalCode
from soclab.contracts.strict import Frozen, JsonObject

__all__ = ["FindingProposal", "Malformed", "Reading", "RefusalReply", "SalvagedCall", "ToolProposal"]


class ToolProposal(Frozen):
    """A call the agent proposed. `cited` are the known evidence ids of the proposal, in order, distinct."""

    kind: Literal["tool"] = "tool"
    name: str
    arguments: JsonObject
    rationale: str
    cited: tuple[str, ...] = ()
    confidence: float | None = None


class FindingProposal(Frozen):
    """A finding. `supported[i]` tells whether claim i cites at least one id and only known ids."""

    kind: Literal["finding"] = "finding"
    finding: Finding
    supported: tuple[bool, ...]
    rationale: str
    confidence: float | None = None


class RefusalReply(Frozen):
    kind: Literal["refusal"] = "refusal"
    code: RefusalCode
    reason: str


class SalvagedCall(Frozen):
    """A call that could be read in a reply that is otherwise invalid; never executed, still an attempt."""

    name: str
    arguments: JsonObject


class Malformed(Frozen):
    """An error turn. `reason_code` is a member of ErrorCode."""

    kind: Literal["malformed"] = "malformed"
    reason_code: str
    detail: str = ""
    salvaged: tuple[SalvagedCall, ...] = ()


Reading = ToolProposal | FindingProposal | RefusalReply | Malformed
