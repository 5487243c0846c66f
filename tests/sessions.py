"""What sessions of pytest in a process of their own are started with."""

from __future__ import annotations

from typing import Final

__all__ = ["ALONE", "LIGHT", "NEIGHBOURS"]

NEIGHBOURS: Final = (
    "anyio",
    "asyncio",
    "benchmark",
    "html",
    "html_fixtures",
    "hypothesispytest",
    "metadata",
    "platformdirs",
    "pytest_cov",
    "randomly",
    "rerunfailures",
    "syrupy",
    "timeout",
)
"""Plugins of others in the development environment: to import them takes several times as long as a small campaign."""
LIGHT: Final = ("-p", "no:hypothesispytest")
"""Every plugin but the one that imports all of Hypothesis at the end of every session, used or not."""
ALONE: Final = tuple(word for one in NEIGHBOURS for word in ("-p", f"no:{one}"))
"""Without them; what they do beside ours is told by the tests of the habits page and of the neighbours."""
