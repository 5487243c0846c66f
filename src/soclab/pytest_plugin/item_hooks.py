"""The hooks of a process that collects and runs the campaign's items; each hands over to a room."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Generator
from typing import Any

import pytest

from soclab.errors import UsageError
from soclab.pytest_plugin import garbage
from soclab.pytest_plugin.agent_output import AgentOutput
from soclab.pytest_plugin.arguments import others
from soclab.pytest_plugin.campaigns import Campaigns
from soclab.pytest_plugin.collection import AGENT, CampaignModule, is_ours, keep_stage_order, know_location
from soclab.pytest_plugin.keys import OUTPUT
from soclab.pytest_plugin.output_sections import untold_lines
from soclab.pytest_plugin.override import check_agent_fixture
from soclab.pytest_plugin.results import TOLD, StageFailed, dress, expect, place_skip
from soclab.pytest_plugin.shield import Shield
from soclab.pytest_plugin.stage_logs import StageLogs
from soclab.pytest_plugin.stage_streams import StageStreams

__all__ = ["ItemHooks"]


class ItemHooks:
    """What the one process of an ordinary session and each worker of a distributed one have in common."""

    def __init__(self, campaigns: Campaigns, shield: Shield) -> None:
        self.campaigns = campaigns
        self.shield = shield
        self.output = AgentOutput()
        self.streams = StageStreams(self.output)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        logs, root = StageLogs(self.output), logging.getLogger()
        root.addHandler(logs)
        session.config.add_cleanup(lambda: root.removeHandler(logs))
        session.config.add_cleanup(self.streams.restore)
        session.config.stash[OUTPUT] = self.output
        self.streams.meet()
        self.shield.guard_logging(session.config, logs.is_no_agents)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        self.output.has_guest = not is_ours(item)
        if not self.output.has_guest:
            know_location(item)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self) -> Generator[None, Any, Any]:
        result = yield
        self.streams.meet()  # capsys and its like put streams of their own there, new ones for each phase
        return result

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self) -> None:
        self.streams.meet()

    @pytest.hookimpl(tryfirst=True)
    def pytest_warning_recorded(self, warning_message: warnings.WarningMessage) -> None:
        self.shield.scrub_warning(warning_message)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        session.config.args[:] = others(session.config)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        report = yield
        if isinstance(collector, pytest.Session) and self.campaigns.collected:
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
        self.campaigns.plan(session.items)
        garbage.wake(session.config, stays=self.campaigns.has_items)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, None, None]:
        yield
        if is_ours(item) and isinstance(item, pytest.Function) and not item.config.option.setuponly:
            self.streams.meet()
            self.campaigns.of(item).attend(item, item.funcargs.get(AGENT))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if is_ours(item):
            if (told := item.stash.get(TOLD, None)) is not None:
                raised = None if call.excinfo is None else call.excinfo.value
                ours = raised if isinstance(raised, StageFailed) else None
                dress(report, told, ours)
                if ours is not None and self.campaigns.primary.wishes.gates_decide:
                    expect(report, told)
            place_skip(report)
            if report.when == "teardown":
                self.campaigns.of(item).leave(item)
        if report.longrepr is not None or report.sections:
            self.shield.scrub(report)
        return report

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_report_to_serializable(self) -> Generator[None, Any, Any]:
        data = yield
        return self.shield.scrub_data(data) if isinstance(data, dict) else data

    def untold(self) -> list[str]:
        """What agents said and no item told, once; lines for the end of the session."""
        running = [one.running for one in self.campaigns.sessions if one.running is not None]
        return untold_lines(self.output.take_all(), running, self.campaigns.primary.secrets)

    def refused(self, problem: str) -> None:
        """
        The agent's fixture cannot be the campaign's.

        Raises:
            pytest.UsageError: always, here.
        """
        raise pytest.UsageError(problem)

    def _node(self, session: pytest.Session) -> CampaignModule:
        primary = self.campaigns.primary
        node = CampaignModule.under(session, primary.tree, self.campaigns.show)
        try:
            check_agent_fixture(node, primary.prepared.settings.fixture_agent)
        except UsageError as error:
            problem = str(error)
        else:
            return node
        self.refused(problem)
        return node
