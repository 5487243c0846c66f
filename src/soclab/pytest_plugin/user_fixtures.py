"""
The fixtures for users' own tests. They are there in an idle session too: asking for one gives a sentence then.

Imported by every pytest session of an installation: pytest and the standard library only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from soclab.pytest_plugin import activation

if TYPE_CHECKING:
    from soclab.pytest_plugin.user_campaign import SoclabCampaign
    from soclab.pytest_plugin.user_runs import SoclabRun

__all__ = ["MARKER", "soclab_campaign", "soclab_run"]

MARKER = "soclab_scenario(id, mode=None, trial=1): the scenario that the fixture soclab_run leads the agent through"


@pytest.fixture
def soclab_run(request: pytest.FixtureRequest) -> SoclabRun:
    """
    One run of the scenario that @pytest.mark.soclab_scenario(id="ATK-001") names, stage by stage.

    `soclab_run.stage("collect_siem")` waits for a stage; in an async test it is `await soclab_run.astage(...)`.
    """
    return activation.user_run(request)


@pytest.fixture(scope="session")
def soclab_campaign(request: pytest.FixtureRequest) -> SoclabCampaign:
    """
    The campaign of this session, for assertions over the whole of it.

    The first question waits until every planned run is done, though its items may come later.
    """
    return activation.user_campaign(request)
