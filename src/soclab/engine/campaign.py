"""
Leads all runs of a campaign, at most `concurrency` at a time, inside one event loop.

A worker is a slot: it holds one connection of its own and takes one run after the other up to the last stage
that somebody wants of it. A run that stopped there is parked and can be taken up again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import AbstractAsyncContextManager, AsyncExitStack

from soclab.contracts.campaign import CampaignEnd
from soclab.contracts.manoeuvre import ManoeuvreResult
from soclab.contracts.outcome import RunKey, StageOutcome
from soclab.contracts.provider import ModelProvider, ModelResponse
from soclab.contracts.scorecard_v1 import ScenarioResult
from soclab.contracts.vocabulary import STAGES, ErrorCode, Mode, Stage, StageStatus
from soclab.engine.board import CANCELLED, Board
from soclab.engine.current import CURRENT_STAGE
from soclab.engine.limits import Brakes
from soclab.engine.live import LiveRun, RunKit
from soclab.engine.outcomes import not_reached
from soclab.engine.pairing import Pairing
from soclab.engine.plan import RunPlan
from soclab.engine.stillborn import bury

__all__ = ["Campaign"]


_WHY = {
    ErrorCode.AGENT_UNREACHABLE: "the agent cannot be reached",
    ErrorCode.RATE_LIMITED: "the agent asks for a longer pause than the lab waits",
    ErrorCode.BUDGET: "the campaign's budget of seconds or calls is spent",
}


class Campaign:
    """
    Args:
        agent: the adapter; its `for_slot()`, where it has one, is asked once per slot.
        board: where outcomes go.

    Attributes:
        tried: the lab's own manoeuvres; None while they were not tried.
    """

    def __init__(self, kit: RunKit, agent: ModelProvider, board: Board) -> None:
        self._kit = kit
        self._agent = agent
        self._board = board
        plan = kit.plan
        self._brakes = Brakes(plan.concurrency, kit.clock, max_seconds=plan.max_seconds, max_calls=plan.max_calls)
        self._pairing = Pairing(plan.runs, kit.settled)
        self._waiting: deque[RunPlan | LiveRun] = deque(self._pairing.ready)
        self._targets: dict[RunKey, Stage] = {run.key: run.stages[-1] for run in kit.plan.runs}
        self._parked: dict[RunKey, LiveRun] = {}
        self._live: dict[RunKey, LiveRun] = {}
        self._latest: dict[RunKey, RunKey] = {}
        self._group = asyncio.TaskGroup()
        self._slots = 0
        self._work = asyncio.Event()
        self._closing = False
        self._cancelled = False
        self._asking: dict[asyncio.Task[None] | None, tuple[LiveRun, Stage]] = {}
        self._blamed: tuple[LiveRun, Stage, str] | None = None
        self._trying = asyncio.Lock()
        self.tried: tuple[ManoeuvreResult, ...] | None = None
        self._policy_version: str | None = None

    async def run(self, *, stay: bool) -> None:
        """
        Lead the runs.

        Args:
            stay: keep waiting for more (`want`) after the last run, until `stop`; else return when all is done.
        """
        self._closing = not stay
        try:
            async with self._group:
                for _ in range(max(1, len(self._targets))):
                    self._add_slot()
            if not self._cancelled:
                await self.manoeuvres()
                if self._kit.plan.mode is Mode.PROTECTED:
                    self._policy_version = await self._kit.policy.version_now()
        finally:
            await self._kit.policy.aclose()

    async def manoeuvres(self) -> tuple[ManoeuvreResult, ...]:
        """What the lab tries against its own control plane: tried once, whoever asks first."""
        async with self._trying:
            if self.tried is None:
                from soclab.engine.manoeuvring import try_manoeuvres  # not before the first request

                self.tried = await try_manoeuvres(self._kit)
        return self.tried

    def stop(self, *, cancelled: bool) -> None:
        """No more work is taken; slots end after the stage they are at (call from the loop)."""
        self._closing = True
        self._cancelled = self._cancelled or cancelled
        if cancelled:
            self._waiting.clear()
        self._work.set()

    def blame(self, task: asyncio.Task[None] | None, seconds: float, at: str) -> str:
        """
        Say which run holds the event loop; it ends as inconclusive when the campaign is finished.

        Args:
            task: the task at work while the loop stands; the only method that another thread may call then.
            seconds: what a call may take.
            at: the line of the agent's code where it stands, "" unknown.
        """
        asking = dict(self._asking)
        found = asking.get(task) or (next(iter(asking.values())) if len(asking) == 1 else None)
        where = f" at {at}" if at else ""
        whom = f"{found[0].plan.key.scenario_id}, {found[1].value}" if found else "some stage in flight"
        words = (
            f"the agent holds the event loop{where} ({whom}) and gave no answer within {seconds:g} s: "
            "make it a plain def, or await what takes time; the campaign ended there"
        )
        if found:
            self._blamed = (*found, words)
        return words

    def want(self, run: RunPlan, stage: Stage) -> None:
        """Somebody asks for a stage that was not planned (call from the loop)."""
        if self._closing:
            return
        key = self._latest.get(run.place, run.key)
        target = self._targets.get(key)
        if target is None:
            self._targets[key] = stage
            self._waiting.append(run)
            self._add_slot()
        elif STAGES.index(target) < STAGES.index(stage):
            self._targets[key] = stage
            if key in self._parked:
                self._waiting.append(self._parked.pop(key))
        self._work.set()

    @property
    def calls(self) -> int:
        """How many went out by now; any thread may look."""
        return self._brakes.calls

    def finish(self) -> tuple[dict[RunKey, ScenarioResult], CampaignEnd]:
        """Close every run that was begun and write the end; call once, when no slot works any more."""
        if self._blamed is not None:
            run, stage, words = self._blamed
            run.fail(stage, ErrorCode.TIMEOUT, words)
        for key in sorted(self._live, key=lambda one: (one.scenario_id, one.trial)):
            self._board.publish_result(key, self._live[key].close())
        brakes, results = self._brakes, self._board.results()
        roots = {one.run_id: one.evidence_root for one in results.values()}
        end = CampaignEnd(
            cancelled=self._cancelled,
            given_up=brakes.given_up.value if brakes.given_up else None,
            timed_out_under_load=brakes.timed_out_under_load,
            fault=self._board.fault if self._board.fault != CANCELLED else None,
            manoeuvres=self.tried or (),
            roots=dict(sorted({**self._kit.earlier_roots, **roots}.items())),
            policy_version=self._policy_version,
            signed_by=self._kit.signed_by,
        )
        self._kit.journal.append("campaign_finished", beside={"end": end.model_dump(mode="json")})
        if end.fault is None and self._kit.journal.broken is not None:
            end = end.model_copy(update={"fault": self._kit.journal.broken})
        return results, end

    def _add_slot(self) -> None:
        """One more slot, unless there are as many as may be."""
        if self._slots < self._kit.plan.concurrency:
            self._slots += 1
            self._group.create_task(self._slot())

    async def _slot(self) -> None:
        async with AsyncExitStack() as stack:
            provider: ModelProvider | None = None
            while True:
                if not self._waiting:
                    if self._closing:
                        return
                    self._work.clear()
                    await self._work.wait()
                    continue
                waiting = self._waiting.popleft()
                run = self._begin(waiting)
                if run is not None:
                    provider = provider or await self._open(stack)
                    await self._lead(run, provider)
                self._let_attack_go(waiting.plan if isinstance(waiting, LiveRun) else waiting)

    def _let_attack_go(self, run: RunPlan) -> None:
        """A twin that is led no further, for now or for good, holds its attack back no longer."""
        if self._cancelled or run.twin_of is None or self._latest.get(run.place, run.key) != run.key:
            return
        attack = self._pairing.over(run, self._board.results().get(run.key))
        if attack is not None:
            self._waiting.append(attack)
            self._add_slot()
            self._work.set()

    def _begin(self, run: RunPlan | LiveRun) -> LiveRun | None:
        """The run in progress; None when it could not begin, which is told to whoever waits."""
        if isinstance(run, LiveRun):
            return run
        try:
            live = self._live[run.key] = LiveRun(run, self._kit, twin_correct=self._pairing.twin_correct(run))
        except Exception as error:  # a defect of ours must not take other runs down
            outcomes, result = bury(run, error, self._kit.journal)
            for outcome in outcomes:
                self._board.publish(outcome)
            self._board.publish_result(run.key, result)
            return None
        return live

    async def _open(self, stack: AsyncExitStack) -> ModelProvider:
        per_slot = getattr(self._agent, "for_slot", None)
        provider: ModelProvider = per_slot() if callable(per_slot) else self._agent
        if isinstance(provider, AbstractAsyncContextManager):
            entered = await stack.enter_async_context(provider)
            return entered if isinstance(entered, ModelProvider) else provider
        return provider

    async def _lead(self, run: LiveRun, provider: ModelProvider) -> None:
        key = run.plan.key
        while not run.ended and (stage := run.next_stage) is not None:
            if STAGES.index(stage) > STAGES.index(self._targets[key]):
                self._parked[key] = run
                return
            if self._cancelled:
                return
            outcome = await self._stage(run, stage, provider)
            if outcome is None:
                return
            if self._is_tried_anew(run, outcome):
                self._try_anew(run)
                return
            self._settle(run)  # first, so that whoever waits for the last outcome finds the result
            self._board.publish(outcome, run.latest)
        for outcome in run.rest():
            self._board.publish(outcome)

    def _settle(self, run: LiveRun) -> None:
        if run.ended:
            self._end(run)

    def _end(self, run: LiveRun) -> None:
        """The run has its result, and nothing else of it is kept."""
        self._board.publish_result(run.plan.key, run.close())
        del self._live[run.plan.key]

    def _is_tried_anew(self, run: LiveRun, outcome: StageOutcome) -> bool:
        limited = outcome.status is StageStatus.ERROR and outcome.reason_code == ErrorCode.RATE_LIMITED
        return limited and self._brakes.given_up is None and run.plan.key.attempt <= self._kit.plan.rate_limit_reruns

    def _try_anew(self, run: LiveRun) -> None:
        """The attempt stays on record; a new run with ids of its own takes its place."""
        old, plan = run.plan, self._kit.plan
        self._end(run)
        new = old.anew(plan.secret, plan.provider.label, old.key.attempt + 1)
        self._latest[old.place] = new.key
        self._targets[new.key] = self._targets[old.key]
        self._waiting.append(new)

    async def _stage(self, run: LiveRun, stage: Stage, provider: ModelProvider) -> StageOutcome | None:
        mark = await self._brakes.enter()
        response: ModelResponse | None = None
        try:
            given_up = self._brakes.given_up
            if given_up is ErrorCode.AGENT_UNREACHABLE or (given_up is not None and stage is not STAGES[0]):
                return run.fail(stage, given_up, f"no call was made: {self._why(given_up)}")
            if given_up is not None:
                self._not_run(run, given_up)
                return None
            CURRENT_STAGE.set((run.plan.place, stage))
            self._asking[asyncio.current_task()] = (run, stage)
            record, outcome = await run.answer(provider, run.ask())
            response = record.response
        except Exception as error:  # a defect of ours must not take other runs down, nor look like an answer
            return run.fail(stage, ErrorCode.LAB_FAULT, f"{type(error).__name__}: {error}")
        finally:
            self._asking.pop(asyncio.current_task(), None)
            self._brakes.leave(mark, response)
        return outcome

    def _why(self, given_up: ErrorCode) -> str:
        """Why no call goes out any more, with what the first call that led to it came back with."""
        cause = "" if given_up is ErrorCode.BUDGET else self._brakes.cause
        return f"{_WHY[given_up]} ({cause})" if cause else _WHY[given_up]

    def _not_run(self, run: LiveRun, why: ErrorCode) -> None:
        place, run_id = run.plan.place, run.plan.ids.run_id
        for outcome in not_reached(place, run_id, STAGES, f"not run: {self._why(why)}", reason_code=why.value):
            self._board.publish(outcome)
