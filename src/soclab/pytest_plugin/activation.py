"""
Finds out whether a session is about a campaign, and wakes the plugin then.

Imported by every pytest session of an installation: pytest and the standard library only.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

import pytest

from soclab.pytest_plugin.arguments import campaign_arguments
from soclab.pytest_plugin.options import given

if TYPE_CHECKING:
    from soclab.pytest_plugin.user_campaign import SoclabCampaign
    from soclab.pytest_plugin.user_runs import SoclabRun

__all__ = ["activate", "copy_template", "is_asked_for", "list_scenarios", "user_campaign", "user_run"]

_ONLY_ASKING: Final = ("help", "version", "markers", "cacheshow")
"""Options of pytest that print something and end: a misconfigured campaign must not stand in their way."""


def is_asked_for(config: pytest.Config) -> bool:
    """
    Whether an agent is named, the campaign is, or any option of ours is typed.

    Options in the ini file or the environment that name no agent leave the plugin idle: they are settings for
    when it is asked for. A worker of pytest-xdist does what its controller does.
    """
    if (told := getattr(config, "workerinput", None)) is not None:
        return "soclab" in told
    if any(config.getoption(one, None) for one in _ONLY_ASKING):
        return False
    said = given(config, os.environ)
    names_agent = "provider" in said or "agent" in said
    return names_agent or any(one.is_typed for one in said.values()) or bool(campaign_arguments(config))


def activate(config: pytest.Config) -> None:
    """
    Prepare the campaign and register the hooks that run it.

    The import stands in here because an idle session must pay for nothing but pytest.

    Raises:
        pytest.UsageError: anything the user has to mend; nothing was asked and nothing was written.
    """
    from soclab.pytest_plugin import garbage

    garbage.rest(config)
    from soclab.pytest_plugin import startup  # last: its imports are a good part of what the collector rests for

    startup.begin(config, os.environ)


def list_scenarios(config: pytest.Config) -> int:
    """Print the scenarios that the options choose; returns the exit status. Imports as `activate` does."""
    from soclab.pytest_plugin import listing

    return listing.show(config, os.environ)


def copy_template(config: pytest.Config) -> int:
    """Copy a template into the current folder; returns the exit status. Imports as `activate` does."""
    from soclab.pytest_plugin import init

    return init.begin(config)


def user_run(request: pytest.FixtureRequest) -> SoclabRun:
    """What the fixture `soclab_run` gives. Imports as `activate` does."""
    from soclab.pytest_plugin import user_runs

    return user_runs.run_for(request)


def user_campaign(request: pytest.FixtureRequest) -> SoclabCampaign:
    """What the fixture `soclab_campaign` gives. Imports as `activate` does."""
    from soclab.pytest_plugin import user_campaign as door

    return door.campaign_view(request)
