"""`docs/pytest-options.md` and `--help` know every option."""

from __future__ import annotations

from pathlib import Path

import pytest

from soclab.pytest_plugin.options import OPTIONS, Option
from tests.plugin.lab import Lab

PAGE = Path(__file__).resolve().parents[2] / "docs" / "pytest-options.md"


def row(option: Option) -> str:
    """The line of the page's table that is about an option."""
    name = option.key if option.only_ini else option.flag
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    found = [line for line in lines if line.startswith("|") and (f"`{name} " in line or f"`{name}`" in line)]
    assert found, name
    return found[0]


@pytest.mark.parametrize("option", OPTIONS, ids=lambda one: one.name)
def test_the_page_names_every_option_and_its_twins(option: Option) -> None:
    """Environment variable and ini key stand in its row exactly when there are such."""
    assert (f"`{option.key}`" in row(option)) == option.twins
    assert (f"`{option.variable}`" in row(option)) == (option.twins and not option.only_ini)


def test_help_lists_every_option(lab: Lab) -> None:
    """In a group of their own."""
    shown = lab.run("--help").stdout.str()

    assert "soclab: security evidence for SOC agents" in shown
    assert [one.flag for one in OPTIONS if not one.only_ini and one.flag not in shown] == []


def test_no_option_takes_a_secret() -> None:
    """Command lines stand in logs and process lists."""
    assert [one.name for one in OPTIONS if "token" in one.name or "secret" in one.name or "key" in one.name] == []
