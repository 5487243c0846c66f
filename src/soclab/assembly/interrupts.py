"""Signals that end a campaign: SIGTERM is like Ctrl-C, and neither cuts the writing of the files at the first time."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

__all__ = ["Terminated", "interrupts_held", "termination_interrupts"]

_HELD: Final = (signal.SIGINT, signal.SIGTERM)


class Terminated(KeyboardInterrupt):
    """The process was asked to end."""


@contextmanager
def termination_interrupts() -> Iterator[None]:
    """
    While it lasts, SIGTERM raises `Terminated` in the main thread.

    A handler that somebody else has set is left alone, and so is a process that ignores the signal.
    """
    ours = _is_main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if ours:
        signal.signal(signal.SIGTERM, _raise)
    try:
        yield
    finally:
        if ours and _is_main_thread() and signal.getsignal(signal.SIGTERM) is _raise:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def interrupts_held(hurry: Callable[[], None]) -> Iterator[None]:
    """
    While it lasts, the first SIGINT or SIGTERM waits; it takes effect when this is left. The next one does at once.

    In another thread than the main one nothing is held: no signal takes effect there.

    Args:
        hurry: called by the first signal, inside its handler: what is waited for shall end soon.
    """
    before = {one: signal.getsignal(one) for one in _HELD} if _is_main_thread() else {}
    before = {one: handler for one, handler in before.items() if handler not in (None, signal.SIG_IGN)}
    waiting: list[int] = []

    def restore() -> None:
        for one, handler in before.items():
            signal.signal(one, handler)

    def hold(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  # the signature of a handler
        if waiting:
            waiting.clear()
            restore()
            signal.raise_signal(number)
        else:
            waiting.append(number)
            hurry()

    try:
        for one in before:
            signal.signal(one, hold)
        yield
    finally:
        restore()
        if waiting:
            signal.raise_signal(waiting.pop())


def _is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def _raise(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  # the signature of a handler
    raise Terminated("asked to end by SIGTERM")
