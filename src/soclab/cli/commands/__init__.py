"""
The table of commands, in the order of the help.

A command's module is imported when the command is called and not before: together they import the whole lab, which
takes several times as long as `soclab --help` may.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what the names below lead to, for readers and tools
    from soclab.cli.commands import campaign as campaign
    from soclab.cli.commands import compare as compare
    from soclab.cli.commands import guard as guard
    from soclab.cli.commands import investigate as investigate
    from soclab.cli.commands import providers as providers
    from soclab.cli.commands import scenarios as scenarios
    from soclab.cli.commands import schema as schema
    from soclab.cli.commands import scorecard as scorecard
    from soclab.cli.commands import selfcheck as selfcheck
    from soclab.cli.commands import verify as verify
    from soclab.cli.commands import version as version

__all__ = ["COMMANDS"]

COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "providers": "List the agents that can be named, and what they still need.",
        "scenarios": "List the scenarios.",
        "investigate": "Lead an agent through one scenario and show every stage.",
        "campaign": "Run all scenarios against an agent and write the scorecard.",
        "compare": "Run without and with controls, or compare two releases.",
        "guard": "Force replies on the controls: each must be stopped.",
        "scorecard": "Show the scorecard of a finished campaign again.",
        "verify": "Check that a campaign's files are what was written.",
        "schema": "List, write or check the published JSON Schemas.",
        "selfcheck": "Measure agents with planted behaviour: is it counted?",
        "version": "Print the version.",
    }
)
"""Name -> one line of help. Its module here has a function of the same name."""
