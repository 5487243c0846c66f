"""
Where the engine's thread puts outcomes and front doors wait for them. The only object both threads touch.

Outcomes cross the border, exceptions do not: every wait ends with an outcome or with "not yet".
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from soclab.contracts.outcome import RunKey, StageOutcome
from soclab.contracts.scorecard_v1 import ScenarioResult
from soclab.contracts.vocabulary import STAGES, Stage, StageStatus

__all__ = ["CANCELLED", "Board"]

CANCELLED = "cancelled"
"""The engine ended because somebody asked it to; every other fault is a defect."""

_BROKEN = (StageStatus.FAILED, StageStatus.ERROR)


class Board:
    """Outcomes by run and stage, results by run."""

    def __init__(self) -> None:
        self._news = threading.Condition()
        self._outcomes: dict[tuple[RunKey, Stage], StageOutcome] = {}
        self._results: dict[RunKey, ScenarioResult] = {}
        self._awaited: tuple[RunKey, Stage] | None = None
        self._fault: str | None = None

    def publish(self, outcome: StageOutcome) -> None:
        """A stage is known. The first word stays: nothing later overwrites it."""
        with self._news:
            place = (outcome.key, outcome.stage)
            self._outcomes.setdefault(place, outcome)
            if place == self._awaited:  # waking the waiter for other news would only cost time
                self._news.notify_all()

    def publish_result(self, key: RunKey, result: ScenarioResult) -> None:
        with self._news:
            self._results[key] = result

    def fail(self, reason: str) -> None:
        """The engine itself is gone: whoever waits is told so."""
        with self._news:
            self._fault = self._fault or reason
            self._news.notify_all()

    @property
    def fault(self) -> str | None:
        return self._fault

    def results(self) -> dict[RunKey, ScenarioResult]:
        """Results of the runs known so far."""
        with self._news:
            return dict(self._results)

    def known(self, key: RunKey, stage: Stage) -> StageOutcome | None:
        """The outcome of a stage if it is known by now."""
        with self._news:
            return self._outcomes.get((key, stage))

    def wait(self, key: RunKey, stage: Stage, timeout_seconds: float) -> StageOutcome | None:
        """The outcome of a stage, or None when it is not known within the time. One waiter at a time."""
        place = (key, stage)
        with self._news:
            self._awaited = place
            self._news.wait_for(lambda: place in self._outcomes or self._fault is not None, timeout_seconds)
            return self._outcomes.get(place)

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
                before = self._outcomes.get((outcome.key, stage))
                if before is not None and before.status in _BROKEN:
                    return before
        return None
