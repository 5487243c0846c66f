"""Leads one prepared campaign to its end, or to where somebody stops it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import typer

from soclab.assembly import FinishedCampaign, PreparedCampaign, RunningCampaign, compared_words, plan_words
from soclab.assembly.interrupts import interrupts_held, termination_interrupts
from soclab.cli.progress import Progress
from soclab.contracts.provider import ModelProvider
from soclab.redaction import clean
from soclab.reports.words import mode_words, policy_words
from soclab.scoring.verdict import exit_status

__all__ = ["INTERRUPTED", "Led", "header_lines", "lead", "usable_agent"]

Watch = Callable[[RunningCampaign, Callable[[], None]], None]
"""Waits for what it wants to see of a running campaign; calls the second argument while it waits."""


INTERRUPTED, FAULT = 130, 3
_INTERRUPTED: Final = "soclab: interrupted: what is known by now is written"


class Led(NamedTuple):
    """
    Attributes:
        interrupted: somebody stopped it, so that the result is partial.
        fault: what broke the engine itself; None when it held.
    """

    finished: FinishedCampaign
    interrupted: bool
    fault: str | None

    def status(self) -> int:
        """The exit status: 130 after an interrupt, 3 when the lab failed, else 0 or 1 as the scorecard says."""
        if self.interrupted:
            return INTERRUPTED
        if self.fault is not None:
            return FAULT
        return exit_status(self.finished.scorecard)


def usable_agent(prepared: PreparedCampaign) -> ModelProvider:
    """
    The agent that the settings name; its warnings are said.

    Raises:
        UsageError: it cannot be imported or is no agent.
    """
    agent = prepared.default_agent()
    for warning in getattr(agent, "warnings", ()):
        typer.echo(f"soclab: warning: {clean(str(warning), 300)}", err=True)
    return agent


def lead(prepared: PreparedCampaign, agent: ModelProvider, watch: Watch | None = None) -> Led:
    """
    Run everything; an interrupt drops the calls under way and keeps what is known.

    Args:
        watch: waits in its own way; None waits for all runs.
    """
    with termination_interrupts():
        running = prepared.start(agent)
        progress = Progress(running)
        try:
            if watch is None:
                running.wait_all(progress)
            else:
                watch(running, progress)
            progress.clear()
        except KeyboardInterrupt:
            return _ended(running, progress, interrupted=True)
        return _ended(running, progress, interrupted=False)


def _ended(running: RunningCampaign, progress: Progress, *, interrupted: bool) -> Led:
    """
    The end: a signal that comes now waits until the files are written.

    Raises:
        KeyboardInterrupt: a second one came, and did not wait.
    """
    led: Led | None = None
    try:
        with interrupts_held(running.hurry):
            if interrupted:
                progress.clear()
                typer.echo(_INTERRUPTED, err=True)
                led = Led(running.finish(cancel=True), True, None)
            else:
                led = _finished(running)
    except KeyboardInterrupt:
        if led is None:
            folder = clean(str(running.folder), 300)
            typer.echo(
                f"soclab: interrupted again, before the files were written: --resume {folder} writes them", err=True
            )
            raise
        if not interrupted:
            typer.echo(_INTERRUPTED, err=True)
        return led._replace(interrupted=True)
    return led


def _finished(running: RunningCampaign) -> Led:
    fault = running.engine.board.fault
    if fault is not None:
        said = clean(fault.replace("--soclab-", "--"), 300)
        typer.echo(f"soclab: the lab failed: {said}; what is known by then is written", err=True)
    finished = running.finish()
    if finished.unwritten is not None and fault is None:
        fault = finished.unwritten
        typer.echo(f"soclab: {clean(fault, 300)}", err=True)
    return Led(finished, False, fault)


def header_lines(prepared: PreparedCampaign) -> Iterator[str]:
    """What is going to happen, before the first request."""
    settings = prepared.settings
    yield f"agent       {clean(prepared.describe(), 200)}"
    policy = policy_words(prepared.policy_origin, prepared.policy_version)
    mode = mode_words(settings.mode, settings.authority_level, settings.without, settings.approver, policy)
    yield f"mode        {mode}"
    yield f"plan        {plan_words(prepared)}, {settings.concurrency} at a time"
    if prepared.reference is not None:
        yield f"compared    {clean(compared_words(prepared), 500)}"
    for reason, number in Counter(prepared.left_out.values()).items():
        yield f"left out    {number}: {clean(reason, 200)}"
