"""`soclab schema`: the published JSON Schemas."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from soclab.cli.options import folder_of
from soclab.contracts.publish import PUBLISHED, check, write
from soclab.errors import ConfigurationError, OutputFolderError
from soclab.published_files import published

__all__ = ["schema"]

_DIFFERENT = 1


def schema(
    into: Annotated[
        str | None, typer.Option("--write", metavar="DIR", help="Write all of them below DIR (`.` in a clone).")
    ] = None,
    checks: Annotated[
        bool, typer.Option("--check", help="Compare the files that ship with the models; status 1 when they differ.")
    ] = False,
) -> int:
    """List the published JSON Schemas, write them, or check the files that ship."""
    if into is not None and checks:
        raise ConfigurationError("give --write or --check, not both")
    if checks:
        return _check(published("schemas").parent)
    if into is not None:
        for file in _write(folder_of(into, "--write") or Path()):
            typer.echo(str(file))
        return 0
    for path, build in PUBLISHED.items():
        typer.echo(f"{path:<46}{build()['title']}")
    return 0


def _check(root: Path) -> int:
    differences = check(root)
    for line in differences:
        typer.echo(line)
    if not differences:
        typer.echo(f"{len(PUBLISHED)} schemas below {root} are as the models say")
    return _DIFFERENT if differences else 0


def _write(root: Path) -> list[Path]:
    try:
        return write(root)
    except OSError as error:
        raise OutputFolderError(f"--write {root}: cannot be written: {error.strerror or error}") from error
