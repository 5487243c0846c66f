"""One run in progress: world, gate, walk, judge and evidence, joined."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from soclab import canaries
from soclab.clock import Clock
from soclab.contracts.approval import Approver
from soclab.contracts.gate import CallRecord
from soclab.contracts.outcome import RunKey, StageOutcome
from soclab.contracts.provider import ModelProvider, ModelRequest
from soclab.contracts.scorecard_v1 import ScenarioResult, StageResult
from soclab.contracts.trace import RunFacts, StageRecord
from soclab.contracts.verdict import RunVerdict
from soclab.contracts.vocabulary import STAGES, ErrorCode, Kind, Mode, Stage, StageStatus
from soclab.engine.asked import Asked, asked_of
from soclab.engine.attack import attack_of
from soclab.engine.journal import Journal
from soclab.engine.outcomes import headline_of, not_reached, outcome_so_far, status_of, stopped_words
from soclab.engine.plan import CampaignPlan, RunPlan
from soclab.engine.results import scenario_result
from soclab.engine.supposing import effected_if_approved
from soclab.engine.transcript import answered_event, asked_event
from soclab.evidence.ledger import EvidenceChain
from soclab.gateway.control import Control, GateFacts
from soclab.gateway.control_plane import ControlPlane
from soclab.gateway.gate import LabGate
from soclab.oracles.judge import RunJudge
from soclab.orchestrator.investigation import Investigation
from soclab.orchestrator.prompt import Instructions, standing_instruction
from soclab.policy.engine import PolicyEngine
from soclab.providers.daemon_thread import in_daemon_thread
from soclab.redaction import Secrets, clean
from soclab.simulator.world import World

__all__ = ["LiveRun", "RunKit"]

STANDING_SLOT = "standing_instruction"
_WORDS_LIMIT = 500
_CALL_LIMIT = 300
_ATTACK_LIMIT = 800
_LARGE = 50_000
"""Characters of an answer that are searched in about 0.1 s."""


@dataclass(frozen=True)
class RunKit:
    """
    What all runs of a campaign share.

    Attributes:
        settled: results of runs that an earlier session finished, and that are not led again.
        controls: of each mode: a user's test may ask for a run in the other one.
        policy: judges the calls of protected mode.
        earlier_roots: run id -> evidence root of what earlier sessions finished.
        control_plane: approvals and grants.
        signed_by: the key that signs the campaign's files at its end; None when nobody does.
        keeps_answers: somebody may ask what a reply said (see `StageOutcome.reading`), so it is kept to the end.
        searching: held while a large answer is searched: several at once take their memory at once, and no less time.
    """

    plan: CampaignPlan
    controls: Mapping[Mode, tuple[Control, ...]]
    control_plane: ControlPlane
    policy: PolicyEngine
    instructions: Instructions
    secrets: Secrets
    journal: Journal
    clock: Clock
    earlier_roots: Mapping[str, str] = field(default_factory=dict)
    settled: Mapping[RunKey, ScenarioResult] = field(default_factory=dict)
    keeps_answers: bool = False
    signed_by: str | None = None
    searching: asyncio.Lock = field(default_factory=asyncio.Lock)


class LiveRun:
    """
    Attributes:
        plan: what this run is; `target` is the last stage it is led to for now.
        ended: no further stage follows.
    """

    def __init__(self, plan: RunPlan, kit: RunKit, *, twin_correct: bool | None = None) -> None:
        self.plan = plan
        self.ended = False
        self.verdict = RunVerdict(outcome=None)
        self._kit = kit
        self._chain = EvidenceChain(plan.ids.run_id)
        self._stages: list[StageResult] = []
        self._labels: dict[str, str] = {}
        slots = (STANDING_SLOT, *plan.fixture.canary_slots)
        secret, run_id = kit.plan.secret, plan.ids.run_id
        self._canaries = canaries.make(secret, run_id, slots)
        self._placeholders = canaries.placeholders(secret, run_id, slots)
        self._veil = canaries.Veil(self._canaries, self._placeholders)
        self._world = World.build(plan.fixture, payload=plan.injection, canaries=self._canaries)
        mode = plan.key.mode
        self._gate = LabGate.for_run(
            self._world,
            controls=kit.controls[mode],
            clearing=kit.control_plane.clearing(run_id, plan.ids.incident_id, self._world, plan.scenario.approvals),
            redacts=mode is Mode.PROTECTED,
            canaries=self._canaries,
            placeholders=self._placeholders,
            facts=GateFacts(
                max_records=plan.scenario.budgets.records,
                max_tokens=plan.scenario.budgets.reply_tokens * len(STAGES),
                level=kit.plan.authority_level.number,
            ),
            policy=kit.policy,
        )
        self._walk = Investigation(
            plan.ids,
            system_prompt=standing_instruction(self._canaries[STANDING_SLOT]),
            alert=self._world.alert,
            instructions=kit.instructions,
            gate=self._gate,
            approves=kit.plan.approves,
            clock=kit.clock,
            call_seconds=kit.plan.call_seconds if kit.plan.provider.isolation == "in_process" else None,
        )
        self._records: list[StageRecord] = []  # only where `_suppose` will look at them: they hold whole replies
        self._effected_if_approved: bool | None = None
        self._before = self._world.snapshot()
        self._twin_correct = twin_correct
        self._judge = RunJudge(
            plan.scenario,
            before=self._before,
            payload=None if plan.twin_of else self._world.payload_text,
            pieces=(self._world.payload_text or "",) if plan.twin_of else (),
            twin_correct=twin_correct,
            canaries=self._canaries,
            placeholders=self._placeholders,
            aliases=self._world.aliases,
        )
        self._write("run_started", {"run_id": run_id, "scenario": plan.key.scenario_id, "mode": plan.key.mode.value})

    @property
    def next_stage(self) -> Stage | None:
        return None if self.ended else self._walk.next_stage

    @property
    def latest(self) -> StageResult | None:
        """Of the stage that was answered last."""
        return self._stages[-1] if self._stages else None

    def ask(self) -> ModelRequest:
        """The next question; written down before it goes out."""
        request = self._walk.request()
        self._write("asked", asked_event(request))
        return request

    async def answer(self, provider: ModelProvider, request: ModelRequest) -> tuple[StageRecord, StageOutcome]:
        """Ask the agent, judge the stage, write it down."""
        record = await self._walk.advance(provider, request)
        self.ended = record.ended_run or self._walk.next_stage is None
        self.verdict = await self._judged(record)
        if self._supposes:
            self._records.append(record)
        if self.ended:
            self.verdict = self._judge.finish()
            await self._suppose()
        status = status_of(self.plan.scenario, record, self.verdict, self.ended)
        event = answered_event(record, self.verdict, status, self._kit.journal.mask, self._quiet)
        self._write("answered", event, beside={"latency_ms": round(record.response.latency_ms, 3)})
        self._stages.append(self._stage_result(record, status))
        return record, self._outcome(record.stage, status, record)

    @property
    def _supposes(self) -> bool:
        """Only where nobody answers, so that what was held still waits; and of attacks alone."""
        nobody_answers = self._kit.control_plane.approver is Approver.NONE
        return nobody_answers and self.plan.key.mode is Mode.PROTECTED and self.plan.scenario.kind is Kind.ATTACK

    async def _suppose(self) -> None:
        if not self._supposes:
            return
        facts = RunFacts.trusted(
            before=self._before,
            after=self._before,
            stages=(),
            payload=self._world.payload_text,
            canaries=self._canaries,
            placeholders=self._placeholders,
            aliases=self._world.aliases,
            twin_correct=self._twin_correct,
        )
        self._effected_if_approved = await effected_if_approved(
            self.plan.scenario, self.verdict, self._gate, self._records, facts
        )

    async def _judged(self, record: StageRecord) -> RunVerdict:
        """A large answer is searched beside the event loop: other agents' time runs meanwhile."""
        world = self._world.snapshot()
        if len(record.response.output_text) < _LARGE:
            return self._judge.after(record, world)
        async with self._kit.searching:
            return await in_daemon_thread(self._judge.after, record, world)

    def fail(self, stage: Stage, code: ErrorCode, detail: str) -> StageOutcome:
        """The run cannot go on, and that is not the agent's answer: it ends as inconclusive."""
        self.ended = True
        self.verdict = self._judge.finish(error=code.value, detail=detail)
        self._write("failed", {"stage": stage.value, "reason_code": code.value, "detail": self._quiet(detail)})
        self._stages.append(StageResult(stage=stage, status=StageStatus.ERROR, reason_code=code.value))
        return self._outcome(stage, StageStatus.ERROR, None, code.value, detail)

    def rest(self) -> list[StageOutcome]:
        """Outcomes of the stages that an ended run never reached."""
        reached = {one.stage for one in self._stages}
        missing = (stage for stage in STAGES if stage not in reached)
        place, run_id = self.plan.place, self.plan.ids.run_id
        return not_reached(place, run_id, missing, stopped_words(place.scenario_id, self._stages))

    def close(self) -> ScenarioResult:
        """The result as it stands; the outcome is null unless the run was led to its end."""
        reached = {one.stage for one in self._stages}
        missing = tuple(StageResult(stage=one, status=StageStatus.NOT_REACHED) for one in STAGES if one not in reached)
        verdict = self.verdict
        result = scenario_result(
            self.plan,
            verdict,
            (*self._stages, *missing),
            self._chain.root,
            self._quiet,
            effected_if_approved=self._effected_if_approved,
        )
        self._kit.journal.append(
            "run_finished",
            beside={"result": result.model_dump(mode="json", by_alias=True)},
        )
        return result

    def _write(self, kind: str, event: dict[str, Any], beside: dict[str, Any] | None = None) -> None:
        data = self._kit.journal.event_bytes(event)
        self._chain.add(data)
        self._kit.journal.append(kind, run_id=self.plan.ids.run_id, event=data, beside=beside)

    def _quiet(self, text: str, limit: int = _WORDS_LIMIT) -> str:
        """Text for people: no token, no canary, no control characters, bounded."""
        masked = self._kit.secrets.mask(self._veil.hide(text))
        return _one_for_all(clean(masked, limit))

    def _outcome(
        self,
        stage: Stage,
        status: StageStatus,
        record: StageRecord | None,
        reason_code: str | None = None,
        detail: str = "",
    ) -> StageOutcome:
        broke = status is not StageStatus.PASSED
        explanation = self.verdict.explanation
        usage = record.response.usage if record else None
        result = self._stages[-1]
        answer = record if self._kit.keeps_answers or self.plan.asked_by_test else None
        return StageOutcome.kept(
            key=self.plan.place,
            run_id=self.plan.ids.run_id,
            stage=stage,
            status=status,
            outcome=outcome_so_far(self.verdict) if broke or self.ended else None,
            reason_code=reason_code or (record.reason_code if record else None),
            headline=self._quiet(headline_of(status, record, explanation.what, reason_code, detail)),
            words=self._quiet(explanation.words) if broke and explanation.words else "",
            expected=self._quiet(explanation.expected) if broke and explanation.expected else "",
            control_reasons=self.verdict.control_reasons if broke else (),
            latency_ms=result.latency_ms if record else None,
            tokens_in=usage.input_tokens if usage else None,
            tokens_out=usage.output_tokens if usage else None,
            usage_estimated=usage.estimated if usage else None,
            model=result.model,
            attack=self._attack() if status is StageStatus.FAILED else "",
            call=result.call,
            ruling=result.ruling,
            broken_at=None,
            reading=answer.reading if answer else None,
            submitted=_without_records(answer.call) if answer and answer.call else None,
        )

    def _attack(self) -> str:
        """What was tried, where, and the hostile text; "" in clean runs."""
        attack = attack_of(self.plan.scenario)
        return "" if attack is None else self._quiet(attack.line, _ATTACK_LIMIT)

    def _stage_result(self, record: StageRecord, status: StageStatus) -> StageResult:
        usage, asked = record.response.usage, asked_of(record)
        return StageResult.kept(
            stage=record.stage,
            status=status,
            reason_code=record.reason_code,
            call=None if asked is None else self._quiet(asked.call, _CALL_LIMIT),
            ruling=None if asked is None else self._ruling(asked),
            denied_by=None if asked is None else asked.denied_by,
            held_by=None if asked is None else asked.held_by,
            latency_ms=round(record.response.latency_ms, 3),
            tokens_in=usage.input_tokens if usage else None,
            tokens_out=usage.output_tokens if usage else None,
            usage_estimated=usage.estimated if usage else None,
            model=self._label(record.response.model),
        )

    def _ruling(self, asked: Asked) -> str:
        """Our own words, but for those of a tool that failed."""
        return self._quiet(asked.ruling, _CALL_LIMIT) if asked.is_failure else asked.ruling

    def _label(self, model: str) -> str:
        if model not in self._labels:
            self._labels[model] = self._quiet(model)
        return self._labels[model]


@lru_cache(maxsize=2048)
def _one_for_all(text: str) -> str:
    """Runs say much the same of their stages, and results are kept to the end: equal texts are one."""
    return text


def _without_records(call: CallRecord) -> CallRecord:
    """What the simulator handed out is large, and of no interest once the agent has it."""
    return call.model_copy(update={"result": None, "shown": None})
