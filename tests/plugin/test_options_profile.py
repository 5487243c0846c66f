"""--soclab-profile: weights and floors of one's own, on every door."""

from __future__ import annotations

from pathlib import Path

import pytest

from soclab.scoring.profile import default_profile, load_profile, profile_sha256
from tests.plugin.lab import HONEST, Lab

SHIPPED = Path(__file__).parents[2] / "src" / "soclab" / "scoring" / "profiles" / "default.yaml"
ONE = ("--soclab-scenario", "BEN-001")


def mine(lab: Lab, old: str = "version: 1.0.0", new: str = "version: 7") -> Path:
    """The shipped profile with one change, in the folder of the session."""
    text = SHIPPED.read_text(encoding="utf-8")
    assert old in text
    path = lab.path / "mine.yaml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


def test_the_profile_travels_with_the_result(lab: Lab) -> None:
    """Version, hash and values stand in the scorecard; without the option they are the lab's own."""
    lab.run(*HONEST, *ONE)
    own = lab.scorecard()
    assert (own["profile_version"], own["profile_sha256"]) == ("1.0.0", profile_sha256(default_profile()))

    path = mine(lab, new='version: "7"')
    lab.run(*HONEST, *ONE, "--soclab-profile", str(path), "--soclab-out", "mine")
    card = lab.scorecard("mine")
    assert (card["profile_version"], card["profile_sha256"]) == ("7", profile_sha256(load_profile(path)))
    assert card["profile"]["families"]["security_resilience"]["weight"] == 0.35


@pytest.mark.parametrize("door", ["flag", "environment", "ini"])
def test_every_door_takes_it(lab: Lab, door: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Command line, environment, ini file; a path in the ini file starts at the file."""
    mine(lab, new='version: "7"')
    options: tuple[str, ...] = ()
    if door == "flag":
        options = ("--soclab-profile", "mine.yaml")
    elif door == "environment":
        monkeypatch.setenv("SOCLAB_PROFILE", "mine.yaml")
    else:
        options = ("-o", "soclab_profile=mine.yaml")
    lab.run(*HONEST, *ONE, *options)
    assert lab.scorecard()["profile_version"] == "7"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("weight: 0.35", "weight: 0.4", "key families: the weights of the five families add up to 1.05: make them"),
        (
            "weight: 0.35",
            "weigth: 0.35",
            "key families.*.weigth: unknown key; did you mean 'weight'?",
        ),
        (
            "without_leak: 1",
            "without_leak: -1",
            "key families.*.without_leak: input should be greater",
        ),
        (
            "without_leak: 1",
            "without_leak: .nan",
            "key families.*.without_leak: input should be a valid",
        ),
    ],
)
def test_a_profile_that_cannot_be_used_is_wrong_use(lab: Lab, old: str, new: str, words: str) -> None:
    """One line with file, line and key, status 4, and nobody was asked."""
    mine(lab, old, new)
    result = lab.run(*HONEST, "--soclab-profile", "mine.yaml")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: scoring profile *mine.yaml:*: {words}*"])
    assert lab.calls() == []


@pytest.mark.parametrize("name", ["", "none.yaml"])
def test_a_profile_that_is_not_there_is_wrong_use(lab: Lab, name: str) -> None:
    """An empty name, and a file that does not exist."""
    result = lab.run(*HONEST, f"--soclab-profile={name}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert lab.calls() == []


def test_a_campaign_goes_on_under_the_same_profile_only(lab: Lab) -> None:
    """The journal holds it; another one is another measurement."""
    lab.run(*HONEST, *ONE, "--soclab-out", "out")
    mine(lab, old="latency_budget_ms: 30000", new="latency_budget_ms: 10")
    refused = lab.run(*HONEST, *ONE, "--soclab-resume", "out", "--soclab-profile", "mine.yaml")

    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines(["ERROR: --soclab-resume *out: its scoring profile is 'default 1.0.0, SHA-256 *"])
    assert lab.run(*HONEST, *ONE, "--soclab-resume", "out").ret == pytest.ExitCode.OK
