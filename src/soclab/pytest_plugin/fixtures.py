"""The fixtures of the plugin. They are there in an idle session too, so that asking for one gives a sentence."""

from __future__ import annotations

from types import ModuleType
from typing import Final

import pytest

from soclab.pytest_plugin.keys import CAMPAIGN

__all__ = ["MODULE", "session_agent"]

MODULE: Final = __name__
"""Where the built-in fixture is made."""


def session_agent(config: pytest.Config) -> ModuleType:
    """
    A plugin that holds the fixture `soclab_agent` of one session.

    The fixture knows its session by itself: one that asks for `request` makes pytest look through a signature twice
    for every item of a campaign. A module, because pytest warns of session fixtures that are methods.
    """

    @pytest.fixture(scope="session")
    def soclab_agent() -> object:
        """
        The agent under test: the one that the options name, None without any.

        Override it in the rootdir conftest.py, with scope="session", to test an agent of your own: return a provider,
        an ASGI app, or a sync or async callable that takes the request body.
        """
        campaign = config.stash.get(CAMPAIGN, None)
        return None if campaign is None else campaign.agent

    plugin = ModuleType("soclab_session_agent")
    vars(plugin)["soclab_agent"] = soclab_agent
    return plugin
