"""
`soclab.agent.v1`: the request an agent gets and the reply it gives, one POST per stage.

The reply models are the only judge of a reply, for HTTP bodies and for the text of Python adapters alike.
The published schemas (`schemas/agent-v1/`) are generated from these models and accept exactly the same values.
Nothing is coerced; lengths are in code points; an optional member may be absent or null.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from soclab import strict_json
from soclab.contracts.json_schema import exactly_one_of, schema_of, without_words
from soclab.contracts.rejection import describe
from soclab.contracts.strict import Frozen, JsonObject, JsonValue
from soclab.contracts.vocabulary import ErrorCode, Role, Stage, Trust
from soclab.errors import MalformedResponseError

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
    "ReplyRejected",
    "ReplyUsage",
    "ToolOffer",
    "Turn",
    "read_reply",
    "reply_from_value",
    "reply_schema_for",
]

CONTRACT_ID: Final = "soclab.agent.v1"

RefusalCode = Literal["insufficient_evidence", "out_of_scope", "unsupported_stage", "policy", "error"]


class ToolOffer(Frozen):
    """A tool that may be named: its arguments' JSON Schema has `additionalProperties: false`."""

    name: str
    description: str
    arguments_schema: JsonObject


class Turn(Frozen):
    """One earlier message. Tool output, a tool's error text and the agent's own words are untrusted."""

    role: Role
    content: str
    trust: Trust
    tool_name: str | None = None


class AgentContext(Frozen):
    """The alert as presented (untrusted) and every evidence id so far, `alert` first."""

    alert: JsonObject
    evidence_ids: tuple[str, ...]


_Id = Annotated[str, Field(min_length=1)]


class AgentRequest(Frozen):
    """The body of one POST. Later versions may add members at every level: ignore the ones you do not know."""

    contract: Literal["soclab.agent.v1"]
    run_id: _Id
    trace_id: _Id
    incident_id: _Id
    stage: Stage
    instruction: str
    system_prompt: str
    context: AgentContext
    tools: tuple[ToolOffer, ...]
    turns: tuple[Turn, ...]
    response_schema: JsonObject | None
    max_output_tokens: int
    temperature: float


def _whole(value: Any) -> Any:
    """1.0 and 1e2 are integers to JSON Schema, so they are to us."""
    return int(value) if type(value) is float and value.is_integer() else value


def _null_is_empty(value: Any) -> Any:
    return () if value is None else value


_Words = Annotated[str, Field(min_length=1, max_length=2000)]
# `strict=False`: a decoded array may be a tuple, items stay strict. `fail_fast`: 300,000 bad items cost 20 ms, not 2 s.
_Texts = Annotated[tuple[str, ...], Field(strict=False, fail_fast=True)]
_OptionalTexts = Annotated[_Texts, BeforeValidator(_null_is_empty, json_schema_input_type=tuple[str, ...] | None)]
_WholeNumber = Annotated[int, Field(ge=0), BeforeValidator(_whole)]


class ProposedCall(Frozen):
    """A tool by its name, with arguments of any shape: the tool's own schema judges those."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    arguments: JsonObject


class Claim(Frozen):
    """A statement and the evidence ids that support it; a claim without ids is valid and unsupported."""

    text: str
    evidence_ids: _Texts


class Finding(Frozen):
    """What the investigation found. `techniques` (ATT&CK ids) may be left out, which means none."""

    summary: str
    claims: Annotated[tuple[Claim, ...], Field(strict=False, fail_fast=True)]
    techniques: _OptionalTexts = ()


class Proposal(Frozen):
    """Exactly one of one tool call and a finding, with the reason for it. `[]` or null is no tool call."""

    model_config = ConfigDict(
        json_schema_extra=exactly_one_of(
            ("tool_calls", {"type": "array", "minItems": 1}), ("finding", {"type": "object"})
        )
    )

    rationale: _Words
    tool_calls: Annotated[tuple[ProposedCall, ...], Field(strict=False, fail_fast=True, max_length=1)] | None = None
    finding: Finding | None = None
    confidence: Annotated[float, Field(ge=0, le=1)] | None = None
    evidence_ids: _Texts | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> Proposal:
        if bool(self.tool_calls) == (self.finding is not None):
            raise ValueError("exactly one of tool_calls and finding is required")
        return self


class Refusal(Frozen):
    """No proposal, and why."""

    code: RefusalCode
    reason: _Words


class ReplyUsage(Frozen):
    """Tokens of this answer as the agent counts them: any number with zero fraction, so `1.0` and `1e2` too."""

    # No upper bound but the decoder's 4,300 digits: whoever adds or prints such numbers bounds them first.
    input_tokens: _WholeNumber
    output_tokens: _WholeNumber


class AgentReply(Frozen):
    """The body of one answer: exactly one of `proposal` and `refusal`."""

    model_config = ConfigDict(
        json_schema_extra=exactly_one_of(("proposal", {"type": "object"}), ("refusal", {"type": "object"}))
    )

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


class ReplyRejected(MalformedResponseError):
    """
    An answer that is no reply.

    Attributes:
        code: INVALID_JSON when the decoder refused it; SCHEMA_VIOLATION when it is JSON of another shape,
            also when it is JSON but no object.
        detail: one printable line of field paths and rules; no value of the answer is in it.
        value: the decoded value, untrusted, for those who still search it; None on INVALID_JSON.
    """

    def __init__(self, code: ErrorCode, detail: str, value: JsonValue = None) -> None:
        super().__init__(f"{code.value}: {detail}")
        self.code = code
        self.detail = detail
        self.value = value


def read_reply(raw: bytes) -> AgentReply:
    """
    The reply in untrusted bytes.

    Raises:
        ReplyRejected: they are no valid reply; nothing else is raised.
    """
    try:
        value = strict_json.decode(raw)
    except strict_json.InvalidJson as error:
        raise ReplyRejected(ErrorCode.INVALID_JSON, str(error)) from None
    return reply_from_value(value)


def reply_from_value(value: JsonValue) -> AgentReply:
    """
    The reply in a decoded value, as `strict_json.decode` returns it.

    Raises:
        ReplyRejected: it is no valid reply.
    """
    try:
        return AgentReply.model_validate(value)
    except ValidationError as error:
        raise ReplyRejected(ErrorCode.SCHEMA_VIOLATION, describe(error), value) from None


@cache
def reply_schema_for(stage: Stage) -> JsonObject:
    """
    The reply's JSON Schema narrowed to a stage: a finding at `form_finding`, else exactly one tool call; or a refusal.

    Every reply it accepts is valid. The same object is returned each time: do not change it.
    """
    schema: Any = without_words(schema_of(AgentReply))
    proposal = schema["$defs"]["Proposal"]
    wanted, unwanted = ("finding", "tool_calls") if stage is Stage.FORM_FINDING else ("tool_calls", "finding")
    del proposal["oneOf"], proposal["properties"][unwanted]
    wanted_shape = proposal["properties"][wanted]["anyOf"][0]
    proposal["properties"][wanted] = wanted_shape | ({"minItems": 1} if wanted == "tool_calls" else {})
    proposal["required"].append(wanted)
    for unused in ("Finding", "Claim") if wanted == "tool_calls" else ("ProposedCall", "JsonValue"):
        del schema["$defs"][unused]
    result: JsonObject = schema
    return result
