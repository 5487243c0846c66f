"""Prints a scorecard."""

from __future__ import annotations

from pathlib import Path

import typer

from soclab.contracts.scorecard_v1 import Scorecard
from soclab.reports.formats.terminal import result_line, scorecard_lines

__all__ = ["show_scorecard"]


def show_scorecard(scorecard: Scorecard, folder: Path) -> None:
    """The lines of the terminal report and the result; options are spelled as this command line spells them."""
    typer.echo("")
    for line in (*scorecard_lines(scorecard, folder), result_line(scorecard)):
        typer.echo(line.replace("--soclab-", "--"))
