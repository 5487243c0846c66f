"""Folders of many equal scenarios."""

from __future__ import annotations

from pathlib import Path

__all__ = ["FIRST", "PATTERN", "make_scenarios"]

FIRST = "BEN-10000"
PATTERN = "BEN-1????"
_FIRST_NUMBER = 10_000

_SCENARIO = """\
schema: soclab.scenario.v1
id: BEN-{number}
title: Sessions of the compromised user
kind: benign
world: identity_session_hijack
truth: true_positive
family: F01
expected:
  verdict: true_positive
  right:
    - name: revoke_sessions
      arguments: {{user_id: maria.ortega}}
"""


def make_scenarios(folder: Path, count: int) -> Path:
    """A new folder of `count` equal benign scenarios, `FIRST` onwards; at most 10,000, all of which fit `PATTERN`."""
    folder.mkdir(parents=True)
    for number in range(_FIRST_NUMBER, _FIRST_NUMBER + count):
        (folder / f"BEN-{number}.yaml").write_text(_SCENARIO.format(number=number), encoding="ascii")
    return folder
