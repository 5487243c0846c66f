"""The campaign behind a fixture of a user's test: the session's one, or one that the fixture itself wakes."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Final

import pytest

from soclab.assembly import RunningCampaign
from soclab.contracts.vocabulary import Mode
from soclab.errors import ConfigurationError, UsageError
from soclab.pytest_plugin import startup, user_hooks
from soclab.pytest_plugin.item_hooks import ItemHooks
from soclab.pytest_plugin.keys import CAMPAIGN
from soclab.pytest_plugin.override import check_agent_fixture, find_override
from soclab.pytest_plugin.results import StageFailed
from soclab.pytest_plugin.session import CampaignSession
from soclab.redaction import clean

__all__ = ["attended", "campaign_for", "campaigns_by_mode", "refusal"]

_LIMIT: Final = 600

_NO_AGENT: Final = (
    "{fixture} needs an agent: name one with --soclab-provider ID or --soclab-agent PKG.MOD:NAME (or in the "
    "environment or the ini file), or define the session fixture soclab_agent in the conftest.py of the rootdir"
)
_IN_WORKER: Final = (
    "{fixture} under pytest-xdist: the workers only know of the lab what the command line names; give any option of "
    "soclab, such as --soclab-mode protected, or leave -n out"
)


def campaign_for(request: pytest.FixtureRequest) -> CampaignSession:
    """
    The campaign that a fixture works on. A user's own `soclab_agent` is enough to have one; nobody was asked yet.

    Raises:
        pytest.fail.Exception: there is no agent, or another one than the campaign's is in force here.
    """
    user_hooks.register(request.config)
    try:
        campaign = request.config.stash.get(CAMPAIGN, None) or _wake(request, str(request.fixturename))
        check_agent_fixture(request.node, campaign.prepared.settings.fixture_agent)
    except (UsageError, pytest.UsageError) as error:
        raise refusal(error) from None
    return campaign


def refusal(why: Exception) -> StageFailed:
    """What fails the test that asked: one sentence, no traceback."""
    return StageFailed(clean(str(why), _LIMIT))


def campaigns_by_mode(config: pytest.Config) -> dict[Mode, CampaignSession]:
    """The campaigns of this session: one, or one for each mode."""
    return {one.prepared.settings.mode: one for hooks in _hooks(config) for one in hooks.campaigns.sessions}


def attended(request: pytest.FixtureRequest, campaign: CampaignSession) -> RunningCampaign:
    """The campaign at work, with the agent that counts here."""
    return campaign.join(request.getfixturevalue("soclab_agent"))


def _wake(request: pytest.FixtureRequest, fixture: str) -> CampaignSession:
    config = request.config
    if hasattr(config, "workerinput"):
        raise ConfigurationError(_IN_WORKER.format(fixture=fixture))
    if find_override(config) is None:
        check_agent_fixture(request.node, None)  # one that stands elsewhere is told where it should
        raise ConfigurationError(_NO_AGENT.format(fixture=fixture))
    startup.begin(config, os.environ)
    for hooks in _hooks(config):
        hooks.pytest_sessionstart(request.session)
        for campaign in hooks.campaigns.sessions:
            campaign.wishes = replace(campaign.wishes, collected=False)
    return config.stash[CAMPAIGN]


def _hooks(config: pytest.Config) -> list[ItemHooks]:
    return [one for one in config.pluginmanager.get_plugins() if isinstance(one, ItemHooks)]
