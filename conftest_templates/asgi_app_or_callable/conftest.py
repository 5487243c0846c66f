"""The agent under test: an ASGI app, or a callable, without a socket."""

import agent
import pytest


@pytest.fixture(scope="session")
def soclab_agent():
    return agent.app  # or agent.answer
