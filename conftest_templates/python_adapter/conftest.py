"""The agent under test: one for the whole session. It is opened, asked and closed by the lab, never by a test."""

import pytest
from adapter import Adapter


@pytest.fixture(scope="session")
def soclab_agent():
    return Adapter()
