"""One line that says how far the campaign is while an item waits, for people who watch a terminal; silent elsewhere."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from _pytest._io import TerminalWriter  # what `Config.get_terminal_writer` gives, which has no public name

__all__ = ["LiveLine", "live_line"]

_CI: Final = ("CI", "BUILD_NUMBER")
"""Variables by which pytest itself knows that nobody watches."""

_ERASE: Final = "\x1b[K"
_ROOM: Final = 2
"""Columns that stay free: between what pytest wrote and the line, and at the edge, where a terminal would wrap."""


class LiveLine:
    """
    Stands behind what pytest wrote on the line so far, and leaves the cursor where it was.

    Args:
        capture: pytest's; lifted while something is written.
    """

    def __init__(self, capture: Any, writer: TerminalWriter) -> None:
        self._capture = capture
        self._writer = writer
        self._shown = ""

    def show(self, *texts: str) -> None:
        """The first of the texts (printable ASCII) that fits; nothing when none does."""
        room = self._writer.fullwidth - self._writer.width_of_current_line - 2 * _ROOM
        text = next((one for one in texts if len(one) <= room), "")
        if text != self._shown:
            gap = " " * _ROOM
            self._shown = text  # before it stands there: Ctrl-C may come in between, and then it is cleared
            self._write(f"{_ERASE}{gap}{text}\x1b[{len(gap) + len(text)}D" if text else _ERASE)

    def clear(self) -> None:
        """Take it away; call it before anybody else writes."""
        if self._shown:
            self._write(_ERASE)
            self._shown = ""

    def _write(self, text: str) -> None:
        lifted = contextlib.nullcontext() if self._capture is None else self._capture.global_and_fixture_disabled()
        with lifted:
            sys.stdout.write(text)
            sys.stdout.flush()


def live_line(config: pytest.Config, environment: Mapping[str, str]) -> LiveLine | None:
    """None where nobody watches, or nobody wants to: no terminal, no colours, `-q`, a CI, another plugin's display."""
    plugins = config.pluginmanager
    reporter: Any = plugins.get_plugin("terminalreporter")
    if type(reporter) is not pytest.TerminalReporter or config.get_verbosity() < 0:
        return None
    if any(environment.get(one) for one in _CI) or not (reporter.isatty and sys.stdout.isatty()):
        return None
    writer = config.get_terminal_writer()
    return LiveLine(plugins.get_plugin("capturemanager"), writer) if writer.hasmarkup else None
