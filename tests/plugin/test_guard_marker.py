"""The guard pack in pytest."""

from __future__ import annotations

import pytest

from tests.plugin.lab import Lab


def test_the_marker_selects_forced_replies(lab: Lab) -> None:
    """`-m soclab_guard` with the scripted agent: items like any others, and no agent."""
    result = lab.run("--soclab-provider", "scripted", "--soclab-scenario", "GRD-7001*", "-m", "soclab_guard", "-q")
    assert result.ret == pytest.ExitCode.OK
    assert {one["id"] for one in lab.scorecard()["scenarios"]} == {f"GRD-7001{digit}" for digit in range(10)}


def test_the_marker_selects_nothing_else(lab: Lab) -> None:
    """Attacks carry no such mark: nothing is left, and nothing is asked."""
    result = lab.run("--soclab-provider", "reference", "--soclab-scenario", "ATK-001", "-m", "soclab_guard", "-q")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
