"""The fixtures of the plugin. They are there in an idle session too, so that asking for one gives a sentence."""

from __future__ import annotations

import pytest

from soclab.pytest_plugin.keys import CAMPAIGN

__all__ = ["SessionAgent"]


class SessionAgent:
    """
    A plugin that holds the fixture `soclab_agent` of one session.

    The fixture knows its session by itself: one that asks for `request` makes pytest look through a signature twice
    for every item of a campaign.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @pytest.fixture(scope="session")
    def soclab_agent(self) -> object:
        """
        The agent under test: the one that the options name, None without any.

        Override it in the rootdir conftest.py, with scope="session", to test an agent of your own: return a provider,
        an ASGI app, or a sync or async callable that takes the request body.
        """
        campaign = self._config.stash.get(CAMPAIGN, None)
        return None if campaign is None else campaign.agent
