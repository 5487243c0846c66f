"""A folder of a user, and pytest run in it."""

from __future__ import annotations

import os

import pytest

# Sessions inside this process share its modules; without this each would import the rooms anew.
import soclab.assembly
import soclab.pytest_plugin.startup  # noqa: F401
from tests.plugin.lab import Lab


@pytest.fixture
def lab(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """An empty folder; no variable of ours or of a CI is set. Clean twins only where a test asks for them."""
    for name in list(os.environ):
        if name.startswith(("SOCLAB_", "PYTEST_ADDOPTS")) or name in ("CI", "BUILD_NUMBER"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "150")
    monkeypatch.setenv("SOCLAB_TWINS", "off")
    return Lab(pytester)
