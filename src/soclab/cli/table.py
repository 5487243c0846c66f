"""Commands that are imported when they are called (see `commands/__init__.py`)."""

from __future__ import annotations

import importlib
from typing import Any

import typer
from typer.core import TyperGroup

from soclab.cli.commands import COMMANDS
from soclab.errors import UnknownNameError
from soclab.redaction import clean

__all__ = ["CommandTable"]


class CommandTable(TyperGroup):
    """A group whose commands are the table's."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002  # the base class's signature
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002  # the base class's signature
        """
        Raises:
            UnknownNameError: no such command.
        """
        if cmd_name not in COMMANDS:
            raise UnknownNameError("command", clean(cmd_name, 80), COMMANDS)
        function = getattr(importlib.import_module(f"soclab.cli.commands.{cmd_name}"), cmd_name)
        single = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)
        single.command(cmd_name, help=COMMANDS[cmd_name] if function.__doc__ is None else None)(function)
        return typer.main.get_command(single)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  # the base class's signature
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))
