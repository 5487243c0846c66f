"""One line that says how far a campaign is, for people who watch a terminal; silent everywhere else."""

from __future__ import annotations

import sys
from typing import TextIO

from soclab.assembly import RunningCampaign

__all__ = ["Progress"]


class Progress:
    """Call it now and then; `clear` takes the line away."""

    def __init__(self, running: RunningCampaign, stream: TextIO | None = None) -> None:
        self._running = running
        self._stream = sys.stderr if stream is None else stream
        self._is_live = self._stream.isatty()
        self._shown = ""

    def __call__(self) -> None:
        if not self._is_live:
            return
        done, planned = len(self._running.engine.board.results()), len(self._running.plan.runs)
        self._show(f"{done} of {planned} runs done")

    def clear(self) -> None:
        if self._shown:
            self._show("")

    def _show(self, text: str) -> None:
        if text == self._shown:
            return
        blank = " " * len(self._shown)
        self._stream.write(f"\r{blank}\r{text}")
        self._stream.flush()
        self._shown = text
