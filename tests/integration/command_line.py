"""Calls the command line inside the test's own process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from soclab.cli.doorway import Doorway
from soclab.cli.main import main

__all__ = ["Called", "Caller"]


@dataclass(frozen=True)
class Called:
    """Exit status and what was printed."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


class Caller:
    """`soclab` in a folder of its own, with an environment of its own."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.environment: Mapping[str, str] = {}
        self._capsys = capsys

    def __call__(self, *arguments: str) -> Called:
        self._capsys.readouterr()
        status = main(arguments, Doorway(environment=self.environment, root=self.folder))
        said = self._capsys.readouterr()
        return Called(status, said.out, said.err)

    def files(self) -> list[str]:
        """Everything below the folder, by relative path."""
        return sorted(path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*") if path.is_file())
