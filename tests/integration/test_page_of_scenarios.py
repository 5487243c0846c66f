"""What docs/writing-scenarios.md prints is true: files, proofs, faults, goals and worlds."""

from __future__ import annotations

import re

import pytest

from soclab.oracles.predicates import PREDICATES
from soclab.scenarios.goals import GOALS
from soclab.scenarios.loader import load_pack
from tests.contract.published_file import ROOT

PAGE = (ROOT / "docs" / "writing-scenarios.md").read_text(encoding="utf-8")
ATTACK, BENIGN = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
SHOWN = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
GOAL_ROWS = re.findall(r"^\| (G[0-9, G]+) \| `([a-z_]+)` \| (.*) \|$", PAGE, re.MULTILINE)


@pytest.fixture
def folder(soclab_command):
    """The folder that the page makes, with its first file."""
    path = soclab_command.folder / "my-scenarios"
    path.mkdir()
    (path / "ATK-901.yaml").write_text(ATTACK, encoding="utf-8")
    return path


def test_the_proofs_come_out_as_printed(soclab_command, folder) -> None:
    """The attack of the page holds, in the very words of the page."""
    called = soclab_command("scenarios", "--scenarios", "my-scenarios", "--check")

    assert called.out == SHOWN[0]


def test_the_fault_is_told_as_printed(soclab_command, folder) -> None:
    """A mistyped action is the line that the page shows."""
    file = folder / "ATK-901.yaml"
    file.write_text(ATTACK.replace("block_indicator", "block_indicater"), encoding="utf-8")
    called = soclab_command("scenarios", "--scenarios", "my-scenarios")

    assert called.err == f"soclab: {SHOWN[1]}"


def test_the_benign_file_is_right(soclab_command, folder) -> None:
    """It loads as it stands and the reference agent does what it expects."""
    (folder / "BEN-901.yaml").write_text(BENIGN, encoding="utf-8")
    called = soclab_command("scenarios", "--scenarios", "my-scenarios", "--check", "--scenario", "BEN-901")

    assert called.lines[0] == "BEN-901   holds   reference correct"


def test_every_goal_is_explained() -> None:
    """The table has each goal with each predicate that judges it, and nothing else."""
    printed = {(goal, name) for goals, name, _ in GOAL_ROWS for goal in goals.split(", ")}

    assert printed == {(goal, name) for goal, names in GOALS.items() for name in names}


@pytest.mark.parametrize(("name", "words"), [row[1:] for row in GOAL_ROWS], ids=[row[1] for row in GOAL_ROWS])
def test_every_parameter_of_a_predicate_is_named(name: str, words: str) -> None:
    """A goal's parameters on the page are those that its predicate takes."""
    taken = set(PREDICATES[name].parameters.model_fields)

    assert taken <= set(re.findall(r"`([a-z_]+)`", words))
    assert taken or words.startswith("none")


def test_every_world_and_channel_is_listed() -> None:
    """Who writes an attack finds the places it may stand in."""
    for world in load_pack().worlds.values():
        assert f"| `{world.name}` |" in PAGE
        assert [channel for channel in world.channels if f"| `{channel}`" not in PAGE] == []
