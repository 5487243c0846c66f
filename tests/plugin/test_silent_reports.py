"""What the terminal keeps of set-ups and teardowns that nobody is shown."""

from __future__ import annotations

import pytest

from tests.plugin.lab import HONEST, STAGES, Lab

COUNTS = """
    def pytest_terminal_summary(terminalreporter):
        silent = terminalreporter.stats.get("", [])
        ours = sum(one.nodeid.startswith("soclab::ATK") for one in silent)
        print(f"silent: {ours} of the campaign, {len(silent) - ours} others")
"""


@pytest.mark.parametrize(("option", "kept"), [((), 0), (("--durations=3",), 2 * len(STAGES))])
def test_they_are_kept_for_durations_only(lab: Lab, option: tuple[str, ...], kept: int) -> None:
    """Those of the campaign; what others left there stays as it is."""
    lab.pytester.makeconftest(COUNTS)
    lab.pytester.makepyfile(test_mine="def test_passes(): pass")
    result = lab.run(*HONEST, *option, "soclab::ATK-001", "test_mine.py")

    result.stdout.fnmatch_lines([f"silent: {kept} of the campaign, * others"])
    result.stdout.no_fnmatch_line("silent: * of the campaign, 0 others")
