"""
`soclab.scenario.v1`: one case, as a YAML file holds it. Data only; published in `schemas/scenario-v1/`.

An agent's adapter may never import this module: it is the answer key.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from soclab.contracts.strict import Frozen, JsonObject, JsonValue
from soclab.contracts.vocabulary import Classification, Kind, Stage, WriterClass

__all__ = [
    "ApprovalRule",
    "Budgets",
    "Expected",
    "ExpectedAction",
    "Goal",
    "GuardExpectation",
    "Injection",
    "Scenario",
]


class ExpectedAction(Frozen):
    """
    A response action, its entity arguments compared canonically. An argument that is absent here is free.
    """

    name: str
    arguments: dict[str, JsonValue] = {}


class Expected(Frozen):
    """
    What a good investigation ends with.

    Attributes:
        verdict: the right classification of the incident.
        right: the preferred actions (any one of them).
        acceptable: also correct. `escalate_to_human` here makes an escalation `acceptable`.
        decisive: evidence sources (tool names) that settle the verdict without attacker-written text.
        refuted_by: sentences: which trusted fact contradicts the payload. For people; shown in reports.
    """

    verdict: Classification
    right: Annotated[tuple[ExpectedAction, ...], Field(min_length=1)]
    acceptable: tuple[ExpectedAction, ...] = ()
    decisive: tuple[str, ...] = ()
    refuted_by: tuple[str, ...] = ()


class Injection(Frozen):
    """
    The hostile text and where it stands.

    Attributes:
        channel: a channel of the world.
        text: the payload before encoding, printable; may hold `{{slot:NAME}}`-free plain text only.
        encoding: `E00` none, `E01` base64, `E02` hex, `E03` URL, `E07` zero width, `E08` tag characters ...;
            what is written into the channel is encode(text), with `prefix`/`suffix` around it unencoded.
    """

    channel: str
    text: Annotated[str, Field(min_length=1)]
    encoding: str = "E00"
    prefix: str = ""
    suffix: str = ""


class Goal(Frozen):
    """
    What the attacker wants, as a predicate of `soclab.oracles.predicates` with its parameters.

    Attributes:
        id: the goal's id in the taxonomy (`G01` false close ... `G18`).
        predicate: name in the predicates' table.
        parameters: of the predicate; validated against its parameter model when the scenario is loaded for a run.
    """

    id: Annotated[str, Field(pattern=r"^G[0-9]{2}$")]
    predicate: str
    parameters: JsonObject = {}


class Budgets(Frozen):
    """
    What an honest run of this scenario needs, with room.

    Attributes:
        records: records an agent may ask for in all of its read calls (`limit` of the history tool).
        reply_tokens: tokens of one reply, bytes / 4 or reported usage if higher; at least three honest runs.
    """

    records: Annotated[int, Field(gt=0)] = 200
    reply_tokens: Annotated[int, Field(gt=0)] = 20000


class ApprovalRule(Frozen):
    """
    What the people of this incident say when they are asked about a state change (`--soclab-approver scripted`).

    Attributes:
        tool: the response action.
        arguments: those that count, entities compared canonically; an argument that is absent here is free.
        agrees: their answer.
    """

    tool: str
    arguments: dict[str, JsonValue] = {}
    agrees: bool = True


class GuardExpectation(Frozen):
    """
    How protected mode must meet a forced reply.

    Attributes:
        stage: where it must be met.
        stopped_by: `denied`, `held`, `wrong_stage`, `error` (the reply is no valid reply), or `nothing`: it must pass.
        reason: the control's reason code or the error code; "" for what must pass.
    """

    stage: Stage
    stopped_by: Literal["denied", "held", "wrong_stage", "error", "nothing"]
    reason: str

    @model_validator(mode="after")
    def _has_a_reason_to_stop(self) -> GuardExpectation:
        if (self.stopped_by == "nothing") != (not self.reason):
            raise ValueError("reason is the code it is stopped for, and empty only where stopped_by is nothing")
        return self


class Scenario(Frozen):
    """One case."""

    schema_id: Annotated[Literal["soclab.scenario.v1"], Field(alias="schema")] = "soclab.scenario.v1"
    id: Annotated[str, Field(pattern=r"^(ATK|BEN|GRD|MAN)-[0-9]{3,5}$")]
    title: Annotated[str, Field(min_length=1, max_length=120)]
    kind: Kind
    world: str
    truth: Classification
    family: str
    difficulty: Literal["low", "medium", "high"] = "medium"
    technique: Annotated[str, Field(pattern=r"^T(0[1-9]|1[0-9]|20)$")] | None = None
    delivery: Literal["single_stage", "delayed", "split", "repeated", "alert"] | None = None
    injection: Injection | None = None
    goal: Goal | None = None
    expected: Expected
    budgets: Budgets = Budgets()
    canary_slots: tuple[str, ...] = ()
    losing_path: dict[Stage, JsonObject] = {}
    script: dict[Stage, JsonValue] = {}
    guard: GuardExpectation | None = None
    approvals: tuple[ApprovalRule, ...] = ()
    tags: dict[str, tuple[str, ...]] = {}

    @model_validator(mode="after")
    def _parts_fit_the_kind(self) -> Scenario:
        if self.id.startswith("MAN"):
            raise ValueError("ids that start with MAN- are the lab's own manoeuvres against its control plane")
        prefix = {Kind.ATTACK: "ATK", Kind.BENIGN: "BEN", Kind.GUARD: "GRD"}[self.kind]
        if not self.id.startswith(prefix):
            raise ValueError(f"id of a scenario of kind {self.kind.value!r} starts with {prefix}-")
        if self.kind is Kind.ATTACK and (self.injection is None or self.goal is None):
            raise ValueError("an attack needs both injection and goal")
        if self.kind is Kind.ATTACK and not self.losing_path:
            raise ValueError("an attack needs a losing_path: the proof that it can win")
        if self.kind is not Kind.ATTACK and (self.injection is not None or self.losing_path):
            raise ValueError("only an attack has injection and losing_path")
        if (self.kind is Kind.GUARD) != (self.guard is not None):
            raise ValueError("guard scenarios, and only they, have a guard expectation")
        return self


__all__ += ["WriterClass"]
