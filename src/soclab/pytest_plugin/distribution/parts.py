"""What the processes of a distributed session are: its controller, or one of its workers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from soclab.assembly import CampaignSettings, PreparedCampaign
from soclab.clock import SystemClock
from soclab.identity import campaign_secret
from soclab.pytest_plugin.campaigns import Campaigns
from soclab.pytest_plugin.collection import Tree
from soclab.pytest_plugin.distribution.controller import ControllerHooks, ControllerSession
from soclab.pytest_plugin.distribution.place import Shared, taken_up
from soclab.pytest_plugin.distribution.worker import WorkerHooks, WorkerSession
from soclab.pytest_plugin.part import Part
from soclab.pytest_plugin.session import CampaignSession, Wishes
from soclab.pytest_plugin.shield import Shield

__all__ = ["controller_part", "worker_part"]


class _Distributed(Part):
    def __init__(self, shared: Shared) -> None:
        self.shared = shared
        self.folder_name = shared.folder_name

    def settled(self, settings: CampaignSettings) -> CampaignSettings:
        name = settings.folder_name or self.folder_name
        shared = self.shared
        known = replace(settings, folder_name=name, session_id=shared.session_id, policy_version=shared.policy_version)
        return taken_up(known)


class _Controller(_Distributed):
    def session(
        self, prepared: PreparedCampaign, agent: object, wishes: Wishes, tree: Tree, level: str
    ) -> CampaignSession:
        return ControllerSession(prepared, agent, wishes, tree, level)

    def hooks(self, campaigns: Campaigns, shield: Shield) -> object:
        return ControllerHooks(campaigns, shield, self.shared)


class _Worker(_Distributed):
    def session(
        self, prepared: PreparedCampaign, agent: object, wishes: Wishes, tree: Tree, level: str
    ) -> CampaignSession:
        session = WorkerSession(prepared, agent, wishes, tree, level)
        session.shared = self.shared
        return session

    def hooks(self, campaigns: Campaigns, shield: Shield) -> object:
        return WorkerHooks(campaigns, shield)


def controller_part() -> Part:
    """The process that distributes."""
    session_id = campaign_secret(None).hex()[:12]
    stamp = SystemClock().now().isoformat()[:19].replace(":", "").replace("-", "")
    return _Controller(Shared(session_id, f"{stamp}-{session_id}"))


def worker_part(config: pytest.Config) -> Part:
    """A process that was started by the controller."""
    shared = Shared.of_worker(config)
    return Part() if shared is None else _Worker(shared)
