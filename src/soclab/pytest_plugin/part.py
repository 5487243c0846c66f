"""What a process is in a session: the only one here; `distribution.parts` has the others."""

from __future__ import annotations

from soclab.assembly import CampaignSettings, PreparedCampaign
from soclab.pytest_plugin.campaigns import Campaigns
from soclab.pytest_plugin.collection import Tree
from soclab.pytest_plugin.hooks import CampaignHooks
from soclab.pytest_plugin.session import CampaignSession, Wishes
from soclab.pytest_plugin.shield import Shield

__all__ = ["Part"]


class Part:
    """The only process of a session."""

    folder_name = ""

    def settled(self, settings: CampaignSettings) -> CampaignSettings:
        """The settings of a campaign in this process."""
        return settings

    def session(
        self, prepared: PreparedCampaign, agent: object, wishes: Wishes, tree: Tree, level: str
    ) -> CampaignSession:
        """A campaign's state in this process."""
        return CampaignSession(prepared, agent, wishes, tree, level)

    def hooks(self, campaigns: Campaigns, shield: Shield) -> object:
        """What is registered with pytest."""
        return CampaignHooks(campaigns, shield)
