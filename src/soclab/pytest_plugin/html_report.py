"""Columns and a summary in the report of pytest-html, when that plugin is there and makes one."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Final

import pytest

from soclab.pytest_plugin.campaigns import Campaigns
from soclab.pytest_plugin.summary import summary_lines

__all__ = ["HtmlReport"]

_COLUMNS: Final = (("Scenario", "soclab_scenario"), ("Stage", "soclab_stage"), ("Outcome", "soclab_outcome"))
_BEFORE: Final = 2
"""Result and test id stay the first two columns."""


class HtmlReport:
    """Everything it writes is cleaned text, escaped."""

    def __init__(self, campaigns: Campaigns) -> None:
        self.campaigns = campaigns

    @pytest.hookimpl(optionalhook=True)
    def pytest_html_results_table_header(self, cells: list[str]) -> None:
        cells[_BEFORE:_BEFORE] = [f"<th>{title}</th>" for title, _ in _COLUMNS]

    @pytest.hookimpl(optionalhook=True)
    def pytest_html_results_table_row(self, report: pytest.TestReport, cells: list[str]) -> None:
        said = {name: str(value) for name, value in getattr(report, "user_properties", ())}
        values = (said.get(name, "") for _, name in _COLUMNS)
        cells[_BEFORE:_BEFORE] = [f"<td>{html.escape(value)}</td>" for value in values]

    @pytest.hookimpl(optionalhook=True)
    def pytest_html_results_summary(self, prefix: list[str]) -> None:
        prefix.extend(_summary(summary_lines(self.campaigns)))


def _summary(lines: Sequence[str]) -> list[str]:
    if not lines:
        return []
    return ["<h3>soclab scorecard</h3>", f"<pre>{html.escape(chr(10).join(lines))}</pre>"]
