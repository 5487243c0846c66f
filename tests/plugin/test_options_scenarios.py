"""--soclab-scenario, --soclab-scenarios, --soclab-list."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

import soclab.scenarios
from tests.plugin.lab import HONEST, Lab


def scenarios_in(result: pytest.RunResult) -> list[str]:
    """Scenario ids of a `--collect-only -q`, once each."""
    found = [line.partition("::")[2].partition("[")[0] for line in result.outlines if line.startswith("soclab::")]
    return list(dict.fromkeys(found))


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        (("BEN-001",), ["BEN-001"]),
        (("BEN-*",), ["BEN-001", "BEN-002", "BEN-003"]),
        (("BEN-003", "ATK-001"), ["ATK-001", "BEN-003"]),
        (("BEN-00[12]", "BEN-001"), ["BEN-001", "BEN-002"]),
    ],
)
def test_ids_and_globs_choose(lab: Lab, patterns: tuple[str, ...], expected: list[str]) -> None:
    """Each may be given again; order and repetition do not matter."""
    options = [word for one in patterns for word in ("--soclab-scenario", one)]

    assert scenarios_in(lab.run(*HONEST, *options, "--collect-only", "-q")) == expected


@pytest.mark.parametrize("text", ["BEN-001 BEN-002", "BEN-001,BEN-002", " BEN-001 ,  BEN-002 "])
def test_the_environment_lists_them(lab: Lab, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Blanks and commas part them."""
    monkeypatch.setenv("SOCLAB_SCENARIO", text)

    assert scenarios_in(lab.run(*HONEST, "--collect-only", "-q")) == ["BEN-001", "BEN-002"]


def test_the_ini_file_lists_them(lab: Lab) -> None:
    """As other lists of pytest."""
    lab.pytester.makeini("[pytest]\nsoclab_scenario =\n    BEN-001\n    BEN-002\n")

    assert scenarios_in(lab.run(*HONEST, "--collect-only", "-q")) == ["BEN-001", "BEN-002"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--soclab-scenario", "ATK-999"), "ERROR: *ATK-999*"),
        (("--soclab-scenario", "ZZZ-*"), "ERROR: *ZZZ-*"),
        (("--soclab-scenario", "GRD-001"), "ERROR: no selected scenario can be run by agent*forces its replies*"),
        (("--soclab-scenarios", "nowhere"), "ERROR: *nowhere*"),
        (("--soclab-scenarios", ""), "ERROR: --soclab-scenarios: the name of the folder is empty"),
    ],
)
def test_what_is_not_there_is_wrong_use(lab: Lab, arguments: tuple[str, ...], says: str) -> None:
    """One line, exit 4, nothing written."""
    result = lab.run(*HONEST, *arguments)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([says])
    assert len([line for line in result.errlines if line.strip()]) == 1
    assert lab.files() == set()


@pytest.mark.parametrize("place", ["command line", "ini file below"])
def test_a_folder_of_scenarios_takes_the_place_of_the_built_in_ones(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """A typed path starts at the current folder, one in the ini file at that file."""
    copy_corpus(lab)
    if place == "command line":
        result = lab.run(*HONEST, "--soclab-scenarios", "mine", "--collect-only", "-q")
    else:
        lab.pytester.makeini("[pytest]\nsoclab_scenarios = mine\n")
        monkeypatch.chdir(lab.pytester.mkdir("below"))
        result = lab.run(*HONEST, "--collect-only", "-q")

    assert scenarios_in(result) == ["BEN-901"]


def copy_corpus(lab: Lab) -> None:
    """A folder `mine` with one of the built-in scenarios under an id of its own."""
    corpus = next(iter(soclab.scenarios.__path__)) + "/corpus"
    text = Path(corpus, "benign", "BEN-001.yaml").read_text(encoding="utf-8")
    (lab.path / "mine" / "benign").mkdir(parents=True)
    file = lab.path / "mine" / "benign" / "BEN-901.yaml"
    file.write_text(text.replace("BEN-001", "BEN-901"), encoding="utf-8")


def test_a_broken_scenario_file_is_named_with_its_key(lab: Lab) -> None:
    """The line says which file and which key, exit 4."""
    copy_corpus(lab)
    file = lab.path / "mine" / "benign" / "BEN-901.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("title:", "titel:"), encoding="utf-8")
    result = lab.run(*HONEST, "--soclab-scenarios", "mine")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: *BEN-901.yaml*titel*"])


def test_the_list_needs_no_agent_and_no_network(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line per scenario, guards included, exit 0; no socket is opened, nothing is written."""
    monkeypatch.setattr(socket, "socket", None)
    result = lab.run("--soclab-list")

    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        ["ATK-001   attack  ?*", "BEN-001   benign  ?*", "GRD-001   guard   ?*", "* scenarios of pack *"]
    )
    assert lab.files() == set()


def test_the_list_takes_the_patterns(lab: Lab) -> None:
    """`--soclab-scenario` narrows it; one that matches nothing is wrong use."""
    narrowed = lab.run("--soclab-list", "--soclab-scenario", "BEN-*")
    wrong = lab.run("--soclab-list", "--soclab-scenario", "ZZZ-1")

    assert [line.split()[0] for line in narrowed.outlines if "benign" in line] == ["BEN-001", "BEN-002", "BEN-003"]
    assert wrong.ret == pytest.ExitCode.USAGE_ERROR
