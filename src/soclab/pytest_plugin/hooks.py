"""The hooks of a session with a campaign; each hands over to a room."""

from __future__ import annotations

import gc
from collections.abc import Generator
from typing import Any

import pytest

from soclab.errors import UsageError
from soclab.pytest_plugin import gate
from soclab.pytest_plugin.arguments import NODE, others
from soclab.pytest_plugin.collection import AGENT, CampaignModule, keep_stage_order
from soclab.pytest_plugin.override import check_agent_fixture
from soclab.pytest_plugin.results import CONTAINED_MARK, TOLD, StageFailed, dress, place_skip
from soclab.pytest_plugin.session import CampaignSession
from soclab.pytest_plugin.shield import Shield
from soclab.pytest_plugin.summary import summary_lines
from soclab.pytest_plugin.termination import termination_interrupts
from soclab.pytest_plugin.text import header_lines, planned_line

__all__ = ["CampaignHooks", "ContainedMark"]


class CampaignHooks:
    """Registered when a campaign is asked for."""

    def __init__(self, campaign: CampaignSession, shield: Shield) -> None:
        self.campaign = campaign
        self.shield = shield
        self.verdict: gate.GateVerdict | None = None

    def pytest_report_header(self) -> list[str]:
        return header_lines(self.campaign.prepared, collected=self.campaign.wishes.collected)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        self.shield.guard_logging(session.config)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        session.config.args[:] = others(session.config)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        report = yield
        if isinstance(collector, pytest.Session) and self.campaign.wishes.collected:
            report.result.append(self._node(collector))
        if isinstance(collector, CampaignModule) and not report.result and report.passed:
            # --lf answers "nothing" for files without a known failure, and the campaign stands in no file
            report.result = list(collector.collect())
        self.shield.scrub(report)
        return report

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Generator[None, Any, Any]:
        result = yield
        keep_stage_order(items)
        return result

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.campaign.plan(session.items)
        if self.campaign.has_items:
            gc.freeze()  # thousands of items that stay to the end would make every full collection slow

    def pytest_report_collectionfinish(self) -> list[str]:
        campaign = self.campaign
        if not campaign.wishes.collected:
            return []
        line = planned_line(campaign.selection, campaign.calls_planned, campaign.total_stages)
        return [line] if line else []

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, Any, Any]:
        option = session.config.option
        if option.collectonly or option.setupplan or not self.campaign.has_items:
            return (yield)
        session.testscollected += 1  # the gate is one more result, and progress is counted from this
        try:
            with termination_interrupts():
                result = yield
        except session.Failed:  # -x or --maxfail
            self._conclude(session, cancel=True)
            raise
        self._conclude(session, cancel=False)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, None, None]:
        yield
        if type(item.parent) is not CampaignModule or item.config.option.setupplan:
            return
        if isinstance(item, pytest.Function):
            self.campaign.attend(item, item.funcargs.get(AGENT))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if type(item.parent) is CampaignModule:
            if (told := item.stash.get(TOLD, None)) is not None:
                raised = None if call.excinfo is None else call.excinfo.value
                dress(report, told, raised if isinstance(raised, StageFailed) else None)
            place_skip(report)
        if report.longrepr is not None or report.sections:
            self.shield.scrub(report)
        return report

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_report_to_serializable(self) -> Generator[None, Any, Any]:
        data = yield
        return self.shield.scrub_data(data) if isinstance(data, dict) else data

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self.campaign.end(cancel=True)
        if self.verdict is not None and self.verdict.outcome == "failed" and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        lines = summary_lines(self.campaign)
        if lines:
            terminalreporter.section(f"{NODE} scorecard")
            for line in lines:
                terminalreporter.line(line)

    def pytest_unconfigure(self) -> None:
        self.campaign.end(cancel=True)

    def _node(self, session: pytest.Session) -> CampaignModule:
        node = CampaignModule.under(session, self.campaign.tree, self.campaign.show)
        try:
            check_agent_fixture(node, self.campaign.prepared.settings.fixture_agent)
        except UsageError as error:
            raise pytest.UsageError(str(error)) from None
        return node

    def _conclude(self, session: pytest.Session, *, cancel: bool) -> None:
        self.campaign.end(cancel=cancel)
        self.verdict = gate.judge(self.campaign, cut_short=cancel)
        gate.show(session.config, self.verdict)


class ContainedMark:
    """Registered when contained attacks pass: their results are shown as passed, and as contained."""

    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, Any] | None:
        if report.when != "call" or not report.passed or CONTAINED_MARK not in report.user_properties:
            return None
        return "passed", "c", ("PASSED (contained)", {"yellow": True})
