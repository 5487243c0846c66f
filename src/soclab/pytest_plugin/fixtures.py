"""The fixtures of the plugin. They are there in an idle session too, so that asking for one gives a sentence."""

from __future__ import annotations

import pytest

from soclab.pytest_plugin.keys import CAMPAIGN

__all__ = ["soclab_agent"]


@pytest.fixture(scope="session")
def soclab_agent(request: pytest.FixtureRequest) -> object:
    """
    The agent under test: the one that the options name, None without any.

    Override it in the rootdir conftest.py, with scope="session", to test an agent of your own: return a provider,
    an ASGI app, or a sync or async callable that takes the request body.
    """
    campaign = request.config.stash.get(CAMPAIGN, None)
    return None if campaign is None else campaign.agent
