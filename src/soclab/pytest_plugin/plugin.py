"""
The entry point that pytest loads in every session: hooks only.

It imports pytest and modules that import nothing else. Everything with weight comes in through
`activation.activate`, when the user asks for a campaign.
"""

from __future__ import annotations

import pytest

from soclab.pytest_plugin import activation
from soclab.pytest_plugin.fixtures import session_agent
from soclab.pytest_plugin.options import add_options
from soclab.pytest_plugin.user_fixtures import MARKER, soclab_campaign, soclab_run

__all__ = ["soclab_campaign", "soclab_run"]


def pytest_addoption(parser: pytest.Parser) -> None:
    add_options(parser)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | None:
    if config.getoption("soclab_init") is not None:
        return activation.copy_template(config)
    return activation.list_scenarios(config) if config.getoption("soclab_list") else None


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(session_agent(config), "soclab-agent")
    config.addinivalue_line("markers", "soclab: the items of a soclab campaign; select them with -m soclab")
    config.addinivalue_line("markers", "soclab_guard: forced replies; of --soclab-provider scripted")
    config.addinivalue_line("markers", MARKER)
    if activation.is_asked_for(config):
        activation.activate(config)
