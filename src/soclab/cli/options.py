"""The options that several commands share. `--X` here is `--soclab-X` in pytest, with the same meaning."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from soclab.assembly import MOST_TRIALS, approver_of, authority_level_of, judging_of, switched_off, twins_of
from soclab.contracts.approval import Approver
from soclab.contracts.campaign import Judging
from soclab.contracts.vocabulary import AuthorityLevel, Mode
from soclab.errors import ConfigurationError, UnknownNameError

__all__ = [
    "Agent",
    "ApprovedModel",
    "ApproverName",
    "Authority",
    "CallSeconds",
    "Compare",
    "Concurrency",
    "Contained",
    "MaxAttackSuccess",
    "MaxCalls",
    "MaxFalseBlock",
    "MaxInconclusive",
    "MaxSeconds",
    "MinExposure",
    "PassK",
    "Trials",
    "MinScore",
    "TwinsWanted",
    "twins_wanted",
    "Model",
    "NoRegression",
    "ModeName",
    "Out",
    "Overwrite",
    "Policy",
    "Profile",
    "Provider",
    "RateLimitReruns",
    "RequireLevel",
    "Resume",
    "ScenarioPatterns",
    "ScenariosFolder",
    "Seed",
    "Verdict",
    "Without",
    "approver_named",
    "compared_with",
    "file_of",
    "folder_of",
    "judging",
    "level_of",
    "mode_of",
    "off",
]


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
Authority = Annotated[
    str, typer.Option("--authority", metavar="LEVEL", help="Authority level under test, L1 to L5.", show_default=True)
]
Without = Annotated[
    list[str] | None,
    typer.Option("--without", metavar="CONTROL", help="Switch this control of protected mode off; may be given again."),
]
ApproverName = Annotated[
    str,
    typer.Option(
        "--approver",
        metavar="WHO",
        help="Who answers when a change waits for people: none, scripted, allow or deny.",
        show_default=True,
    ),
]
Policy = Annotated[
    str | None,
    typer.Option("--policy", metavar="DIR", help="The Cedar policies of this folder, not those that ship."),
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
    str | None,
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
CallSeconds = Annotated[
    float | None, typer.Option("--call-seconds", metavar="N", help="What the agent may take for one answer. [30]")
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

Verdict = Annotated[
    str | None,
    typer.Option("--verdict", metavar="items|gates", help="Whether red runs and gates decide, or gates alone. [items]"),
]
MaxAttackSuccess = Annotated[
    str | None,
    typer.Option(
        "--max-attack-success",
        metavar="SHARE",
        help="Attacks that may take effect, 0.1; upper:0.1 bounds the 95% bound.",
    ),
]
MaxInconclusive = Annotated[
    str | None,
    typer.Option("--max-inconclusive", metavar="SHARE", help="Runs that may end without a verdict. [2%]"),
]
MaxFalseBlock = Annotated[
    str | None,
    typer.Option("--max-false-block", metavar="SHARE", help="Clean runs whose honest action may be blocked."),
]
MinExposure = Annotated[
    str | None,
    typer.Option("--min-exposure", metavar="SHARE", help="Attacked runs in which the agent must see the text. [80%]"),
]
PassK = Annotated[
    str | None,
    typer.Option("--pass-k", metavar="N", help="Trials of each scenario that must be good, at most those of --trials."),
]
Compare = Annotated[
    str | None,
    typer.Option(
        "--compare",
        metavar="DIR|last",
        help="Compare with an earlier campaign: its folder, or the newest finished.",
    ),
]
NoRegression = Annotated[
    bool, typer.Option("--no-regression", help="Nothing may be significantly worse than in the campaign of --compare.")
]
Trials = Annotated[
    int | None,
    typer.Option("--trials", metavar="K", min=1, max=MOST_TRIALS, help="How often each scenario is run. [1]"),
]
MinScore = Annotated[
    str | None,
    typer.Option("--min-score", metavar="SHARE", help="Composite that the campaign must reach, 0.8 or 80%."),
]
RequireLevel = Annotated[
    str | None,
    typer.Option("--require-level", metavar="LEVEL", help="Authority level that must be recommended, L1 to L5."),
]
Profile = Annotated[
    str | None,
    typer.Option("--profile", metavar="FILE", help="Weigh and judge by this scoring profile, not by the lab's own."),
]
TwinsWanted = Annotated[
    str | None,
    typer.Option("--twins", metavar="on|off", help="Each attack once more without its hostile text. [on for all]"),
]


def twins_wanted(text: str | None) -> bool | None:
    """
    Raises:
        UnknownNameError: it is neither "on" nor "off".
    """
    return None if text is None else twins_of(text, "--twins")


def mode_of(name: str) -> Mode:
    """
    Raises:
        UnknownNameError: no such mode.
    """
    allowed = [mode.value for mode in Mode]
    if name not in allowed:
        raise UnknownNameError("mode", name, allowed, "--mode")
    return Mode(name)


def level_of(text: str) -> AuthorityLevel:
    """
    Raises:
        UnknownNameError: no such level.
    """
    return authority_level_of(text, "--authority")


def approver_named(text: str) -> Approver:
    """
    Raises:
        UnknownNameError: there is no such one.
    """
    return approver_of(text, "--approver")


def off(names: list[str] | None) -> tuple[str, ...]:
    """
    The controls that `--without` names.

    Raises:
        UnknownNameError: no such control.
    """
    return switched_off(names or (), "--without")


def judging(**said: str | None) -> Judging:
    """
    Args:
        said: texts of the options of `JUDGING_OPTIONS`, with `_` for `-`; None is not said.

    Raises:
        UsageError: a text cannot be used.
    """
    named = {name.replace("_", "-"): text for name, text in said.items() if text is not None}
    return judging_of({name: (text, f"--{name}") for name, text in named.items()})


def compared_with(text: str | None) -> Path | Literal["last"] | None:
    """
    Raises:
        ConfigurationError: the name is empty.
    """
    return "last" if text == "last" else folder_of(text, "--compare")


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


def file_of(text: str | None, option: str) -> Path | None:
    """
    Raises:
        ConfigurationError: the name is empty.
    """
    if text is None:
        return None
    if not text:
        raise ConfigurationError(f"{option}: the name of the file is empty")
    return Path(text)
