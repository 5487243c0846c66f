"""Commands measured from outside, by what the kernel counts for them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

__all__ = ["HERE", "Child", "Running", "pytest_command", "run_child", "start_child"]

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Child:
    """
    One finished command.

    Attributes:
        started: system-wide monotonic clock, seconds.
        cpu_seconds: user + system.
        peak_mib: the most resident memory it ever had.
        tail: the end of its output.
    """

    started: float
    wall_seconds: float
    cpu_seconds: float
    peak_mib: float
    status: int
    tail: str

    def check(self, *allowed: int) -> Child:
        """The same; the benchmark ends here when the command ended with another status."""
        if self.status not in (allowed or (0,)):
            sys.exit(f"a command ended with status {self.status}:\n{self.tail}")
        return self


class Running:
    """A command that is on its way; call `wait` once."""

    def __init__(self, command: list[str], folder: Path, environment: dict[str, str]) -> None:
        self._log = folder / "output.log"
        with self._log.open("wb") as output:
            self._started = time.monotonic()
            self._process = subprocess.Popen(
                command,
                cwd=folder,
                env={**os.environ, **environment},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def wait(self) -> Child:
        """Its figures. This process has to stay small: a child's peak starts at what its parent has."""
        _, status, usage = os.wait4(self._process.pid, 0)
        wall_seconds = time.monotonic() - self._started
        self._process.returncode = os.waitstatus_to_exitcode(status)
        return Child(
            started=self._started,
            wall_seconds=wall_seconds,
            cpu_seconds=usage.ru_utime + usage.ru_stime,
            peak_mib=usage.ru_maxrss / 1024,
            status=self._process.returncode,
            tail=_tail(self._log),
        )


def start_child(command: list[str], folder: Path, environment: dict[str, str]) -> Running:
    """Start a command in an existing folder; its output goes to `output.log` there."""
    return Running(command, folder, environment)


def run_child(command: list[str], folder: Path, environment: dict[str, str]) -> Child:
    """Run a command to its end."""
    return start_child(command, folder, environment).wait()


def pytest_command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "pytest", "-q", *arguments]


def _tail(log: Path) -> str:
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - 800))
        return file.read().decode("utf-8", "replace")
