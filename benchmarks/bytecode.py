"""Compiled modules, as an installation keeps them."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from campaign import campaign
from child import pytest_command, run_child
from stub import Stub

__all__ = ["kept_bytecode", "warm_up"]


@contextlib.contextmanager
def kept_bytecode() -> Iterator[None]:
    """
    The commands started meanwhile keep their bytecode in a folder of its own, whatever this environment forbids.

    Without, a checkout would be compiled anew at every start, and pytest, which pip compiled, would not.
    """
    with tempfile.TemporaryDirectory() as place:
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = place
        yield


def warm_up(agent: Stub) -> None:
    """Compile what the measured commands import."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        campaign(agent, folder, None)
        run_child(pytest_command("--version"), folder, {})
