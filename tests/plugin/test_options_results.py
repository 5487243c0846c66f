"""--soclab-out, --soclab-overwrite, --soclab-seed, --soclab-concurrency."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.plugin.lab import HONEST, STAGES, Lab

ONE = ("--soclab-scenario", "BEN-001")
FILES = {"journal.jsonl", "scorecard.json", "report.html"}


def test_results_stand_below_the_rootdir_by_default(lab: Lab) -> None:
    """`.soclab/last` names the newest folder, which only the user may read."""
    lab.run(*HONEST, *ONE)
    home = lab.path / ".soclab"
    folder = home / (home / "last").read_text(encoding="utf-8").strip()

    assert {one.name for one in folder.iterdir()} >= FILES
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_results_stand_where_the_user_wants_them(lab: Lab) -> None:
    """The header and the last lines say where."""
    result = lab.run(*HONEST, *ONE, "--soclab-out", "out/a")

    assert {one.name for one in (lab.path / "out/a").iterdir()} >= FILES
    assert lab.files() == {"out"}
    result.stdout.fnmatch_lines(["soclab: *results in *out/a", f"*{lab.path}/out/a*report.html*"])


def test_a_campaign_is_not_written_over(lab: Lab) -> None:
    """A second one in the same folder is wrong use, unless the first is kept beside."""
    options = (*HONEST, *ONE, "--soclab-out", "out")
    lab.run(*options)
    first = (lab.path / "out" / "journal.jsonl").read_bytes()
    refused = lab.run(*options)

    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines(["ERROR: --soclab-out *out: holds another campaign*--soclab-overwrite*"])
    assert (lab.path / "out" / "journal.jsonl").read_bytes() == first
    assert len(lab.calls()) == len(STAGES)

    assert lab.run(*options, "--soclab-overwrite").ret == pytest.ExitCode.OK
    assert (lab.path / "out.previous" / "journal.jsonl").read_bytes() == first


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_wrong_use(lab: Lab) -> None:
    """It is said before anything is asked."""
    closed: Path = lab.pytester.mkdir("closed")
    closed.chmod(0o500)
    result = lab.run(*HONEST, *ONE, "--soclab-out", "closed/out")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert lab.calls() == []


def test_a_file_in_the_place_of_the_folder_is_wrong_use(lab: Lab) -> None:
    """A file is left as it is."""
    (lab.path / "out").write_text("mine", encoding="utf-8")
    result = lab.run(*HONEST, *ONE, "--soclab-out", "out")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --soclab-out *out: this is a file; name a folder"])
    assert (lab.path / "out").read_text(encoding="utf-8") == "mine"


def test_a_seed_gives_the_same_runs_again(lab: Lab) -> None:
    """Ids are equal with one seed and differ without."""
    for _ in range(2):
        lab.run(*HONEST, *ONE, "--soclab-seed", "7")
    seeded = {run for run, _ in lab.calls()}
    lab.run(*HONEST, *ONE)

    assert len(seeded) == 1
    assert len({run for run, _ in lab.calls()}) == 2


@pytest.mark.parametrize("number", ["1", "3", "64"])
def test_any_concurrency_makes_the_same_calls(lab: Lab, number: str) -> None:
    """Every stage of every scenario once."""
    lab.run(*HONEST, "--soclab-scenario", "BEN-*", "--soclab-concurrency", number)

    assert len(lab.calls()) == len(set(lab.calls())) == 3 * len(STAGES)
    if number == "1":
        assert [stage for _, stage in lab.calls()] == list(STAGES) * 3


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "many", "", "\u0663", "99999999999999999999"])
def test_a_concurrency_that_is_no_number_is_wrong_use(lab: Lab, text: str) -> None:
    """One line with the bounds, exit 4."""
    result = lab.run(*HONEST, f"--soclab-concurrency={text}")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --soclab-concurrency *: give a whole number from 1 to 10000"])


def test_a_session_that_runs_nothing_does_not_look_at_the_folder(lab: Lab) -> None:
    """An agent and a folder in the ini file: listing, fixtures and the user's own files work beside old results."""
    lab.pytester.makeini("[pytest]\nsoclab_agent = agents:honest\nsoclab_out = out\nsoclab_scenario = BEN-001\n")
    lab.pytester.makepyfile(test_mine="def test_passes(): pass")
    assert lab.run().ret == pytest.ExitCode.OK
    calls = lab.calls()

    assert lab.run("--collect-only", "-q").ret == pytest.ExitCode.OK
    assert lab.run("--fixtures").ret == pytest.ExitCode.OK
    assert lab.run("test_mine.py").ret == pytest.ExitCode.OK
    refused = lab.run()
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines(["ERROR: --soclab-out *out: holds another campaign; *"])
    assert lab.calls() == calls
