"""A session that has nothing to do with soclab."""

from __future__ import annotations

import re

import pytest

from tests.plugin.lab import Lab

STRICT = ("--strict-markers", "--strict-config", "-W", "error", "-W", "ignore::DeprecationWarning")
TEST = """
    import sys, threading

    def test_passes():
        assert True

    def test_fails():
        assert 1 == 2

    def test_modules():
        heavy = ("pydantic", "httpx", "yaml", "typer", "jiter", "jsonschema")
        assert [name for name in heavy if name in sys.modules] == []
        ours = {name for name in sys.modules if name.startswith("soclab")}
        assert ours <= {"soclab"} | {f"soclab.pytest_plugin{name}" for name in (
            "", ".plugin", ".activation", ".arguments", ".options", ".fixtures", ".keys", ".user_fixtures")}

    def test_threads():
        assert not [one for one in threading.enumerate() if one.name.startswith("soclab")]
"""


def told(result: pytest.RunResult) -> list[str]:
    """The output without times, without the rules whose length depends on them, and without the list of plugins."""
    lines = [line for line in result.outlines if not line.startswith(("plugins:", "metadata:"))]
    return [re.sub(r"\d+\.\d+s( \(\d+:\d+:\d+\))?|=", "", line) for line in lines]


@pytest.mark.parametrize("verbosity", ["-q", "-v", "-rA"])
def test_an_idle_plugin_changes_no_line_of_output(lab: Lab, verbosity: str) -> None:
    """With the plugin and without it, a session prints the same, exits the same, and leaves no file."""
    lab.pytester.makepyfile(test_mine=TEST)
    alone = lab.run_apart(verbosity, "-p", "no:soclab", *STRICT)
    beside = lab.run_apart(verbosity, *STRICT)

    alone.assert_outcomes(passed=3, failed=1)
    assert told(beside) == told(alone)
    assert beside.ret == alone.ret == pytest.ExitCode.TESTS_FAILED
    assert lab.files() == {"test_mine.py"}


def test_an_empty_folder_stays_empty(lab: Lab) -> None:
    """No tests and no agent: pytest's own status for that, nothing written."""
    result = lab.run_apart("-p", "no:cacheprovider", *STRICT)

    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    assert lab.files() == set()


def test_settings_alone_do_not_wake_the_plugin(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mode in the ini file or the environment is for when a campaign is asked for."""
    lab.pytester.makeini("[pytest]\nsoclab_mode = baseline\nsoclab_approved_models = gpt-*\n")
    monkeypatch.setenv("SOCLAB_SEED", "7")
    lab.pytester.makepyfile(test_mine="def test_passes(): pass")
    result = lab.run(*STRICT)

    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*soclab:*")


def test_the_marker_is_registered(lab: Lab) -> None:
    """`-m soclab` is no typing error, also under --strict-markers, and selects nothing of the user's."""
    lab.pytester.makepyfile(test_mine="def test_passes(): pass")
    result = lab.run("--strict-markers", "-m", "soclab")

    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    lab.run("--markers").stdout.fnmatch_lines(["@pytest.mark.soclab: *"])


@pytest.mark.parametrize("question", ["--help", "--version", "--markers"])
def test_questions_to_pytest_are_answered_whatever_the_settings(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    """An agent that is not configured stands in nobody's way."""
    monkeypatch.setenv("SOCLAB_PROVIDER", "http")

    assert lab.run(question).ret == pytest.ExitCode.OK
