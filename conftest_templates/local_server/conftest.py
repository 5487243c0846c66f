"""Starts the agent's server on a free port before the first test that needs it, and stops it after the last."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from soclab.providers.registry import build

SERVER = Path(__file__).with_name("server.py")


@pytest.fixture(scope="session")
def agent_url():
    """PORT=0 takes any free port; the server says on its first line where it listens."""
    environment = {**os.environ, "PORT": "0"}
    with subprocess.Popen([sys.executable, str(SERVER)], env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            url = process.stdout.readline().strip()
            assert url, f"{SERVER.name} ended before it listened; start it by hand to see why"
            yield url
        finally:
            process.terminate()


@pytest.fixture(scope="session")
def soclab_agent(agent_url):
    return build("http", {**os.environ, "SOCLAB_HTTP_AGENT_URL": agent_url}, None)
