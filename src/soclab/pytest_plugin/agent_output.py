"""What an agent in this process says beside its answers, kept for the item of the stage it belongs to."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from typing import Final, NamedTuple

from soclab.contracts.outcome import RunKey
from soclab.contracts.vocabulary import STAGES, Stage
from soclab.engine.current import CURRENT_STAGE
from soclab.redaction import cut

__all__ = ["CHANNELS", "AgentOutput", "Said"]

CHANNELS: Final = ("stdout", "stderr", "log")
_MOST_LINES: Final = 100
_LONGEST: Final = 1500


class Said(NamedTuple):
    """
    Lines of one stage; raw, hostile, and they may hold canaries.

    Attributes:
        run, stage: None where nobody can tell them.
        left_out: so many lines stood before these.
    """

    run: RunKey | None
    stage: Stage | None
    channel: str
    lines: list[str]
    left_out: int

    def last(self, most: int) -> Said:
        """With so many lines at most."""
        return self._replace(lines=self.lines[-most:], left_out=self.left_out + max(0, len(self.lines) - most))


class _Lines:
    """The last hundred lines, and what has not ended in one yet."""

    def __init__(self) -> None:
        self._kept: deque[str] = deque(maxlen=_MOST_LINES)
        self._open = ""
        self._count = 0

    def add(self, text: str) -> None:
        *whole, last = text.split("\n")
        for line in whole:
            self._close(line)
        self._open = (self._open + last)[: _LONGEST + 1]

    def _close(self, rest: str) -> None:
        self._kept.append(cut((self._open + rest)[: _LONGEST + 1], _LONGEST))
        self._open = ""
        self._count += 1

    def end(self) -> tuple[list[str], int]:
        if self._open:
            self._close("")
        return list(self._kept), self._count - len(self._kept)


class AgentOutput:
    """
    One in a process; any thread may add to it.

    What is said while a stage is asked belongs to it: tasks, and threads that took the context along, inherit it. A
    thread that the agent started itself does not, and what it says belongs to no stage.

    Attributes:
        has_guest: no item of the campaign is in progress; what threads of no stage say is the user's then.
    """

    def __init__(self) -> None:
        self.has_guest = True
        self._lock = threading.Lock()
        self._lines: dict[RunKey | None, dict[Stage | None, dict[str, _Lines]]] = {}
        self._pytest = threading.get_ident()

    @property
    def is_heard(self) -> bool:
        """Whether what the calling code says now is the agent's, and not a test's, a fixture's or pytest's."""
        if CURRENT_STAGE.get() is not None:
            return True
        return threading.get_ident() != self._pytest and not self.has_guest

    def add(self, channel: str, text: str) -> None:
        """Text of the calling code, line ends included."""
        run, stage = CURRENT_STAGE.get() or (None, None)
        with self._lock:
            channels = self._lines.setdefault(run, {}).setdefault(stage, {})
            if (lines := channels.get(channel)) is None:
                lines = channels[channel] = _Lines()
            lines.add(text)

    def take(self, run: RunKey, stage: Stage) -> list[Said]:
        """What a run said up to a stage, once: a stage without an item, and what came late, is told by the next."""
        until = STAGES[: STAGES.index(stage) + 1]
        with self._lock:
            stages = self._lines.get(run)
            if stages is None:
                return []
            return [said for one in until for said in _ended(run, one, stages.pop(one, {}))]

    def take_all(self) -> list[Said]:
        """What no item told, what belongs to no stage first; from here on nothing is heard any more."""
        with self._lock:
            self.has_guest = True
            found, self._lines = self._lines, {}
        runs = sorted(found, key=lambda run: ("", 0) if run is None else (run.scenario_id, run.trial))
        return [said for run in runs for stage, channels in found[run].items() for said in _ended(run, stage, channels)]


def _ended(run: RunKey | None, stage: Stage | None, channels: dict[str, _Lines]) -> Iterator[Said]:
    for channel in CHANNELS:
        if channel in channels:
            yield Said(run, stage, channel, *channels[channel].end())
