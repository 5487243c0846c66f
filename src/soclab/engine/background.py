"""
The engine in a thread of its own, so that a front door can wait stage by stage without an event loop.

Every wait ends: with an outcome, or with an error outcome that says that the engine is gone.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress

from soclab.contracts.campaign import CampaignEnd
from soclab.contracts.manoeuvre import ManoeuvreResult
from soclab.contracts.outcome import RunKey, StageOutcome
from soclab.contracts.provider import ModelProvider
from soclab.contracts.scorecard_v1 import ScenarioResult
from soclab.contracts.vocabulary import ErrorCode, Stage, StageStatus
from soclab.engine.board import CANCELLED, Board
from soclab.engine.campaign import Campaign
from soclab.engine.live import RunKit
from soclab.engine.plan import RunPlan
from soclab.engine.watchdog import LoopWatchdog, place_of_thread
from soclab.errors import SoclabError
from soclab.redaction import clean

__all__ = ["BackgroundEngine"]

_SLICE_SECONDS = 0.1
_STOP_SECONDS = 1.5
_GRACE_SECONDS = 5.0
"""How much longer than a call may take the event loop may stand still: a call's own deadline comes first."""
_PLACE_LIMIT = 200
_TRY_SECONDS = 60


class BackgroundEngine:
    """
    One daemon thread with one event loop.

    Typical use: `start`, then `outcome(...)` per item, then `close`, which returns all results.
    """

    def __init__(self, kit: RunKit, agent: ModelProvider, board: Board | None = None) -> None:
        self.board = board or Board()
        self._kit = kit
        self._agent = agent
        self._planned = {run.key for run in kit.plan.runs}
        self._ready = threading.Event()
        self._campaign: Campaign | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._stalled = ""
        self._dropped = False
        self._thread = threading.Thread(target=self._main, name="soclab-engine", daemon=True)

    def start(self) -> None:
        """Start the runs. Returns when the loop is up."""
        self._thread.start()
        self._ready.wait()

    def outcome(
        self,
        run: RunPlan,
        stage: Stage,
        *,
        selected: Sequence[Stage],
        between: Callable[[], None] | None = None,
    ) -> StageOutcome:
        """
        Wait for a stage.

        Args:
            run: the run, planned or not; an unplanned run or a later stage extends the plan.
            selected: stages of this run that have an item; a break at another stage shows at the next of them.
            between: called about ten times a second while waiting (progress).
        """
        self._plan(run, stage)
        while True:
            outcome = self.board.wait(run.place, stage, _SLICE_SECONDS)
            if outcome is not None:
                return self.board.seen(outcome, selected)
            if self.board.fault is not None or not self._thread.is_alive():
                return self._gone(run, stage)
            if between is not None:
                between()

    def awaited(self, run: RunPlan, stage: Stage) -> Future[StageOutcome | None]:
        """The same for those who have an event loop of their own: hand what it gives to `told`."""
        self._plan(run, stage)
        return self.board.future(run.place, stage)

    def told(
        self, run: RunPlan, stage: Stage, outcome: StageOutcome | None, *, selected: Sequence[Stage]
    ) -> StageOutcome:
        """What `outcome` returns, from what the future of `awaited` gave."""
        return self._gone(run, stage) if outcome is None else self.board.seen(outcome, selected)

    def _plan(self, run: RunPlan, stage: Stage) -> None:
        """See to it that the stage is among those that are led to, unless it is known."""
        is_planned = stage in run.stages and run.key in self._planned
        if not is_planned and self.board.known(run.place, stage) is None:
            self._call(lambda campaign: campaign.want(run, stage))

    def wait_all(self, between: Callable[[], None] | None = None) -> None:
        """Wait until every planned run is done (front doors without items)."""
        for run in self._kit.plan.runs:
            self.outcome(run, run.stages[-1], selected=run.stages, between=between)

    def manoeuvres(self) -> tuple[ManoeuvreResult, ...]:
        """What the lab tries against its own control plane, tried now if it was not before; () when it cannot be."""
        loop, campaign = self._loop, self._campaign
        if loop is None or campaign is None:
            return ()
        if campaign.tried is None and self._thread.is_alive() and not loop.is_closed():
            with suppress(RuntimeError, TimeoutError, CancelledError):
                return asyncio.run_coroutine_threadsafe(campaign.manoeuvres(), loop).result(_TRY_SECONDS)
        return campaign.tried or ()

    @property
    def calls(self) -> int:
        """How many went out by now."""
        return 0 if self._campaign is None else self._campaign.calls

    def close(self, *, cancel: bool = False) -> tuple[dict[RunKey, ScenarioResult], CampaignEnd]:
        """
        End the engine and get the results.

        Args:
            cancel: drop calls in flight instead of letting slots end their stage.
        """
        if cancel:
            self.drop()
        else:
            self._call(lambda campaign: campaign.stop(cancelled=False))
        self._join()
        self._kit.journal.hand_over()
        if self._campaign is None:
            return {}, CampaignEnd(cancelled=True, fault=self.board.fault or "the engine never started")
        return self._campaign.finish()

    def drop(self) -> None:
        """Drop the calls in flight, also those that `close` waits for: a signal handler may call it."""
        if self._dropped:
            return
        self._dropped = True
        self._call(lambda campaign: campaign.stop(cancelled=True))
        self._call(lambda _: self._task.cancel() if self._task else None)

    def _join(self) -> None:
        """Until the thread has ended or stands still; not for long when its calls were dropped."""
        while self._thread.is_alive() and not self._stalled and not self._dropped:
            self._thread.join(_SLICE_SECONDS)
        if self._dropped:
            self._thread.join(_STOP_SECONDS)

    def _call(self, what: Callable[[Campaign], object]) -> None:
        loop, campaign = self._loop, self._campaign
        if loop is None or campaign is None or loop.is_closed():
            return
        try:
            loop.call_soon_threadsafe(what, campaign)
        except RuntimeError:  # the loop closed in between: waiters see that the thread is gone
            return

    def _main(self) -> None:
        try:
            asyncio.run(self._serve())
        except asyncio.CancelledError:
            self.board.fail(CANCELLED)
        except BaseException as error:  # whatever happens, waiters are told
            self.board.fail(_told(error))
        finally:
            self.board.end()
            self._ready.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self._campaign = Campaign(self._kit, self._agent, self.board)
        watchdog = LoopWatchdog(self._kit.plan.call_seconds + _GRACE_SECONDS, self._stall)
        watchdog.start()
        self._ready.set()
        try:
            await self._campaign.run(stay=True)
        finally:
            watchdog.stop()

    def _stall(self) -> None:
        """The agent holds the event loop: the run is blamed, whoever waits is told, nothing is asked any more."""
        campaign, loop = self._campaign, self._loop
        if campaign is None or loop is None:
            return
        at = clean(place_of_thread(self._thread), _PLACE_LIMIT)
        blamed = campaign.blame(asyncio.current_task(loop), self._kit.plan.call_seconds, at)
        self._call(lambda one: one.stop(cancelled=True))
        self._call(lambda _: self._task.cancel() if self._task else None)
        self._stalled = blamed
        self.board.fail(blamed)

    def _gone(self, run: RunPlan, stage: Stage) -> StageOutcome:
        cancelled = self.board.fault == CANCELLED
        code = ErrorCode.CANCELLED if cancelled else ErrorCode.TIMEOUT if self._stalled else ErrorCode.LAB_FAULT
        return StageOutcome(
            key=run.place,
            run_id=run.ids.run_id,
            stage=stage,
            status=StageStatus.ERROR,
            reason_code=code.value,
            headline=self._stalled or f"the engine stopped: {self.board.fault or 'its thread ended'}",
        )


def _told(error: BaseException) -> str:
    """One line; of a group, the first of those that were raised in it: one takes the others along."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) if isinstance(error, SoclabError) else f"{type(error).__name__}: {error}"
