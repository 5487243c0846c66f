"""SIGTERM ends a campaign like Ctrl-C does: partial scorecard, exit status 2."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["Terminated", "termination_interrupts"]


class Terminated(KeyboardInterrupt):
    """The process was asked to end."""


@contextmanager
def termination_interrupts() -> Iterator[None]:
    """
    While it lasts, SIGTERM raises `Terminated` in the main thread.

    A handler that somebody else has set is left alone, and so is a process that ignores the signal.
    """
    ours = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if ours:
        signal.signal(signal.SIGTERM, _raise)
    try:
        yield
    finally:
        if ours:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _raise(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  # the signature of a handler
    raise Terminated("asked to end by SIGTERM")
