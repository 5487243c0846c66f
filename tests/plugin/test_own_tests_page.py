"""The examples of `docs/your-own-tests.md` run as they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from soclab.assembly.stage_view import StageView
from soclab.pytest_plugin.init import templates
from tests.plugin.lab import Lab

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "your-own-tests.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"<!-- run: (\w+) -->\n```python\n(.*?)\n```", PAGE, re.DOTALL))
RUNS = {
    "plain": (("test_mine.py", "--soclab-provider", "reference"), 1),
    "async": (
        ("test_mine.py", "--soclab-provider", "reference", "-o", "asyncio_default_fixture_loop_scope=function"),
        1,
    ),
    "gullible": (("test_mine.py", "--soclab-provider", "gullible"), 2),
    "campaign": (("soclab", "test_mine.py", "--soclab-provider", "reference", "--soclab-scenario", "ATK-001"), 9),
    "conftest": ((), 1),
}
MINE = (
    '{import}\n@pytest.mark.soclab_scenario(id="BEN-001")\ndef test_one(soclab_run): soclab_run.stage("collect_siem")\n'
)


def test_every_example_is_run() -> None:
    """No Python block stands on the page without a mark that this file knows."""
    assert BLOCKS.keys() == RUNS.keys()
    assert PAGE.count("```python") == len(BLOCKS)


@pytest.mark.parametrize("name", RUNS)
def test_the_examples_hold(lab: Lab, name: str) -> None:
    """Each with the agent that the page speaks of."""
    arguments, passed = RUNS[name]
    if name == "conftest":
        (lab.path / "my_agent.py").write_text("from agents import honest as answer\n", encoding="utf-8")
        (lab.path / "conftest.py").write_text(BLOCKS[name], encoding="utf-8")
        (lab.path / "test_mine.py").write_text(MINE.replace("{import}", "import pytest"), encoding="utf-8")
    else:
        (lab.path / "test_mine.py").write_text(BLOCKS[name], encoding="utf-8")
    result = lab.run("--strict-markers", *arguments, plugins=("no:randomly",) if name == "async" else ("no:asyncio",))

    result.assert_outcomes(passed=passed)
    assert result.ret == pytest.ExitCode.OK


def test_the_page_names_every_field_and_template() -> None:
    """What can be asked of a stage, and what can be copied."""
    cells = set(re.findall(r"`(\w+)`", PAGE))

    assert set(StageView.__dataclass_fields__) <= cells
    assert set(templates()) <= cells
