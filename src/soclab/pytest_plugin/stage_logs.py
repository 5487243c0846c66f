"""Log lines of agents, kept for the item of the stage they belong to."""

from __future__ import annotations

import logging
from collections import deque
from typing import Final

from soclab.contracts.outcome import RunKey
from soclab.contracts.vocabulary import Stage
from soclab.engine.current import CURRENT_STAGE
from soclab.redaction import clean

__all__ = ["StageLogs"]

_MOST_LINES: Final = 100
_LONGEST: Final = 2000
_SHAPE: Final = "%(levelname)-8s %(name)s:%(filename)s:%(lineno)d %(message)s"


class StageLogs(logging.Handler):
    """On the root logger; the last hundred lines of each stage."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter(_SHAPE))
        self._lines: dict[tuple[RunKey, Stage], deque[str]] = {}

    def emit(self, record: logging.LogRecord) -> None:
        place = CURRENT_STAGE.get()
        if place is None:
            return
        try:
            said = self.format(record)
        except Exception:  # a line that cannot be formatted is the agent's fault, and no reason to print a traceback
            said = f"{record.levelname} {record.name}: a line that cannot be formatted"
        lines = self._lines.setdefault(place, deque(maxlen=_MOST_LINES))
        lines.extend(clean(one, _LONGEST) for one in said.splitlines()[-_MOST_LINES:])

    def take(self, place: tuple[RunKey, Stage]) -> str:
        """The lines of a stage, once; empty without any."""
        return "\n".join(self._lines.pop(place, ()))
