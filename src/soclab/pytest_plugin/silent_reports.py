"""The terminal's list of reports of which nothing is ever shown."""

from __future__ import annotations

import pytest

from soclab.pytest_plugin.arguments import NODE

__all__ = ["SilentReports"]

_SILENT = ""
"""pytest's category of set-ups and teardowns that passed."""


class SilentReports:
    """
    Takes the campaign's set-ups and teardowns that passed without a word out of the terminal's list.

    It keeps them to the end for `--durations` alone (and for what a teardown printed, which is left), and of a large
    campaign they are a third of the session's memory.
    """

    def __init__(self) -> None:
        self._reporter: pytest.TerminalReporter | None = None

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """The terminal's plugin is there by now; it is not in a worker of pytest-xdist."""
        if getattr(session.config.option, "durations", None) is None:
            self._reporter = session.config.pluginmanager.get_plugin("terminalreporter")

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """After the terminal's own hook, so that the report is the last of its list if it is there."""
        if report.when == "call" or not report.passed or report.sections or self._reporter is None:
            return
        kept = self._reporter.stats.get(_SILENT)
        if kept and kept[-1] is report and report.nodeid.startswith(f"{NODE}::"):
            kept.pop()
