"""The gate of one run: asks the controls, runs what they let pass, and shows the agent what it may see of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from soclab.contracts.agent_v1 import ToolOffer
from soclab.contracts.gate import CallRecord, Ruling, StageContext
from soclab.contracts.proposal import ToolProposal
from soclab.contracts.strict import JsonValue
from soclab.contracts.vocabulary import Decision, Risk
from soclab.gateway.control import CallFacts, Control, GateFacts
from soclab.gateway.controls.output_redaction import OUTPUT_REDACTION
from soclab.gateway.decision import ALLOWED, decide
from soclab.gateway.execution import Execution, execute
from soclab.gateway.presenting import Redaction
from soclab.gateway.scope import Scope
from soclab.gateway.spending import records_wanted
from soclab.gateway.targets import protected_hits, searched
from soclab.simulator.catalog import action_offers, read_offers, tool_named
from soclab.simulator.tool import ToolSpec
from soclab.simulator.world import World

__all__ = ["LabGate"]

_NO_LIMITS: Final = GateFacts()
_NO_SUCH_TOOL: Final = "there is no tool of this name: use one of those that were offered"


class LabGate:
    """
    `soclab.contracts.gate.Gate` over one run's world.

    Without controls every proposal runs and nothing is redacted: baseline. A held call is recorded and not run; what
    a human, a policy or a grant says later enters as facts of the call and as further controls, and `execute` is
    where a cleared call runs.

    Args:
        world: of this run; the gate is the only one to change it.
        controls: in their order, from `soclab.gateway.presets`.
        facts: limits of this run.
        canaries: slot -> secret of this run.
        placeholders: slot -> what is shown in its place.
        redacts: False switches redaction off; True leaves it to whether `output_redaction` is among the controls.
    """

    def __init__(
        self,
        world: World,
        controls: Sequence[Control] = (),
        facts: GateFacts = _NO_LIMITS,
        canaries: Mapping[str, str] | None = None,
        placeholders: Mapping[str, str] | None = None,
        *,
        redacts: bool = True,
    ) -> None:
        self._world = world
        self._controls = tuple(controls)
        self._facts = facts
        self._canaries = dict(canaries or {})
        self._scope = Scope(world)
        self._records_asked = 0
        hides = redacts and any(control.name == OUTPUT_REDACTION.name for control in self._controls)
        self._redaction = Redaction(self._canaries, placeholders or {}) if hides else None

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
    ) -> LabGate:
        """The gate of a run that the engine starts; every part is named."""
        return cls(world, controls, facts, canaries, placeholders, redacts=redacts)

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
        wanted = records_wanted(spec, proposal.arguments)
        risk = self._world.risk_of(proposal.name, proposal.arguments)
        ruling = self._judge(proposal, spec, risk, context, wanted)
        cleared = ruling.decision is Decision.ALLOW
        if cleared and spec is not None:
            done = execute(self._world, spec, proposal.arguments)
            self._records_asked += done.records_requested
        else:
            done = Execution(error=_NO_SUCH_TOOL if cleared else None, records_requested=wanted)
        shown = self._show(done)
        harmless = spec is not None and (spec.reads or risk is Risk.NONE)
        # Built without validation: every part is the lab's own, and checking a large result costs more than the call.
        return CallRecord.trusted(
            stage=context.stage,
            name=proposal.name,
            arguments=proposal.arguments,
            executed=cleared and spec is not None,
            ruling=ruling,
            result=done.result,
            shown=shown,
            error=None if done.error is None else str(self.present(done.error)),
            evidence_id=None if done.result is None else evidence_id,
            records_requested=done.records_requested,
            records_returned=done.records_returned,
            risk=risk,
            changes=done.changes,
            named=tuple(f"{one.kind}:{one.text}" for one in searched(proposal, spec, self._world)),
            protected_hits=() if harmless else protected_hits(proposal, self._world),
        )

    def _judge(
        self,
        proposal: ToolProposal,
        spec: ToolSpec | None,
        risk: Risk | None,
        context: StageContext,
        wanted: int,
    ) -> Ruling:
        if not self._controls:
            return ALLOWED
        facts = CallFacts(
            spec=spec,
            risk=risk,
            context=context,
            limits=self._facts,
            scope=self._scope,
            world=self._world,
            canaries=self._canaries,
            records_asked=self._records_asked,
            records_wanted=wanted,
        )
        return decide(self._controls, proposal, facts)

    def _show(self, done: Execution) -> JsonValue:
        """The result as the agent sees it; what it names belongs to the incident from now on."""
        if done.result is None:
            return None
        if self._controls:
            self._scope.grow(done.result)
        return self.present(done.result)
