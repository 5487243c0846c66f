"""Runs the real commands in a folder of their own, and looks for secrets in everything they leave behind."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.sessions import ALONE

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "http_agent"
_OURS = ("SOCLAB_", "PYTEST_", "COV_")


@dataclass(frozen=True)
class Finished:
    """A finished command: exit status and everything it printed."""

    status: int
    output: str
    folder: Path

    def scorecard(self, out: str = "out") -> dict[str, Any]:
        card: dict[str, Any] = json.loads((self.folder / out / "scorecard.json").read_text(encoding="utf-8"))
        return card

    def outcomes(self, out: str = "out") -> dict[str, str | None]:
        return {one["id"]: one["outcome"] for one in self.scorecard(out)["scenarios"]}


def environment(**more: str) -> dict[str, str]:
    """The process environment without what other tests or tools set for soclab and pytest."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    return {**kept, "COLUMNS": "160", **more}


def run(folder: Path, *command: str, timeout_seconds: float = 120, **variables: str) -> Finished:
    """Run `python -m <command>` in a folder."""
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env=environment(**variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=timeout_seconds,
        check=False,
    )
    return Finished(done.returncode, done.stdout.decode("utf-8", "replace"), folder)


def pytest_campaign(folder: Path, *options: str, **variables: str) -> Finished:
    """`pytest` in a folder, writing to `out`; plugins of others are left out."""
    return run(folder, "pytest", *ALONE, "-p", "no:cacheprovider", "--soclab-out", "out", *options, **variables)


def soclab(folder: Path, *options: str, **variables: str) -> Finished:
    """The command line in a folder."""
    return run(folder, "soclab.cli.main", *options, **variables)


@contextmanager
def example_agent(name: str = "server.py", **variables: str) -> Iterator[str]:
    """An agent of `examples/http_agent` on a free port; gives its URL."""
    process = subprocess.Popen(
        [sys.executable, str(EXAMPLES / name)],
        env=environment(SOCLAB_HTTP_AGENT_PORT="0", PYTHONUNBUFFERED="1", **variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield next(word for word in line.split() if word.startswith("http"))
    finally:
        process.terminate()
        process.wait(10)
        if process.stdout is not None:
            process.stdout.close()


def spellings(token: str) -> dict[str, bytes]:
    """A token in the forms in which it might leak; long middles of base64, whatever stands before it."""
    raw = token.encode()
    forms = {"raw": raw, "hex": raw.hex().encode(), "url": urllib.parse.quote(token, safe="").encode()}
    for shift in range(3):
        encoded = base64.b64encode(b"x" * shift + raw).rstrip(b"=")
        forms[f"base64 shifted by {shift}"] = encoded[4 if shift else 0 : -2]
    return forms


def places_with(needles: dict[str, bytes], finished: Finished) -> list[str]:
    """Where one of the forms stands: files below the folder, or the console."""
    found = [f"{form} on the console" for form, needle in needles.items() if needle in finished.output.encode()]
    for path in sorted(finished.folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            found.extend(f"{form} in {path.name}" for form, needle in needles.items() if needle in data)
    return found
