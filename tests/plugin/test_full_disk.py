"""A disk that is full: one line that says what to do, an honest status, and what is known is shown."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.integration.commands import environment
from tests.plugin.lab import Lab
from tests.sessions import ALONE

resource = pytest.importorskip("resource")

LIMITED = """
import resource, sys
size = int(sys.argv.pop(1))
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
if sys.argv[1] == "soclab":
    del sys.argv[1]
    from soclab.cli.main import run
    run()
else:
    import pytest
    sys.exit(pytest.main(sys.argv[2:]))
"""
JOURNAL, REPORT = 50_000, 38_000
"""Sizes that no file may exceed: the first is too small for the journal of all runs, the second for a report, too."""


def limited(lab: Lab, size: int, *arguments: str) -> tuple[int, str]:
    """Exit status and all output."""
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(size), *arguments],
        cwd=lab.path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout


def options(prefix: str) -> list[str]:
    return [f"{prefix}provider", "reference", f"{prefix}scenario", "BEN-*", f"{prefix}seed", "s", f"{prefix}out", "out"]


@pytest.mark.parametrize("size", [JOURNAL, REPORT])
def test_the_command_line_says_it_in_one_line_and_shows_what_it_knows(lab: Lab, size: int) -> None:
    """Status 3; no exception group, no traceback, no half a file."""
    status, output = limited(lab, size, "soclab", "campaign", *options("--"))

    assert status == 3
    assert "soclab: the lab failed: cannot write out/journal.jsonl: " in output
    assert "make room, then go on with --resume out" in output
    assert "Group" not in output
    assert "Traceback" not in output
    assert "result      FAILED" in output
    assert not list((lab.path / "out").glob("*.new"))
    assert not lab.scorecard("out")["complete"]


@pytest.mark.parametrize("size", [JOURNAL, REPORT])
def test_pytest_is_red_and_shows_what_it_knows(lab: Lab, size: int) -> None:
    """Exit 1: what could not be written down is an error of its items."""
    status, output = limited(lab, size, "pytest", *ALONE, *options("--soclab-"))

    assert status == pytest.ExitCode.TESTS_FAILED
    assert "the engine stopped: cannot write " in output
    assert "Group" not in output
    assert "Traceback" not in output
    assert "FAILED missing_audit_evidence" in output
    assert not list((lab.path / "out").glob("*.new"))


def test_a_campaign_goes_on_when_there_is_room(lab: Lab) -> None:
    """The torn line is ended, and the result is whole."""
    limited(lab, JOURNAL, "pytest", *ALONE, *options("--soclab-"))
    again = [*options("--soclab-")[:-2], "--soclab-resume", "out"]
    status, output = limited(lab, 10**8, "pytest", *ALONE, *again)

    assert status == pytest.ExitCode.OK, output
    assert lab.scorecard("out")["complete"]
    assert lab.scorecard("out")["evidence"]["all_valid"]
