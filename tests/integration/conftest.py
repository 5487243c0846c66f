"""Fixtures of the integration tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.command_line import Caller
from tests.integration.commands import run
from tests.integration.stopped_campaigns import AGENT, OPTIONS, stable


@pytest.fixture
def soclab_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Caller:
    """The command line, called in an empty folder without any variable of ours set."""
    monkeypatch.chdir(tmp_path)
    return Caller(tmp_path, capsys)


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Stable scorecard of the campaign of `stopped_campaigns` when nobody stops it."""
    folder = tmp_path_factory.mktemp("undisturbed")
    (folder / "slow.py").write_text(AGENT, encoding="utf-8")
    done = run(folder, "pytest", *OPTIONS, "--soclab-out", "out")
    assert done.status == 0, done.output
    return stable(folder)
