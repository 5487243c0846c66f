"""The hooks of a session with a campaign in one process: header, gate and scorecard beside the items."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from soclab.pytest_plugin import gate
from soclab.pytest_plugin.arguments import NODE
from soclab.pytest_plugin.campaigns import Campaigns
from soclab.pytest_plugin.item_hooks import ItemHooks
from soclab.pytest_plugin.output_sections import show_untold
from soclab.pytest_plugin.progress import live_line
from soclab.pytest_plugin.results import CONTAINED_MARK
from soclab.pytest_plugin.shield import Shield
from soclab.pytest_plugin.text import header_lines, planned_line

__all__ = ["CampaignHooks", "ContainedMark", "Verdicts"]


class Verdicts:
    """What stands around the items: header before them, gate and scorecard after them."""

    def __init__(self, campaigns: Campaigns) -> None:
        self.campaigns = campaigns
        self.verdict: gate.GateVerdict | None = None
        self.untold_lines: list[str] = []

    def pytest_report_header(self) -> list[str]:
        campaigns = self.campaigns
        return header_lines(campaigns.primary.prepared, campaigns.modes, campaigns.place, collected=campaigns.collected)

    def conclude(self, session: pytest.Session, *, cancel: bool) -> None:
        """End the campaign and judge it."""
        self.campaigns.end(cancel=cancel)
        self.verdict = gate.judge(self.campaigns.sessions, cut_short=cancel)
        gate.show(session.config, self.verdict)

    def settle(self, session: pytest.Session) -> None:
        """Make the session red when the gate is."""
        if self.verdict is not None and self.verdict.outcome == "failed" and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
        show_untold(terminalreporter, self.untold_lines, is_red=exitstatus != pytest.ExitCode.OK)
        from soclab.pytest_plugin.summary import summary_lines  # not before the first request

        lines = summary_lines(self.campaigns)
        if lines:
            terminalreporter.section(f"{NODE} scorecard")
            for line in lines:
                terminalreporter.line(line)


class CampaignHooks(ItemHooks, Verdicts):
    """Registered when a campaign is asked for."""

    def __init__(self, campaigns: Campaigns, shield: Shield) -> None:
        ItemHooks.__init__(self, campaigns, shield)
        Verdicts.__init__(self, campaigns)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        super().pytest_sessionstart(session)
        line = live_line(session.config, self.campaigns.primary.prepared.settings.environment)
        for one in self.campaigns.sessions:
            one.live_line = line

    def pytest_report_collectionfinish(self) -> list[str]:
        campaigns = self.campaigns
        if not campaigns.collected:
            return []
        line = planned_line(campaigns.selected_stages, campaigns.calls_planned, campaigns.total_stages)
        return [line] if line else []

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, Any, Any]:
        option = session.config.option
        if option.collectonly or option.setuponly or not self.campaigns.has_items:
            return (yield)
        session.testscollected += 1  # the gate is one more result, and progress is counted from this
        try:
            result = yield
        except session.Failed:  # -x or --maxfail
            self.conclude(session, cancel=True)
            raise
        self.conclude(session, cancel=False)
        return result

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self.campaigns.end_at_last(session)
        self.untold_lines += self.untold()
        self.settle(session)

    def pytest_unconfigure(self) -> None:
        self.campaigns.end(cancel=True)


class ContainedMark:
    """Registered when contained attacks pass: their results are shown as passed, and as contained."""

    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, Any] | None:
        if report.when != "call" or not report.passed or CONTAINED_MARK not in report.user_properties:
            return None
        return "passed", "c", ("PASSED (contained)", {"yellow": True})
