"""The fixtures of the plugin. They are there in an idle session too, so that asking for one gives a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from soclab.pytest_plugin.keys import CAMPAIGN

if TYPE_CHECKING:
    from soclab.pytest_plugin.session import CampaignSession

__all__ = ["soclab_agent", "soclab_campaign"]


@pytest.fixture(scope="session")
def soclab_agent(request: pytest.FixtureRequest) -> object:
    """
    The agent under test: the one that the options name, None without any.

    Override it in the rootdir conftest.py, with scope="session", to test an agent of your own: return a provider,
    an ASGI app, or a sync or async callable that takes the request body.
    """
    campaign = request.config.stash.get(CAMPAIGN, None)
    return None if campaign is None else campaign.agent


@pytest.fixture
def soclab_campaign(request: pytest.FixtureRequest, soclab_agent: object) -> CampaignSession:
    """The campaign, for its own items: set-up waits until the item's stage is known."""
    campaign = request.config.stash.get(CAMPAIGN, None)
    if campaign is None:
        pytest.fail("soclab_campaign: no agent is named; give --soclab-provider or --soclab-agent", pytrace=False)
    campaign.attend(request.node, soclab_agent)
    return campaign
