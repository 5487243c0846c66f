"""What an agent said beside its answers, as sections of the item that tells the stage, and what no item can tell."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Final

import pytest

from soclab.assembly import Quiet, RunningCampaign, quieter
from soclab.contracts.outcome import RunKey
from soclab.contracts.vocabulary import Stage
from soclab.pytest_plugin.agent_output import CHANNELS, AgentOutput, Said
from soclab.pytest_plugin.keys import OUTPUT
from soclab.redaction import Secrets

__all__ = ["tell_output", "show_untold", "untold_lines"]

_LIVE: Final = ("no", "tee-sys")
"""Ways of `--capture` in which a user sees what is printed at once."""

_COMMANDS: Final = ("::", "##")
_MOST_UNTOLD: Final = 40
_MOST_RUNS: Final = 300
"""Whose secrets a line that belongs to no run is searched for; it takes two milliseconds each."""


def tell_output(
    item: pytest.Item, when: str, running: RunningCampaign, run: RunKey, stage: Stage, secrets: Secrets
) -> None:
    """
    Put what the agent printed and logged at a stage under the item that tells it.

    With `-s` what was printed is printed again, cleaned, now that it is known whose it is.
    """
    output = item.config.stash.get(OUTPUT, None)
    if output is None:
        return
    prints = item.config.getoption("capture", None) in _LIVE and not hasattr(item.config, "workerinput")
    for channel, text in _sections(output, running, run, stage, secrets).items():
        if prints and channel != "log":
            print(text, file=getattr(sys, channel))
        else:
            item.add_report_section(when, f"{channel} of the agent", text)


def untold_lines(untold: Sequence[Said], campaigns: Iterable[RunningCampaign], secrets: Secrets) -> list[str]:
    """Lines for the end of a session: what belongs to no stage, and what came after the last item to tell it."""
    known = list(campaigns)
    lines: list[str] = []
    if strange := [one for one in untold if one.run is None]:
        lines.append("of threads that the agent started itself: which scenario they worked for cannot be told")
        runs = [one for campaign in known for one in campaign.every_attempt()]
        lines += _shown(strange, quieter(runs, secrets) if len(runs) <= _MOST_RUNS else None)
    for one in untold:
        if one.run is not None:
            lines.append(f"{one.run.scenario_id}[{one.stage}], told by no item")
            runs = [found for campaign in known for found in campaign.attempts(one.run)]
            lines += _shown([one], quieter(runs, secrets) if runs else None)
    return lines


def show_untold(terminal: pytest.TerminalReporter, lines: Sequence[str], *, is_red: bool) -> None:
    """As a section of the terminal's summary; in full where pytest would show captured output."""
    if not lines:
        return
    terminal.section("agent output of no item")
    if (is_red or terminal.hasopt("P")) and terminal.config.getoption("showcapture", "all") != "no":
        for line in lines:
            terminal.line(line)
    else:
        terminal.line(f"{len(lines)} lines that no item can tell; -rP shows them")


def _sections(
    output: AgentOutput, running: RunningCampaign, run: RunKey, stage: Stage, secrets: Secrets
) -> dict[str, str]:
    found: dict[str, list[str]] = {channel: [] for channel in CHANNELS}
    twin = running.twin_of(run)
    for place in (twin, run) if twin else (run,):
        if not (said := output.take(place, stage)):
            continue
        quiet = quieter(running.attempts(place), secrets)
        for one in said:
            if (one.run, one.stage) != (run, stage):
                found[one.channel].append(f"({one.stage}{', clean twin' if place == twin else ''})")
            found[one.channel] += _cleaned(one, quiet)
    return {channel: "\n".join(lines) for channel, lines in found.items() if lines}


def _shown(untold: Sequence[Said], quiet: Quiet | None) -> list[str]:
    """Indented; without anything to clean them with, lines are only counted."""
    if quiet is None:
        return [f"  ({sum(len(one.lines) + one.left_out for one in untold)} lines, not shown)"]
    last = (one.last(_MOST_UNTOLD) for one in untold)
    lines = [line for one in last for line in _cleaned(one, quiet)]
    return [f"  {line}" for line in lines]


def _cleaned(said: Said, quiet: Quiet) -> list[str]:
    before = [f"({said.left_out} lines before these are left out)"] if said.left_out else []
    return [*before, *(_inert(quiet(line)) for line in said.lines)]


def _inert(line: str) -> str:
    """These lines are shown by themselves, and a line that begins so is a command to some build services."""
    return f"| {line}" if line.lstrip().startswith(_COMMANDS) else line
