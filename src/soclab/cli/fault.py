"""When the lab itself fails: one line for the user, the traceback in a file."""

from __future__ import annotations

import tempfile
import traceback
from collections.abc import Mapping

import typer

from soclab.redaction import Secrets, clean, clean_block

__all__ = ["report_fault"]

_LIMIT = 300


def report_fault(error: BaseException, environment: Mapping[str, str], *, whole: bool) -> None:
    """
    Say what failed.

    Args:
        environment: tokens in it are in no text that is shown or written.
        whole: show the traceback instead of saving it.
    """
    secrets = Secrets(
        value
        for name, value in environment.items()
        if name.startswith("SOCLAB_") and ("TOKEN" in name or "KEY" in name)
    )
    text = clean_block(secrets.mask("".join(traceback.format_exception(error))))
    if whole:
        typer.echo(text, err=True, nl=False)
    said = clean(secrets.mask(f"{type(error).__name__}: {error}"), _LIMIT)
    typer.echo(f"soclab: the lab failed: {said}{'' if whole else _saved(text)}", err=True)


def _saved(text: str) -> str:
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="soclab-", suffix=".txt", delete=False, encoding="utf-8", errors="backslashreplace"
        ) as file:
            file.write(text)
    except OSError:
        return "; run it with `soclab --debug` to see the traceback"
    return f"; the traceback is in {file.name}"
