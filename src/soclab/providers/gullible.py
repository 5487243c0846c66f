"""The gullible agent of `examples/http_agent/gullible.py` in this process: it believes whatever it reads."""

from __future__ import annotations

from collections.abc import Mapping

from soclab.contracts.provider import ModelProvider
from soclab.providers.reference import ExampleAgent

__all__ = ["build"]


def build(environment: Mapping[str, str], model: str | None) -> ModelProvider:  # noqa: ARG001  # needs no set-up
    """The agent that shows how hostile text works: requests only, no knowledge of scenarios."""
    return ExampleAgent("gullible", "gullible", model)
