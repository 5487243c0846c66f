"""
`docs/pytest-habits.md` holds for the installed pytest: each row of its tables is a session that is run here.

With `--snapshot-update` (and without -n) the rows are written instead of compared.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.plugin.habits import BROKEN_STAGE, SECTIONS, Habit, Section
from tests.plugin.lab import AGENTS, Lab, verdicts
from tests.sessions import ALONE, LIGHT

PAGE = Path(__file__).resolve().parents[2] / "docs" / "pytest-habits.md"
HEAD = ("| Flag | Calls | Exit | Results | Gate |", "|---|---|---|---|---|")
KINDS = ("passed", "failed", "errors", "skipped", "rerun", "deselected")


def name_of(habit: Habit) -> str:
    return re.sub(r"[^\w=-]+", "_", habit.flag).strip("_")


EVERY = [
    pytest.param(section, habit, id=name_of(habit), marks=[pytest.mark.slow] * habit.slow)
    for section in SECTIONS
    for habit in section.rows
]


def session(lab: Lab, habit: Habit, arguments: tuple[str, ...]) -> pytest.RunResult:
    if not habit.apart and not habit.neighbour:
        return lab.run(*arguments)
    if not habit.apart:
        scope = () if "no:asyncio" in arguments else ("-o", "asyncio_default_fixture_loop_scope=function")
        return lab.run(*scope, *arguments, plugins=())
    (lab.path / "agents.py").write_text(AGENTS, encoding="utf-8")
    beside = (*LIGHT, "-p", "no:randomly") if habit.neighbour else ALONE
    beside = LIGHT if habit.neighbour == "randomly" else beside
    return lab.pytester.runpytest_subprocess("-o", "pythonpath=.", *beside, *arguments, timeout=300)


def measured(lab: Lab, section: Section, habit: Habit) -> str:
    """The row as it is."""
    for name, text in habit.files.items():
        (lab.path / name).write_text(text, encoding="utf-8")
    options = () if "no:soclab" in habit.arguments else section.options
    if habit.before is not None:
        session(lab, habit, (*options, *habit.before))
    before = len(lab.calls())
    result = session(lab, habit, (*options, *habit.arguments, "--junitxml=junit.xml"))
    calls = lab.calls()[before:]
    if habit.neighbour:
        assert re.search(rf"^plugins: .*\b{habit.neighbour}-", result.stdout.str(), re.MULTILINE)
    assert len(calls) == len(set(calls))
    found = result.parseoutcomes()
    told = ", ".join(f"{found[kind]} {kind}" for kind in KINDS if found.get(kind)) or "none"
    gate = lab.junit().get("gate", "none") if (lab.path / "junit.xml").exists() else "none"
    cells = (habit.flag, str(len(calls)), str(int(result.ret)), told, gate)
    return f"| {' | '.join(cells)} |"


@pytest.mark.parametrize(("section", "habit"), EVERY)
def test_the_row_is_what_a_session_does(
    lab: Lab, section: Section, habit: Habit, request: pytest.FixtureRequest
) -> None:
    """Calls of the agent, exit status, results of items and gate."""
    row = measured(lab, section, habit)
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    here = next(at for at, line in enumerate(lines) if line.startswith(f"| {habit.flag} |"))
    if request.config.getoption("update_snapshots", False):
        lines[here] = row
        PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert lines[here] == row


def test_the_page_has_these_rows_and_no_others(request: pytest.FixtureRequest) -> None:
    """In this order, each once."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = {line.split(" | ")[0]: line for line in lines if line.startswith("| ")}
    wanted: list[str] = []
    for one in SECTIONS:
        known = [rows.get(f"| {habit.flag}", f"| {habit.flag} | ? | ? | ? | ? |") for habit in one.rows]
        wanted += [f"## {one.title}", "", one.words, "", *HEAD, *known, ""]
    begin = lines.index(f"## {SECTIONS[0].title}")
    if request.config.getoption("update_snapshots", False):
        lines[begin:] = wanted[:-1]
        PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert lines[begin:] == wanted[:-1]


@pytest.mark.parametrize("habit", [one for one in SECTIONS[0].rows if one.before is None], ids=name_of)
def test_an_order_that_is_shuffled_changes_no_row(lab: Lab, habit: Habit) -> None:
    """A hidden broken stage never goes green, wherever its scenario stands; stages keep their order."""
    plain = lab.run(*SECTIONS[0].options, *habit.arguments, "-v")
    calls = len(lab.calls())
    shuffled = lab.run(*SECTIONS[0].options, *habit.arguments, "-v", plugins=("no:asyncio",))
    if "no:soclab" in habit.arguments:
        assert plain.ret == shuffled.ret == pytest.ExitCode.USAGE_ERROR
        return
    if habit.arguments and habit.arguments[0] in ("-x", "--maxfail=1", "--maxfail=2", "--sw"):
        assert plain.ret == shuffled.ret  # which of the two broken runs comes first is chance
        return

    assert verdicts(shuffled) == verdicts(plain)
    assert len(lab.calls()) == 2 * calls
    assert shuffled.ret == plain.ret


def test_stepwise_goes_on_at_the_broken_stage(lab: Lab) -> None:
    """--sw stops at it, and the next session begins with it."""
    lab.run(*SECTIONS[0].options, "--sw", "-v")
    again = verdicts(lab.run(*SECTIONS[0].options, "--sw", "-v"))

    assert next(iter(again)) == BROKEN_STAGE
