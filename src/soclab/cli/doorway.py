"""What a command gets from outside: the one place of the command line where the environment is read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Doorway", "doorway_of", "from_outside"]


@dataclass(frozen=True)
class Doorway:
    """
    Attributes:
        environment: the process environment.
        root: the current folder.
    """

    environment: Mapping[str, str]
    root: Path


def from_outside() -> Doorway:
    return Doorway(environment=dict(os.environ), root=Path.cwd())


def doorway_of(context: Any) -> Doorway:
    """The doorway that `main` put into the context of a command."""
    found = context.obj
    if not isinstance(found, Doorway):
        raise TypeError("a command was called without a doorway")
    return found
