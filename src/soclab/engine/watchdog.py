"""Notices that the event loop stands still: then no deadline of a call can fire, and nobody would ever be told."""

from __future__ import annotations

import asyncio
import sys
import sysconfig
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Final

__all__ = ["LoopWatchdog", "place_of_thread"]

_TICK_SECONDS: Final = 0.25
_LIBRARIES: Final = tuple(str(Path(sysconfig.get_path(name)).resolve()) for name in ("stdlib", "purelib", "platlib"))
_LAB: Final = str(Path(__file__).resolve().parents[1])


class LoopWatchdog:
    """
    A daemon thread that hears a beat of the loop every quarter of a second.

    Its own ticks are counted, not the time of day: a process that was suspended as a whole is not a loop that stands.

    Args:
        limit_seconds: how long the loop may be silent.
        stalled: called once, in the watchdog's thread, when it was silent for longer.
    """

    def __init__(self, limit_seconds: float, stalled: Callable[[], None]) -> None:
        self._most = limit_seconds / _TICK_SECONDS
        self._stalled = stalled
        self._silent_ticks = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="soclab-watchdog", daemon=True)

    def start(self) -> None:
        """Call from within the loop."""
        self._beat(asyncio.get_running_loop())
        self._thread.start()

    def stop(self) -> None:
        """The loop has ended."""
        self._over.set()

    def _beat(self, loop: asyncio.AbstractEventLoop) -> None:
        self._silent_ticks = 0
        if not self._over.is_set():
            loop.call_later(_TICK_SECONDS, self._beat, loop)

    def _watch(self) -> None:
        while not self._over.wait(_TICK_SECONDS):
            self._silent_ticks += 1
            if self._silent_ticks > self._most:
                self._stalled()
                return


def place_of_thread(thread: threading.Thread) -> str:
    """`agent.py:12 in answer`: where the thread is in the code of the user, the innermost such place; "" unknown."""
    frame = sys._current_frames().get(thread.ident or 0)
    while frame is not None:
        if _is_users(frame):
            return f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno} in {frame.f_code.co_name}"
        frame = frame.f_back
    return ""


def _is_users(frame: FrameType) -> bool:
    name = frame.f_code.co_filename
    return not name.startswith(("<", _LAB, *_LIBRARIES))
