"""Plugins that tests of the pytest plugin need; pytest takes such a list only from the topmost conftest."""

pytest_plugins = ["pytester"]
