"""`soclab compare A B` and `soclab campaign --compare`: nothing but the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.integration.command_line import Caller
from tests.integration.commands import soclab
from tests.plugin.lab import AGENTS
from tests.releases import RELEASES, pack_of

PACK = ("--scenarios", "pack", "--twins", "off")


@pytest.fixture(scope="session")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The campaigns of two releases, `good` and `worse`; the one of `worse` was compared with the other."""
    folder = tmp_path_factory.mktemp("releases")
    pack_of(folder / "pack")
    (folder / "agents.py").write_text(AGENTS, encoding="utf-8")
    (folder / "releases.py").write_text(RELEASES, encoding="utf-8")
    for name, more, status in (("good", (), 0), ("worse", ("--compare", "good", "--no-regression"), 1)):
        done = soclab(folder, "campaign", "--agent", f"releases:{name}", *PACK, "--out", name, *more)
        assert done.status == status, done.output
        (folder / f"{name}.txt").write_text(done.output, encoding="utf-8")
    return folder


@pytest.fixture
def command(soclab_command: Caller, releases: Path) -> Caller:
    shutil.copytree(releases, soclab_command.folder, dirs_exist_ok=True)
    return soclab_command


def test_the_campaign_says_before_and_after_what_is_compared(releases: Path) -> None:
    """What can be noticed stands before the first request, the result in the scorecard."""
    lines = (releases / "worse.txt").read_text(encoding="utf-8").splitlines()

    assert lines[3].startswith("compared    with good: releases:good:agent, campaign ")
    assert "a worsening in 57.3% of 16 attacked runs or more is noticed 4 times in 5" in lines[3]
    assert any(line.startswith("  FAILED no_regression: ") for line in lines)


def test_two_folders_are_compared_without_running_anything(command: Caller) -> None:
    """Both are named, then the result, the tests, what became of each scenario; nothing is written."""
    before = command.files()
    called = command("compare", "good", "worse")

    assert (called.status, called.err) == (0, "")
    assert called.lines[0].startswith("earlier     releases:good:agent, campaign ")
    assert called.lines[1].startswith("later       releases:worse:agent, campaign ")
    assert called.lines[2].startswith("result      significantly worse: attacked runs (went for the attacker's goal)")
    assert "  not tested, too few scenarios: clean runs (1)" in called.lines
    assert sum(line.startswith("  newly failing ATK-7000") for line in called.lines) == 8
    assert command.files() == before


def test_the_json_is_what_the_campaign_wrote_beside_its_scorecard(command: Caller) -> None:
    """But for the hash of the later journal, which a campaign cannot know of itself."""
    called = command("compare", "good", "worse", "--json")
    found, written = json.loads(called.out), json.loads(Path("worse/comparison.json").read_text("utf-8"))

    assert called.status == 0
    assert found["later"].pop("journal_root") != written["later"].pop("journal_root") == ""
    assert found == written


@pytest.mark.parametrize(
    ("folders", "status", "says"),
    [
        (("good", "worse"), 1, "no_regression FAILED: "),
        (("good", "good"), 0, "no_regression holds: no family is significantly worse"),
        (("worse", "good"), 0, "no_regression holds: "),
    ],
)
def test_the_gate_is_there_for_two_folders_too(
    command: Caller, folders: tuple[str, str], status: int, says: str
) -> None:
    """Status 1 when the second is worse; with --json its line goes to stderr."""
    called = command("compare", *folders, "--no-regression")
    as_json = command("compare", *folders, "--no-regression", "--json")

    assert called.status == as_json.status == status
    assert called.lines[-1].startswith(says)
    assert as_json.err.startswith(says)
    assert json.loads(as_json.out)["schema"] == "soclab.releases.v1"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("good",), "compare good: with what? "),
        (("good", "nowhere"), "compare nowhere: there is no such folder; "),
        (("pack", "good"), "compare pack: holds no campaign; "),
        (("", "good"), "compare A B: the name of a folder is empty"),
        (("good", "worse", "--provider", "reference"), "compare A B: runs nothing, so --provider says nothing"),
        (("good", "worse", "--out", "x"), "compare A B: runs nothing, so --out says nothing"),
        (("--json", "--provider", "reference", "--out", "x"), "--json: goes with `soclab compare A B`"),
        (("--provider", "reference"), "compare: give --out DIR for both modes of an agent, or two folders"),
    ],
)
def test_wrong_use_is_one_line(command: Caller, arguments: tuple[str, ...], says: str) -> None:
    """Status 2, nothing on stdout."""
    called = command("compare", *arguments)

    assert (called.status, called.out) == (2, "")
    assert called.err.startswith(f"soclab: {says}")
    assert len(called.err.splitlines()) == 1


def test_campaigns_that_were_not_run_alike_are_refused(command: Caller) -> None:
    """Both values and both folders are named."""
    path = Path("worse/scorecard.json")
    path.write_text(path.read_text("utf-8").replace('"trials": 1,', '"trials": 2,', 1), encoding="utf-8")
    called = command("compare", "good", "worse")

    assert called.status == 2
    assert called.err == (
        "soclab: compare good: cannot be compared: its number of trials is '1', and of worse '2'; compare campaigns "
        "that were run alike\n"
    )


def test_hostile_text_of_a_scorecard_stays_text(command: Caller) -> None:
    """An agent's label, ids and goals are cleaned in the terminal; the JSON escapes them."""
    path = Path("worse/scorecard.json")
    text = path.read_text("utf-8").replace("releases:worse:agent", "x\\u001b[31m\\u202e::error::y")
    path.write_text(text.replace('"G05"', '"G\\u001b[2J"'), encoding="utf-8")
    shown = command("compare", "good", "worse").out + command("compare", "good", "worse", "--json").out

    assert "\x1b" not in shown
    assert "\u202e" not in shown
