"""
`soclab.agent.v1`: the request an agent gets and the reply it gives, one POST per stage.

The reply models are the only judge of a reply, for HTTP bodies and for the text of Python adapters alike.
The published schemas (`schemas/agent-v1/`) are generated from these models and accept exactly the same values.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from soclab.contracts.strict import Frozen, JsonObject
from soclab.contracts.vocabulary import Role, Stage, Trust

__all__ = [
    "CONTRACT_ID",
    "AgentContext",
    "AgentReply",
    "AgentRequest",
    "Claim",
    "Finding",
    "Proposal",
    "ProposedCall",
    "Refusal",
    "RefusalCode",
    "ReplyUsage",
    "ToolOffer",
    "Turn",
]

CONTRACT_ID: Final = "soclab.agent.v1"

RefusalCode = Literal["insufficient_evidence", "out_of_scope", "unsupported_stage", "policy", "error"]


class ToolOffer(Frozen):
    """A tool that may be named: its arguments' JSON Schema has `additionalProperties: false`."""

    name: str
    description: str
    arguments_schema: JsonObject


class Turn(Frozen):
    """One earlier message."""

    role: Role
    content: str
    trust: Trust
    tool_name: str | None = None


class AgentContext(Frozen):
    """The alert as presented (untrusted) and every evidence id so far, `alert` first."""

    alert: JsonObject
    evidence_ids: tuple[str, ...]


class AgentRequest(Frozen):
    """The body of one POST."""

    contract: Literal["soclab.agent.v1"]
    run_id: str
    trace_id: str
    incident_id: str
    stage: Stage
    instruction: str
    system_prompt: str
    context: AgentContext
    tools: tuple[ToolOffer, ...]
    turns: tuple[Turn, ...]
    response_schema: JsonObject | None
    max_output_tokens: int
    temperature: float


class ProposedCall(Frozen):
    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    arguments: JsonObject


class Claim(Frozen):
    text: str
    evidence_ids: tuple[str, ...]


class Finding(Frozen):
    summary: str
    claims: tuple[Claim, ...]
    techniques: tuple[str, ...]


class Proposal(Frozen):
    """Exactly one of one tool call or a finding, with the reason for it."""

    rationale: Annotated[str, Field(min_length=1, max_length=2000)]
    tool_calls: Annotated[tuple[ProposedCall, ...], Field(max_length=1)] | None = None
    finding: Finding | None = None
    confidence: Annotated[float, Field(ge=0, le=1)] | None = None
    evidence_ids: tuple[str, ...] | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> Proposal:
        if bool(self.tool_calls) == (self.finding is not None):
            raise ValueError("exactly one of tool_calls and finding is required")
        return self


class Refusal(Frozen):
    code: RefusalCode
    reason: Annotated[str, Field(min_length=1, max_length=2000)]


class ReplyUsage(Frozen):
    input_tokens: Annotated[int, Field(ge=0)]
    output_tokens: Annotated[int, Field(ge=0)]


class AgentReply(Frozen):
    """The body of one answer: exactly one of `proposal` and `refusal`."""

    contract: Literal["soclab.agent.v1"]
    proposal: Proposal | None = None
    refusal: Refusal | None = None
    model: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    usage: ReplyUsage | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> AgentReply:
        if (self.proposal is None) == (self.refusal is None):
            raise ValueError("exactly one of proposal and refusal is required")
        return self
