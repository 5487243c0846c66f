"""Plugins that tests of the pytest plugin need (pytest takes such a list only from the topmost conftest), and the
profile of generated tests."""

from hypothesis import HealthCheck, settings

pytest_plugins = ["pytester"]

settings.register_profile("busy machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy machine")
