"""The part of a worker: it collects like every other; the one that gets the campaign's items runs them."""

from __future__ import annotations

import json
from collections.abc import Generator
from dataclasses import replace
from typing import Any

import pytest

from soclab.assembly import FinishedCampaign, RunningCampaign, prepare
from soclab.errors import ConfigurationError
from soclab.pytest_plugin.distribution.place import UNTOLD, Shared, place_of_campaign, taken_up
from soclab.pytest_plugin.item_hooks import ItemHooks
from soclab.pytest_plugin.session import CampaignSession

__all__ = ["WorkerHooks", "WorkerSession"]


class WorkerSession(CampaignSession):
    """
    Attributes:
        shared: what this worker was told.
        refusal: why the agent's fixture cannot be used; "" when it can.
    """

    is_whole = False
    shared: Shared
    refusal: str = ""
    _beside: CampaignSession | None = None

    def start(self, agent: object) -> RunningCampaign:
        if self.refusal:
            raise ConfigurationError(self.refusal)
        settings = taken_up(self.prepared.settings)
        prepared = self.prepared if settings.resume is None else prepare(settings)  # the journal may have grown
        return prepared.start(agent, self.selection, keeps_answers=self.has_guests)

    def finish(self, running: RunningCampaign, *, cancel: bool) -> FinishedCampaign | None:
        """The controller makes the files, once."""
        running.leave(cancel=cancel)
        return None

    def while_waiting(self) -> None:
        """
        Raises:
            KeyboardInterrupt: somebody interrupted the controller; xdist itself would wait for the item for seconds.
        """
        if self.shared.stop_mark.exists():
            raise KeyboardInterrupt

    def join(self, agent: object) -> RunningCampaign:
        """A campaign of this worker's own, in a folder of its own: the session's may run in another worker."""
        if self._beside is None:
            settings, place = self.prepared.settings, place_of_campaign(self.prepared.settings)
            own = place.with_name(f"{place.name}-{self.shared.worker}")
            prepared = prepare(replace(settings, resume=None, out=own, overwrite=True, session_id=None))
            self._beside = CampaignSession(prepared, self.agent, self.wishes, self.tree)
        return self._beside.begun(agent)

    def end(self, *, cancel: bool) -> None:
        super().end(cancel=cancel)
        if self._beside is not None:
            self._beside.end(cancel=cancel)

    def hurry(self) -> None:
        super().hurry()
        if self._beside is not None:
            self._beside.hurry()


class WorkerHooks(ItemHooks):
    """No header, no gate, no scorecard: those are the controller's."""

    def refused(self, problem: str) -> None:
        """A worker that refuses to collect would lose its words: the first item says them."""
        for one in self.campaigns.sessions:
            if isinstance(one, WorkerSession):
                one.refusal = problem

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, Any, Any]:
        result = yield
        stopped = bool(session.shouldfail or session.shouldstop)
        self.campaigns.end(cancel=stopped)
        return result

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self.campaigns.end_at_last(session)
        told: Any = getattr(session.config, "workeroutput", {})
        told[UNTOLD] = json.dumps(self.untold())

    def pytest_unconfigure(self) -> None:
        self.campaigns.end(cancel=True)
