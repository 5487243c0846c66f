"""Leads what agents print away from the item in progress, whatever pytest has put in the place of `sys.stdout`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Final, TextIO
from weakref import WeakKeyDictionary

from soclab.pytest_plugin.agent_output import AgentOutput

__all__ = ["StageStreams"]

_NAMES: Final = ("stdout", "stderr")
_MISSING: Final = object()


class StageStreams:
    """
    Gives every stream that is met a `write` of its own, which asks whose text it is.

    The stream objects stay where they are: pytest swaps them at each phase of an item, and a logging handler of the
    user's may hold one. Texts of tests, fixtures and pytest go through as they are.
    """

    def __init__(self, output: AgentOutput) -> None:
        self._output = output
        self._met: WeakKeyDictionary[TextIO, Any] = WeakKeyDictionary()

    def meet(self) -> None:
        """Take in the streams that stand there now; cheap when they are known."""
        for name in _NAMES:
            for stream in (getattr(sys, name), getattr(sys, f"__{name}__")):
                if stream is not None and stream not in self._met:
                    self._take_in(stream, name)

    def restore(self) -> None:
        """Every stream writes as it did before."""
        for stream, before in self._met.items():
            if before is _MISSING:
                vars(stream).pop("write", None)
            else:
                vars(stream)["write"] = before
        self._met.clear()

    def _take_in(self, stream: TextIO, name: str) -> None:
        attributes = getattr(stream, "__dict__", None)
        if attributes is None:  # nothing of pytest's or Python's
            return
        self._met[stream] = attributes.get("write", _MISSING)
        attributes["write"] = _led(stream.write, name, self._output)


def _led(write: Callable[[str], int], name: str, output: AgentOutput) -> Callable[[str], int]:
    def led(text: str) -> int:
        if not output.is_heard or not isinstance(text, str):
            return write(text)
        output.add(name, text)
        return len(text)

    return led
