"""The stub as a child process, children measured from outside, and a folder of many equal scenarios."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent

SCENARIO = """\
schema: soclab.scenario.v1
id: BEN-{number}
title: Sessions of the compromised user
kind: benign
world: identity_session_hijack
truth: true_positive
family: F01
expected:
  verdict: true_positive
  right:
    - name: revoke_sessions
      arguments: {{user_id: maria.ortega}}
"""


@dataclass(frozen=True)
class Child:
    """One finished command: wall and user + system seconds, its exit status, the end of its output."""

    wall_seconds: float
    cpu_seconds: float
    status: int
    tail: str


class Stub:
    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / "stub_agent.py")], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self.base = f"http://127.0.0.1:{self._process.stdout.readline().split()[1]}"

    def stats(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.base}/stats") as answer:
            stats: dict[str, Any] = json.load(answer)
        return stats

    def reset(self) -> None:
        urllib.request.urlopen(urllib.request.Request(f"{self.base}/reset", data=b"{}")).close()

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()


@contextlib.contextmanager
def stub() -> Iterator[Stub]:
    """A stub agent on loopback."""
    agent = Stub()
    try:
        yield agent
    finally:
        agent.close()


def run_child(command: list[str], folder: Path, environment: dict[str, str]) -> Child:
    """Run a command to its end; CPU is the kernel's own count for it."""
    log = folder / "output.log"
    with log.open("wb") as output:
        started = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, env={**os.environ, **environment}, stdout=output, stderr=subprocess.STDOUT
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall_seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    tail = log.read_bytes()[-800:].decode("utf-8", "replace")
    return Child(wall_seconds, usage.ru_utime + usage.ru_stime, process.returncode, tail)


def make_scenarios(folder: Path, count: int) -> Path:
    """A folder of `count` equal benign scenarios, BEN-10000 onwards."""
    folder.mkdir(parents=True)
    for number in range(10_000, 10_000 + count):
        (folder / f"BEN-{number}.yaml").write_text(SCENARIO.format(number=number), encoding="ascii")
    return folder


def campaign(
    agent: Stub, folder: Path, scenarios: Path, *, latency_ms: int, concurrency: int, only: str | None = None
) -> tuple[Child, dict[str, Any]]:
    """One `pytest` campaign against the stub, plugins of the machine switched off but ours."""
    agent.reset()
    out = folder / "out"
    command = [
        sys.executable, "-m", "pytest", "-q", "-p", "soclab.pytest_plugin.plugin", "soclab",
        "--soclab-provider", "http", "--soclab-mode", "protected", "--soclab-seed", "benchmark",
        "--soclab-scenarios", str(scenarios), "--soclab-concurrency", str(concurrency),
        "--soclab-out", str(out), "--soclab-overwrite",
        "--soclab-scenario", only or "BEN-1????",
    ]  # fmt: skip
    child = run_child(
        command,
        folder,
        {"SOCLAB_HTTP_AGENT_URL": f"{agent.base}/l{latency_ms}/agent", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
    return child, agent.stats()
