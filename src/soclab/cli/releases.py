"""Compares the folders of two campaigns; nothing is run."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from soclab import __version__
from soclab.assembly.releases import check_alike, read_release
from soclab.errors import ConfigurationError
from soclab.redaction import clean
from soclab.reports.formats import jsonfile
from soclab.reports.formats.releases import release_lines
from soclab.scoring.releases.regression import regression_of
from soclab.scoring.releases.sides import compare_releases

__all__ = ["show_releases"]


def show_releases(earlier: str, later: str | None, *, as_json: bool, no_regression: bool) -> int:
    """
    Print what two finished campaigns of the same scenarios say together.

    Args:
        as_json: as `comparison.json` holds it.
        no_regression: the exit status is 1 when the later one is significantly worse.

    Raises:
        UsageError: one of them is no finished campaign, or they were not run alike.
    """
    if later is None:
        raise ConfigurationError(f"compare {earlier}: with what? Name the folder of the later campaign behind it")
    if not earlier or not later:
        raise ConfigurationError("compare A B: the name of a folder is empty")
    first, second = read_release(Path(earlier), f"compare {earlier}"), read_release(Path(later), f"compare {later}")
    check_alike(first.release, second.release, f"compare {earlier}", now=f"and of {later}")
    found = compare_releases(__version__, first, second)
    regression = regression_of(found)
    if as_json:
        sys.stdout.write(jsonfile.render(found).decode("ascii"))
    else:
        for line in release_lines(found, whole=True):
            typer.echo(line)
    if no_regression:
        typer.echo(f"no_regression {'FAILED' if regression.found else 'holds'}: {clean(regression.words)}", err=as_json)
    return int(no_regression and regression.found)
