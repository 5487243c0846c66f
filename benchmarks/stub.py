"""The stub agent as a child process."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from typing import Any

from child import HERE

__all__ = ["Stub", "stub"]


class Stub:
    """A stub agent on loopback; call `close`, or use `stub`."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(HERE / "stub_agent.py")], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self.base = f"http://127.0.0.1:{self._process.stdout.readline().split()[1]}"

    def url(self, *, latency_ms: int = 0, reply_kb: int = 1) -> str:
        """Where to send requests that are answered after `latency_ms` with about `reply_kb` KB."""
        return f"{self.base}/l{latency_ms}/k{reply_kb}/agent"

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
