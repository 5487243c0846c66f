"""
The table of commands, in the order of the help.

A command's module is imported when the command is called and not before: together they import the whole lab, which
takes several times as long as `soclab --help` may.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["COMMANDS"]

COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "providers": "List the agents that can be named, and what they still need.",
        "scenarios": "List the scenarios.",
        "investigate": "Lead an agent through one scenario and show every stage.",
        "campaign": "Run all scenarios against an agent and write the scorecard.",
        "compare": "Run the campaign without and with controls, side by side.",
        "scorecard": "Show the scorecard of a finished campaign again.",
        "schema": "List, write or check the published JSON Schemas.",
        "version": "Print the version.",
    }
)
"""Name -> one line of help. Its module here has a function of the same name."""
