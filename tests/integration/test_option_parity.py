"""`--X` of `soclab campaign` is `--soclab-X` of pytest: one list of options, two spellings."""

from __future__ import annotations

import typer

from soclab.cli.main import app
from soclab.pytest_plugin.options import OPTIONS

ONLY_PYTEST = {
    "list": "`soclab scenarios list`",
    "init": "nothing: templates are for pytest",
}
"""Option -> what the command line has in its place."""

OTHER_NAME = {"approved-models": "approved-model"}


def options_of(command: str) -> set[str]:
    group = typer.main.get_command(app)
    context = typer.Context(group)
    found = group.get_command(context, command)  # type: ignore[attr-defined]
    names = {name for one in found.params for name in one.opts if name.startswith("--")}
    return {name.removeprefix("--") for name in names} - {"help"}


def test_every_option_of_the_plugin_is_one_of_the_command_line() -> None:
    """Who knows one front door knows the other."""
    ours = {OTHER_NAME.get(one.name, one.name) for one in OPTIONS} - set(ONLY_PYTEST)
    assert options_of("campaign") == ours
