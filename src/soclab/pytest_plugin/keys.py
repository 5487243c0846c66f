"""Where the plugin keeps its state: keys of the config's stash."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from soclab.pytest_plugin.agent_output import AgentOutput
    from soclab.pytest_plugin.session import CampaignSession

__all__ = ["CAMPAIGN", "OUTPUT"]

CAMPAIGN: pytest.StashKey[CampaignSession] = pytest.StashKey()
"""Missing in an idle session."""

OUTPUT: pytest.StashKey[AgentOutput] = pytest.StashKey()
"""Where the campaign's items run: what agents say beside their answers."""
