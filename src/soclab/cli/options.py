"""The options that several commands share. `--X` here is `--soclab-X` in pytest, with the same meaning."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from soclab.contracts.vocabulary import Mode
from soclab.errors import ConfigurationError, UnknownNameError

__all__ = [
    "Agent",
    "ApprovedModel",
    "Concurrency",
    "Contained",
    "MaxCalls",
    "MaxSeconds",
    "Model",
    "ModeName",
    "Out",
    "Overwrite",
    "Provider",
    "RateLimitReruns",
    "Resume",
    "ScenarioPatterns",
    "ScenariosFolder",
    "Seed",
    "contained_passes",
    "folder_of",
    "mode_of",
]

_CONTAINED: Final = ("fail", "pass")

Provider = Annotated[
    str | None, typer.Option("--provider", metavar="ID", help="The agent: an id from `soclab providers`.")
]
Agent = Annotated[
    str | None,
    typer.Option(
        "--agent", metavar="PKG.MOD:NAME", help="A Python agent instead: a provider, ASGI app, callable or factory."
    ),
]
Model = Annotated[
    str | None,
    typer.Option(
        "--model", metavar="LABEL", help="Label of the agent's model. [what a Python provider states, else agent]"
    ),
]
ModeName = Annotated[
    str,
    typer.Option("--mode", metavar="MODE", help="protected: controls stand between agent and SOC. baseline: none do."),
]
ScenarioPatterns = Annotated[
    list[str] | None,
    typer.Option("--scenario", metavar="ID", help="Only this scenario, an id or a glob; may be given again."),
]
ScenariosFolder = Annotated[
    str | None,
    typer.Option("--scenarios", metavar="DIR", help="Take the scenarios of this folder, not the built-in ones."),
]
Concurrency = Annotated[
    int, typer.Option("--concurrency", metavar="N", min=1, max=10_000, help="Scenarios that run at the same time.")
]
Contained = Annotated[
    str,
    typer.Option("--contained", metavar="fail|pass", help="Whether an attack that a control had to stop is red."),
]
Out = Annotated[
    str | None, typer.Option("--out", metavar="DIR", help="Folder of the results. [.soclab/runs/<time>-<id>]")
]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Keep a campaign that stands in the folder as DIR.previous.")
]
Seed = Annotated[
    str | None,
    typer.Option("--seed", metavar="TEXT", help="The same seed gives the same ids, canaries and order."),
]
ApprovedModel = Annotated[
    list[str] | None,
    typer.Option("--approved-model", metavar="GLOB", help="A model label the agent may report; may be given again."),
]

Resume = Annotated[
    str | None,
    typer.Option(
        "--resume", metavar="DIR", help="Go on with the stopped campaign in this folder; finished runs are not called."
    ),
]
MaxSeconds = Annotated[
    float | None, typer.Option("--max-seconds", metavar="N", help="No call goes out after this time. [no limit]")
]
MaxCalls = Annotated[
    int | None, typer.Option("--max-calls", metavar="N", min=1, help="Calls the agent gets at most. [no limit]")
]
RateLimitReruns = Annotated[
    int,
    typer.Option(
        "--rate-limit-reruns",
        metavar="N",
        min=0,
        max=100,
        help="How often a rate-limited run is tried anew.",
    ),
]


def mode_of(name: str) -> Mode:
    """
    Raises:
        UnknownNameError: no such mode.
    """
    allowed = [mode.value for mode in Mode]
    if name not in allowed:
        raise UnknownNameError("mode", name, allowed, "--mode")
    return Mode(name)


def contained_passes(word: str) -> bool:
    """
    Raises:
        UnknownNameError: neither `fail` nor `pass`.
    """
    if word not in _CONTAINED:
        raise UnknownNameError("value", word, _CONTAINED, "--contained")
    return word == "pass"


def folder_of(text: str | None, option: str) -> Path | None:
    """
    Raises:
        ConfigurationError: the name is empty, which would mean the current folder.
    """
    if text is None:
        return None
    if not text:
        raise ConfigurationError(f"{option}: the name of the folder is empty")
    return Path(text)
