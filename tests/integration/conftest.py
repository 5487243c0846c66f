"""Fixtures of the integration tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.command_line import Caller


@pytest.fixture
def soclab_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Caller:
    """The command line, called in an empty folder without any variable of ours set."""
    monkeypatch.chdir(tmp_path)
    return Caller(tmp_path, capsys)
