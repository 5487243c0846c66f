"""The object that `--soclab-agent` names."""

from __future__ import annotations

from pathlib import Path

import pytest

from soclab.assembly.agent import TOKEN_VARIABLE, agent_secrets, load_agent
from soclab.errors import ConfigurationError

TOKEN = "Zx9-secret.Token_7f3a21c0d4e5b6a798"


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("failing_import", "raise ValueError('x' * {before} + '{token}')"),
        ("failing_factory", "def make():\n    raise ValueError('x' * {before} + '{token}')"),
    ],
)
@pytest.mark.parametrize("before", [0, 180])
def test_an_agent_that_fails_to_load_shows_no_token(
    name: str, body: str, before: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor the beginning of one where the line is cut."""
    module = f"{name}_{before}"
    (tmp_path / f"{module}.py").write_text(body.format(before=before, token=TOKEN), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))

    with pytest.raises(ConfigurationError, match="ValueError: ") as caught:
        load_agent(f"{module}:make", tmp_path, agent_secrets({TOKEN_VARIABLE: TOKEN}))

    assert TOKEN[:8] not in str(caught.value)
