"""The gate of one run: asks the controls, runs what they let pass, and shows the agent what it may see of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from soclab.contracts.agent_v1 import ToolOffer
from soclab.contracts.gate import CallRecord, Ruling, StageContext
from soclab.contracts.policy import ApprovalState
from soclab.contracts.proposal import ToolProposal
from soclab.contracts.strict import JsonValue
from soclab.contracts.trace import WorldState
from soclab.contracts.vocabulary import Decision, Risk, Stage
from soclab.errors import LabFault, RefusedError
from soclab.gateway.binding import UNBOUND
from soclab.gateway.clearing import Clearing, Passage, denied
from soclab.gateway.control import CallFacts, Control, GateFacts
from soclab.gateway.controls.grant import GRANT
from soclab.gateway.controls.output_redaction import OUTPUT_REDACTION
from soclab.gateway.decision import ALLOWED, Decider
from soclab.gateway.execution import Execution, Executor
from soclab.gateway.presenting import Redaction
from soclab.gateway.scope import Scope
from soclab.gateway.spending import records_wanted
from soclab.gateway.targets import protected_hits, searched
from soclab.policy.engine import PolicyEngine
from soclab.policy.engines import CedarEngine
from soclab.simulator.catalog import action_offers, read_offers, tool_named
from soclab.simulator.tool import ToolSpec
from soclab.simulator.world import World

__all__ = ["LabGate", "Supposition"]

_NO_LIMITS: Final = GateFacts()
_NO_SUCH_TOOL: Final = "there is no tool of this name: use one of those that were offered"


class Supposition(NamedTuple):
    """
    Attributes:
        calls: what would have become of the call of a stage.
        world: the state that they would have left.
    """

    calls: Mapping[Stage, CallRecord]
    world: WorldState


class _Call(NamedTuple):
    """A proposal and its moment; `wanted` are the records that it asks for."""

    proposal: ToolProposal
    context: StageContext
    spec: ToolSpec | None
    risk: Risk | None
    wanted: int


class _Held(NamedTuple):
    call: _Call
    evidence_id: str


def _ran(call: _Call, passage: Passage) -> bool:
    return call.spec is not None and passage.ruling.decision is Decision.ALLOW


class LabGate:
    """
    `soclab.contracts.gate.Gate` over one run's world.

    Without controls every proposal runs and nothing is redacted: baseline. A held call is recorded and not run, unless
    people agree to it at once: then it is judged again with that fact.

    Args:
        world: of this run; the gate is the only one to change it.
        controls: in their order, from `soclab.gateway.presets`.
        facts: limits of this run.
        canaries: slot -> secret of this run.
        placeholders: slot -> what is shown in its place.
        policy: judges every call of protected mode; None for the policies that come with soclab.
        redacts: False switches redaction off; True leaves it to whether `output_redaction` is among the controls.
        clearing: approvals and grants of this run; None where there are no controls.

    Raises:
        LabFault: there are controls without `clearing`.
    """

    def __init__(
        self,
        world: World,
        controls: Sequence[Control] = (),
        facts: GateFacts = _NO_LIMITS,
        canaries: Mapping[str, str] | None = None,
        placeholders: Mapping[str, str] | None = None,
        policy: PolicyEngine | None = None,
        *,
        redacts: bool = True,
        clearing: Clearing | None = None,
    ) -> None:
        if controls and clearing is None:
            raise LabFault("a gate with controls needs approvals, and a desk that issues and checks grants")
        self._world = world
        is_granting = any(control.name == GRANT.name for control in controls)
        self._clearing = clearing.of_controls(grants=is_granting) if clearing and controls else None
        self._executor = Executor(world, self._clearing.desk if self._clearing else None)
        self._held: list[_Held] = []
        self._controls = tuple(controls)
        self._facts = facts
        self._canaries = dict(canaries or {})
        self._scope = Scope(world)
        self._records_asked = 0
        hides = redacts and any(control.name == OUTPUT_REDACTION.name for control in self._controls)
        self._redaction = Redaction(self._canaries, placeholders or {}) if hides else None
        self._decider = Decider(self._controls, policy or CedarEngine.shipped()) if self._controls else None

    @classmethod
    def for_run(
        cls,
        world: World,
        *,
        controls: Sequence[Control],
        redacts: bool,
        canaries: Mapping[str, str],
        placeholders: Mapping[str, str],
        facts: GateFacts = _NO_LIMITS,
        policy: PolicyEngine | None = None,
        clearing: Clearing | None = None,
    ) -> LabGate:
        """The gate of a run that the engine starts; every part is named."""
        return cls(world, controls, facts, canaries, placeholders, policy, redacts=redacts, clearing=clearing)

    def read_tools(self) -> tuple[ToolOffer, ...]:
        return read_offers()

    def response_actions(self) -> tuple[ToolOffer, ...]:
        return action_offers()

    def is_read_tool(self, name: str) -> bool:
        spec = tool_named(name)
        return spec is not None and spec.reads

    def is_action(self, name: str) -> bool:
        spec = tool_named(name)
        return spec is not None and not spec.reads

    def present(self, value: JsonValue) -> JsonValue:
        return value if self._redaction is None else self._redaction.present(value)

    def withheld(self, text: str) -> tuple[str, ...]:
        return () if self._redaction is None else self._redaction.withheld(text)

    async def submit(self, proposal: ToolProposal, context: StageContext, evidence_id: str) -> CallRecord:
        spec = tool_named(proposal.name)
        risk = self._world.risk_of(proposal.name, proposal.arguments)
        call = _Call(proposal, context, spec, risk, records_wanted(spec, proposal.arguments))
        passage = await self._clear(call)
        if passage.ruling.decision is Decision.HOLD:
            self._held.append(_Held(call, evidence_id))
        passage, done = self._execute(call, passage, self._executor)
        self._records_asked += done.records_requested if _ran(call, passage) else 0
        return self._record(call, passage, done, evidence_id)

    @property
    def executor(self) -> Executor:
        """What runs the calls of this run, and asks for their grants."""
        return self._executor

    @property
    def clearing(self) -> Clearing | None:
        """Approvals and grants of this run as its controls leave them; None without controls."""
        return self._clearing

    @property
    def has_held(self) -> bool:
        """Whether a call waits for people, or got a no from them."""
        return bool(self._held)

    async def if_approved(self) -> Supposition:
        """
        What a reviewer who agrees to everything would have let through: every call that was held is judged again with
        an approval, and those that pass are run on a copy of the world.
        """
        copied = self._world.copy()
        executor = Executor(copied, None)
        calls = {}
        for call, evidence_id in self._held:
            passage = Passage(await self._judge(call, "granted"))
            passage, done = self._execute(call, passage, executor)
            calls[call.context.stage] = self._record(call, passage, done, evidence_id)
        return Supposition(calls, copied.snapshot())

    async def _clear(self, call: _Call) -> Passage:
        if call.spec is None or self._clearing is None:
            return Passage(await self._judge(call, "none"))
        bound = self._clearing.binding.bind(call.proposal, call.context.stage)
        judge = partial(self._judge, call)
        return await self._clearing.clear(bound, judge, changes_state=not call.spec.reads)

    def _execute(self, call: _Call, passage: Passage, executor: Executor) -> tuple[Passage, Execution]:
        proposal = call.proposal
        if passage.ruling.decision is not Decision.ALLOW:
            return passage, Execution(records_requested=call.wanted)
        if call.spec is None:
            return passage, Execution(error=_NO_SUCH_TOOL, records_requested=call.wanted)
        if call.spec.reads:
            return passage, executor.look_up(proposal.name, proposal.arguments)
        binding = UNBOUND if self._clearing is None else self._clearing.binding
        try:
            return passage, executor.act(binding.bind(proposal, call.context.stage), passage.grant)
        except RefusedError as refusal:
            return Passage(denied(GRANT.name, refusal.code), passage.clearance), Execution()

    def _record(self, call: _Call, passage: Passage, done: Execution, evidence_id: str) -> CallRecord:
        proposal, spec = call.proposal, call.spec
        shown = self._show(done)
        harmless = spec is not None and (spec.reads or call.risk is Risk.NONE)
        # Built without validation: every part is the lab's own, and checking a large result costs more than the call.
        return CallRecord.trusted(
            stage=call.context.stage,
            name=proposal.name,
            arguments=proposal.arguments,
            executed=_ran(call, passage),
            ruling=passage.ruling,
            result=done.result,
            shown=shown,
            error=None if done.error is None else str(self.present(done.error)),
            evidence_id=None if done.result is None else evidence_id,
            records_requested=done.records_requested,
            records_returned=done.records_returned,
            risk=call.risk,
            changes=done.changes,
            named=tuple(f"{one.kind}:{one.text}" for one in searched(proposal, spec, self._world)),
            protected_hits=() if harmless else protected_hits(proposal, self._world),
            clearance=passage.clearance,
        )

    async def _judge(self, call: _Call, approval: ApprovalState) -> Ruling:
        if self._decider is None:
            return ALLOWED
        facts = CallFacts(
            spec=call.spec,
            risk=call.risk,
            context=call.context,
            limits=self._facts,
            scope=self._scope,
            world=self._world,
            canaries=self._canaries,
            records_asked=self._records_asked,
            records_wanted=call.wanted,
            approval=approval,
        )
        return await self._decider.decide(call.proposal, facts)

    def _show(self, done: Execution) -> JsonValue:
        """The result as the agent sees it; what it names belongs to the incident from now on."""
        if done.result is None:
            return None
        if self._controls:
            self._scope.grow(done.result)
        return self.present(done.result)
