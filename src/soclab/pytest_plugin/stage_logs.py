"""Log lines of agents, on their way to the item of the stage they belong to."""

from __future__ import annotations

import logging
from typing import Final

from soclab.engine.current import CURRENT_STAGE
from soclab.pytest_plugin.agent_output import AgentOutput

__all__ = ["StageLogs"]

_SHAPE: Final = "%(levelname)-8s %(name)s:%(filename)s:%(lineno)d %(message)s"
_ENGINE_THREADS: Final = "soclab-"


class StageLogs(logging.Handler):
    """On the root logger."""

    def __init__(self, output: AgentOutput) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter(_SHAPE))
        self._output = output

    def emit(self, record: logging.LogRecord) -> None:
        if not self._output.is_heard or _is_chatter(record):
            return
        try:
            said = self.format(record)
        except Exception:  # a line that cannot be formatted is the agent's fault, and no reason to print a traceback
            said = f"{record.levelname} {record.name}: a line that cannot be formatted"
        self._output.add("log", f"{said}\n")

    def is_no_agents(self, record: logging.LogRecord) -> bool:
        """A filter for handlers that collect lines for the item in progress: the agent's do not belong to it."""
        return not self._output.is_heard and not _is_engines(record)


def _is_engines(record: logging.LogRecord) -> bool:
    return (record.threadName or "").startswith(_ENGINE_THREADS)


def _is_chatter(record: logging.LogRecord) -> bool:
    """Of the event loop and the clients beside any stage."""
    return CURRENT_STAGE.get() is None and _is_engines(record) and record.levelno < logging.WARNING
