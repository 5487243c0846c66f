"""Prints a scorecard."""

from __future__ import annotations

from pathlib import Path

import typer

from soclab.contracts.scorecard_v1 import Scorecard
from soclab.reports.formats.terminal import result_line, scorecard_lines, short_lines

__all__ = ["show_scorecard"]


def show_scorecard(scorecard: Scorecard, folder: Path, *, short: bool = False) -> None:
    """
    The lines of the terminal report and the result; options are spelled as this command line spells them.

    Args:
        short: only how much was run, what gates fail, and where the files are.
    """
    typer.echo("")
    lines = short_lines(scorecard, folder) if short else scorecard_lines(scorecard, folder)
    for line in (*lines, result_line(scorecard)):
        typer.echo(line.replace("--soclab-", "--"))
