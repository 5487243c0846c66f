"""`soclab version`."""

from __future__ import annotations

import typer

from soclab import __version__

__all__ = ["version"]


def version() -> None:
    """Print the version."""
    typer.echo(f"soclab {__version__}")
