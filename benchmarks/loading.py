"""How much of a campaign is the loading of its scenario files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from child import HERE

__all__ = ["loading_note"]


def loading_note(scenarios: Path, count: int) -> str:
    """One phrase: CPU of loading a folder of `count` files, files a second, and the memory it takes."""
    command = [sys.executable, str(HERE / "load_scenarios.py"), str(scenarios)]
    words = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    seconds, mib = map(float, words)
    return f"loading {count} files {seconds:.2f} s ({count / seconds:.0f} files/s), {mib:.0f} MiB"
