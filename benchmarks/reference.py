"""What campaigns are measured against: the same tree of empty stages in a pytest without soclab."""

from __future__ import annotations

import os
from pathlib import Path

from campaign import ALONE
from child import HERE, Running, pytest_command, start_child

__all__ = ["start_empty_tree"]


def start_empty_tree(folder: Path, count: int, *options: str) -> Running:
    """Start pytest over `count` scenarios that do nothing, in an empty folder made for it below `folder`."""
    place = folder / "empty"
    place.mkdir(exist_ok=True)
    path = os.pathsep.join(filter(None, (str(HERE), os.environ.get("PYTHONPATH"))))
    environment = {"EMPTY_SCENARIOS": str(count), "PYTHONPATH": path, **ALONE}
    return start_child(pytest_command("-p", "empty_tree", *options), place, environment)
