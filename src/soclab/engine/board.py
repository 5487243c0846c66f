"""
Where the engine's thread puts outcomes and front doors wait for them. The only object both threads touch.

Outcomes cross the border, exceptions do not: every wait ends with an outcome or with "not yet".
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import Future

from soclab.contracts.outcome import RunKey, StageOutcome
from soclab.contracts.scorecard_v1 import ScenarioResult, StageResult
from soclab.contracts.vocabulary import STAGES, Outcome, Stage, StageStatus
from soclab.engine.outcomes import is_plain, plain_outcome

__all__ = ["CANCELLED", "Board"]

CANCELLED = "cancelled"
"""The engine ended because somebody asked it to; every other fault is a defect."""

_BROKEN = (StageStatus.FAILED, StageStatus.ERROR)


class _Run:
    """
    What was told of one run.

    Attributes:
        stages: in the order of the stages: an outcome; for a stage that just passed the result that says the same,
            which is held anyway; None while it is not known.
        run_id: of the attempt whose stages just passed.
        outcome: of the run, decided at a stage that just passed.
    """

    __slots__ = ("outcome", "run_id", "stages")

    def __init__(self) -> None:
        self.run_id = ""
        self.outcome: tuple[Stage, Outcome] | None = None
        self.stages: list[StageOutcome | StageResult | None] = [None] * len(STAGES)

    def add(self, told: StageOutcome, result: StageResult | None) -> None:
        """The first word stays: nothing later overwrites it."""
        place = STAGES.index(told.stage)
        if self.stages[place] is not None:
            return
        if result is None or not is_plain(told) or self.run_id not in ("", told.run_id):
            self.stages[place] = told
            return
        self.stages[place], self.run_id = result, told.run_id
        if told.outcome is not None:
            self.outcome = (told.stage, told.outcome)

    def told(self, key: RunKey, stage: Stage) -> StageOutcome | None:
        known = self.stages[STAGES.index(stage)]
        if not isinstance(known, StageResult):
            return known
        outcome = self.outcome[1] if self.outcome is not None and self.outcome[0] is stage else None
        return plain_outcome(key, self.run_id, known, outcome)


class Board:
    """Outcomes by run and stage, results by run."""

    def __init__(self) -> None:
        self._news = threading.Condition()
        self._runs: dict[RunKey, _Run] = {}
        self._results: dict[RunKey, ScenarioResult] = {}
        self._broken: dict[RunKey, StageOutcome] = {}
        self._awaited: tuple[RunKey, Stage] | None = None
        self._fault: str | None = None
        self._futures: dict[tuple[RunKey, Stage], list[Future[StageOutcome | None]]] = {}
        self._is_over = False

    def publish(self, outcome: StageOutcome, result: StageResult | None = None) -> None:
        """
        A stage is known. The first word stays: nothing later overwrites it.

        Args:
            result: of the stage; of one that just passed it is what is held, and the outcome is not.
        """
        with self._news:
            place = (outcome.key, outcome.stage)
            self._run(outcome.key).add(outcome, result)
            if outcome.status in _BROKEN:
                self._broken.setdefault(outcome.key, outcome)
            if place == self._awaited:  # waking the waiter for other news would only cost time
                self._news.notify_all()
            waiting = self._futures.pop(place, ())
        _resolve(waiting, outcome)

    def publish_result(self, key: RunKey, result: ScenarioResult) -> None:
        with self._news:
            self._results[key] = result

    def fail(self, reason: str) -> None:
        """The engine itself is gone: whoever waits is told so."""
        with self._news:
            self._fault = self._fault or reason
            self._news.notify_all()
        self.end()

    def end(self) -> None:
        """Nothing is published any more: every future that is still open gets None."""
        with self._news:
            self._is_over = True
            left = [one for waiting in self._futures.values() for one in waiting]
            self._futures.clear()
        _resolve(left, None)

    @property
    def fault(self) -> str | None:
        return self._fault

    def results(self) -> dict[RunKey, ScenarioResult]:
        """Results of the runs known so far."""
        with self._news:
            return dict(self._results)

    def known_of(self, places: Iterable[tuple[RunKey, Stage]]) -> int:
        """How many of these stages are known by now."""
        with self._news:
            return sum(self._knows(*place) for place in places)

    def broken(self) -> list[StageOutcome]:
        """The first broken stage of each run that has one."""
        with self._news:
            return list(self._broken.values())

    def forget(self, key: RunKey) -> None:
        """Drop what was told of a run, because another attempt takes its place; its result stays."""
        with self._news:
            self._runs.pop(key, None)
            self._broken.pop(key, None)

    def known(self, key: RunKey, stage: Stage) -> StageOutcome | None:
        """The outcome of a stage if it is known by now."""
        with self._news:
            return self._told(key, stage)

    def wait(self, key: RunKey, stage: Stage, timeout_seconds: float) -> StageOutcome | None:
        """The outcome of a stage, or None when it is not known within the time. One waiter at a time."""
        place = (key, stage)
        with self._news:
            self._awaited = place
            self._news.wait_for(lambda: self._knows(key, stage) or self._fault is not None, timeout_seconds)
            return self._told(key, stage)

    def future(self, key: RunKey, stage: Stage) -> Future[StageOutcome | None]:
        """The outcome of a stage once it is known, None once it will never be. Any number of them, never cancelled."""
        place = (key, stage)
        future: Future[StageOutcome | None] = Future()
        future.set_running_or_notify_cancel()
        with self._news:
            known = self._told(key, stage)
            if known is None and not self._is_over:
                self._futures.setdefault(place, []).append(future)
                return future
        future.set_result(known)
        return future

    def seen(self, outcome: StageOutcome, selected: Sequence[Stage]) -> StageOutcome:
        """
        What the item of this stage has to say, when some stages of the run have no item.

        A break at a stage without an item is told by the first selected stage after it, so it never goes green.
        """
        hidden = self._hidden_break(outcome, selected)
        if hidden is None or outcome.status in _BROKEN:
            return outcome
        return hidden.model_copy(update={"stage": outcome.stage, "broken_at": hidden.stage})

    def _hidden_break(self, outcome: StageOutcome, selected: Sequence[Stage]) -> StageOutcome | None:
        here = STAGES.index(outcome.stage)
        with self._news:
            for stage in reversed(STAGES[:here]):
                if stage in selected:
                    return None
                before = self._told(outcome.key, stage)
                if before is not None and before.status in _BROKEN:
                    return before
        return None

    def _run(self, key: RunKey) -> _Run:
        run = self._runs.get(key)
        if run is None:
            run = self._runs[key] = _Run()
        return run

    def _told(self, key: RunKey, stage: Stage) -> StageOutcome | None:
        run = self._runs.get(key)
        return None if run is None else run.told(key, stage)

    def _knows(self, key: RunKey, stage: Stage) -> bool:
        run = self._runs.get(key)
        return run is not None and run.stages[STAGES.index(stage)] is not None


def _resolve(futures: Iterable[Future[StageOutcome | None]], outcome: StageOutcome | None) -> None:
    """Outside the lock: whoever waits may run code of their own here."""
    for future in futures:
        future.set_result(outcome)
