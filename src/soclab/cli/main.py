"""
`soclab`: reads the command line, calls one command, turns what comes back into an exit status.

0 green, 1 red or no evidence, 2 wrong use, 3 a fault of the lab, 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from soclab.cli.doorway import Doorway, from_outside
from soclab.cli.fault import report_fault
from soclab.cli.table import CommandTable
from soclab.errors import UsageError
from soclab.redaction import clean

__all__ = ["main", "run"]

WRONG_USE, FAULT, INTERRUPTED = 2, 3, 130

# The parser's own class for wrong use moved between versions of typer; its public child leads to it in all of them.
_ParserError: type[Exception] = typer.BadParameter.__bases__[0]

app = typer.Typer(
    name="soclab",
    cls=CommandTable,
    help="Evidence for how much authority an AI agent may have in a Security Operations Center.",
    epilog="`soclab COMMAND --help` says more. pytest users need none of this: see `pytest --help`, group soclab.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
)


@app.callback()
def _options(
    debug: Annotated[  # `main` looks at it before anything can go wrong
        bool, typer.Option("--debug", help="Show the whole traceback when the lab itself fails.")
    ] = False,
) -> None:
    """What stands before the command."""


def run() -> None:
    """The entry point of the installed command."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(main(sys.argv[1:], from_outside()))


def main(arguments: Sequence[str], outside: Doorway) -> int:
    """
    One command from its arguments to its exit status. Output goes to stdout, complaints to stderr, one line each.
    """
    asked = list(arguments) or ["--help"]
    try:
        status: Any = typer.main.get_command(app).main(
            args=asked, prog_name="soclab", standalone_mode=False, obj=outside
        )
    except UsageError as error:
        return _complain(str(error).replace("--soclab-list", "`soclab scenarios`").replace("--soclab-", "--"))
    except _ParserError as error:
        return _complain(_parser_words(error))
    except (KeyboardInterrupt, typer.Abort):
        typer.echo("soclab: interrupted", err=True)
        return INTERRUPTED
    except Exception as error:  # whatever it is: the user gets one line, never a traceback they did not ask for
        report_fault(error, outside.environment, whole="--debug" in asked)
        return FAULT
    if not arguments:
        return WRONG_USE
    return status if isinstance(status, int) else 0


def _complain(message: str) -> int:
    typer.echo(f"soclab: {clean(message)}", err=True)
    return WRONG_USE


def _parser_words(error: Exception) -> str:
    """What the parser says, and the page that helps."""
    said = str(error.format_message() if hasattr(error, "format_message") else error).replace("\n", " ")
    context = getattr(error, "ctx", None)
    page = getattr(context, "command_path", "soclab")
    return f"{said.rstrip('.')}. See `{page} --help`."


if __name__ == "__main__":
    run()
