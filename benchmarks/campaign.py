"""The command that is measured: a campaign in pytest against the stub."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from child import Child, Running, pytest_command, start_child
from scenarios import PATTERN
from stub import Stub

__all__ = ["ALONE", "PLUGIN", "campaign", "start_campaign"]

PLUGIN = "soclab.pytest_plugin.plugin"
ALONE = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""Environment: the plugins that happen to be on the machine are left out; ours is named."""


def start_campaign(
    agent: Stub,
    folder: Path,
    scenarios: Path | None,
    *options: str,
    latency_ms: int = 0,
    reply_kb: int = 1,
    concurrency: int = 4,
    only: str = PATTERN,
) -> Running:
    """
    Start a campaign in protected mode, all controls on; its files go below `folder`.

    Args:
        scenarios: a folder of `make_scenarios`; None for the built-in ones, all of them.
    """
    command = pytest_command(
        *("-p", PLUGIN, "soclab", "--soclab-provider", "http", "--soclab-mode", "protected"),
        *("--soclab-seed", "benchmark", "--soclab-concurrency", str(concurrency)),
        *("--soclab-out", str(folder / "out"), "--soclab-overwrite"),
        *(() if scenarios is None else ("--soclab-scenarios", str(scenarios), "--soclab-scenario", only)),
        *options,
    )
    url = agent.url(latency_ms=latency_ms, reply_kb=reply_kb)
    return start_child(command, folder, {"SOCLAB_HTTP_AGENT_URL": url, **ALONE})


def campaign(
    agent: Stub,
    folder: Path,
    scenarios: Path | None,
    *,
    latency_ms: int = 0,
    concurrency: int = 4,
    only: str = PATTERN,
) -> tuple[Child, dict[str, Any]]:
    """One whole campaign, and what the stub saw of it."""
    agent.reset()
    running = start_campaign(agent, folder, scenarios, latency_ms=latency_ms, concurrency=concurrency, only=only)
    return running.wait(), agent.stats()
