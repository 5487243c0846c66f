"""What a user reads who wrote a name that nobody knows."""

from __future__ import annotations

import pytest

from soclab.errors import UnknownNameError

IDS = [f"ATK-{number:03}" for number in range(1, 44)]


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (UnknownNameError("provider", "", ["http", "mine"]), "unknown provider ''. Allowed: http, mine."),
        (UnknownNameError("mode", "x", ["a"], "--mode"), "unknown mode 'x' (--mode). Allowed: a."),
        (UnknownNameError("mode", "x", []), "unknown mode 'x'. Allowed: none."),
        (UnknownNameError("mode", "on", ["one"]), "unknown mode 'on'; did you mean 'one'? Allowed: one."),
    ],
    ids=["empty", "with place", "nothing allowed", "near miss"],
)
def test_the_line_is_a_sentence(error: UnknownNameError, line: str) -> None:
    """What was unknown, where, the nearest name, what is allowed: each part ends as sentences end."""
    assert str(error) == line


@pytest.mark.parametrize("written", ["atk-001", "ATK001", "Atk_001"])
def test_the_nearest_name_is_found_in_any_case(written: str) -> None:
    """Who writes small letters is told the spelling that counts."""
    assert "; did you mean 'ATK-001'?" in str(UnknownNameError("scenario", written, IDS))


def test_names_that_differ_in_case_only_are_both_there() -> None:
    """Folding the case loses no name: the first one is suggested."""
    assert "did you mean 'Http'?" in str(UnknownNameError("provider", "HTTP", ["Http", "http"]))


def test_a_long_list_is_counted_and_not_printed() -> None:
    """Where a command lists the names, the line says how many there are and which command it is."""
    line = str(UnknownNameError("scenario", "nothing", IDS, see="--soclab-list"))
    assert line == "unknown scenario 'nothing'. Allowed: 43 scenarios; see --soclab-list."


def test_a_long_list_without_a_command_is_cut() -> None:
    """Nowhere else to look: the first names, and how many more there are."""
    line = str(UnknownNameError("scenario", "nothing", IDS))
    assert line.endswith("ATK-011, ATK-012 and 31 more.")


def test_a_short_list_is_always_printed() -> None:
    """Three names are quicker read than looked up."""
    assert "Allowed: a, b, c." in str(UnknownNameError("scenario", "x", "abc", see="--soclab-list"))
