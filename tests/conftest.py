"""Plugins that tests of the pytest plugin need (pytest takes such a list only from the topmost conftest), and the
profile of generated tests."""

import compileall
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import soclab

pytest_plugins = ["pytester"]

settings.register_profile("busy machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy machine")


def pytest_configure(config: pytest.Config) -> None:
    """Where nothing may write bytecode as it goes, each of some hundred processes would compile the lab anew."""
    if sys.dont_write_bytecode and not hasattr(config, "workerinput"):
        compileall.compile_dir(Path(soclab.__file__).parent, quiet=2)
