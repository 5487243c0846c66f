"""Where the plugin keeps its state: one key of the config's stash."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from soclab.pytest_plugin.session import CampaignSession

__all__ = ["CAMPAIGN"]

CAMPAIGN: pytest.StashKey[CampaignSession] = pytest.StashKey()
"""Missing in an idle session."""
