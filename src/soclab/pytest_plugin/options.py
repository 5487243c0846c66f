"""
The options of the plugin and where their values come from: command line, then environment, then ini file.

Imported by every pytest session of an installation: pytest and the standard library only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

import pytest

__all__ = ["OPTIONS", "Given", "Option", "add_options", "given"]

_INI, _ENVIRONMENT, _COMMAND_LINE = range(3)


class Option:
    """
    One option and its twins. (A plain class: making a dataclass would cost every session half a millisecond.)

    Attributes:
        name: `x-y` makes `--soclab-x-y`, `soclab_x_y` (ini) and `SOCLAB_X_Y` (environment).
        twins: whether the ini file and the environment may say it too.
        only_ini: there is no command line option.
    """

    def __init__(
        self,
        name: str,
        help: str,  # noqa: A002  # argparse's word for it
        metavar: str | None = None,
        *,
        kind: Literal["text", "list", "flag"] = "text",
        twins: bool = True,
        only_ini: bool = False,
    ) -> None:
        self.name = name
        self.help = help
        self.metavar = metavar
        self.kind = kind
        self.twins = twins
        self.only_ini = only_ini

    @property
    def flag(self) -> str:
        return f"--soclab-{self.name}"

    @property
    def key(self) -> str:
        return f"soclab_{self.name.replace('-', '_')}"

    @property
    def variable(self) -> str:
        return self.key.upper()


OPTIONS: Final = (
    Option("provider", "run the campaign against this agent: http, reference, gullible, scripted ...", "ID"),
    Option(
        "agent", "run the campaign against a Python agent: a provider, ASGI app, callable or factory", "PKG.MOD:NAME"
    ),
    Option("model", "label of the agent's model (default: what a Python provider states, else agent)", "LABEL"),
    Option("mode", "protected: the lab's controls stand between agent and SOC (default); baseline: none; both", "MODE"),
    Option("authority", "authority level under test, L1 to L5 (default: L4)", "LEVEL"),
    Option("without", "switch this control of protected mode off; may be given again", "CONTROL", kind="list"),
    Option("approver", "who answers when a change waits for people (default: none, so that it waits)", "WHO"),
    Option("policy", "the Cedar policies of this folder instead of those that ship", "DIR"),
    Option("scenario", "only this scenario, an id or a glob; may be given again", "ID", kind="list"),
    Option("scenarios", "take the scenarios of this folder instead of the built-in ones", "DIR"),
    Option("trials", "how often each scenario is run, each time as a run of its own (default: 1)", "K"),
    Option("twins", "each attack once more without its hostile text: on (default for all there is) or off", "on|off"),
    Option("concurrency", "scenarios that run at the same time (default: 4); 1 is one after the other", "N"),
    Option("contained", "an attack that a control had to stop: fail (default) or pass", "fail|pass"),
    Option("verdict", "what decides: items and gates (default: items), or gates alone", "items|gates"),
    Option(
        "max-attack-success",
        "attacks that may take effect, 0.1 or 10%%; upper:0.1 bounds the upper 95%% bound; gates decide then",
        "SHARE",
    ),
    Option("max-inconclusive", "runs that may end without a verdict (default: 2%%); gates decide then", "SHARE"),
    Option("max-false-block", "clean runs whose honest action may be blocked; gates decide then", "SHARE"),
    Option("min-exposure", "attacked runs in which the agent must see the hostile text (default: 80%%)", "SHARE"),
    Option("pass-k", "trials of each scenario that must be good, at most K of --soclab-trials", "N"),
    Option("min-score", "composite that the campaign must reach, 0.8 or 80%%", "SHARE"),
    Option("require-level", "authority level that must be recommended, L1 to L5", "LEVEL"),
    Option("compare", "compare with an earlier campaign: its folder, or last, the newest finished one", "DIR|last"),
    Option("no-regression", "nothing may be significantly worse than in the campaign of --soclab-compare", kind="flag"),
    Option("profile", "weigh and judge by this scoring profile, not by the lab's own", "FILE"),
    Option("out", "folder of the results (default: .soclab/runs/<time>-<id>)", "DIR"),
    Option("overwrite", "keep a campaign that stands in the folder as DIR.previous", kind="flag", twins=False),
    Option("seed", "the same seed gives the same ids, canaries and order", "TEXT"),
    Option(
        "resume",
        "go on with the stopped campaign in this folder; finished runs are not called",
        "DIR",
        twins=False,
    ),
    Option("max-seconds", "no call goes out after this time; what is left is 'not run' (default: no limit)", "N"),
    Option("max-calls", "calls the agent gets at most; what is left is 'not run' (default: no limit)", "N"),
    Option("call-seconds", "what the agent may take for one answer (default: 30)", "N"),
    Option("rate-limit-reruns", "how often a run that a rate limit ended is tried anew (default: 0)", "N"),
    Option("list", "list the scenarios and exit", kind="flag", twins=False),
    Option("init", "copy a template (conftest, agent, first test) into this folder and exit", "NAME", twins=False),
    Option("approved-models", "model labels the agent may report, as globs", kind="list", only_ini=True),
)


class Given:
    """
    Attributes:
        value: text, a list of texts, or True.
        source: where it was found, in the words of an error message.
        rank: of the source; the higher one wins.
    """

    def __init__(self, value: Any, source: str, rank: int) -> None:
        self.value = value
        self.source = source
        self.rank = rank

    @property
    def is_typed(self) -> bool:
        """Whether it stands on the command line (or in `addopts`)."""
        return self.rank == _COMMAND_LINE


def add_options(parser: pytest.Parser) -> None:
    """Declare every option and its ini twin."""
    group = parser.getgroup("soclab", "soclab: security evidence for SOC agents")
    actions = {"text": "store", "list": "append", "flag": "store_true"}
    without_name = {"nargs": "?", "const": ""}  # `--soclab-init` alone is answered with the names
    for one in OPTIONS:
        if not one.only_ini:
            extra = {} if one.kind == "flag" else {"metavar": one.metavar}
            extra |= without_name if one.name == "init" else {}
            group.addoption(one.flag, dest=one.key, action=actions[one.kind], default=None, help=one.help, **extra)
        if one.twins:
            kind: Literal["args", "string"] = "args" if one.kind == "list" else "string"
            parser.addini(one.key, one.help, type=kind, default=None)


def given(config: pytest.Config, environment: Mapping[str, str]) -> dict[str, Given]:
    """
    What the user said, by option name; options that nobody spoke of are missing.

    An empty variable or ini value counts as not said; an empty text on the command line is a value.
    """
    found = ((one.name, _find(one, config, environment)) for one in OPTIONS)
    return {name: value for name, value in found if value is not None}


def _find(one: Option, config: pytest.Config, environment: Mapping[str, str]) -> Given | None:
    typed = None if one.only_ini else config.getoption(one.key)
    if typed is not None:
        return Given(typed, one.flag, _COMMAND_LINE)
    if not one.twins:
        return None
    spoken = "" if one.only_ini else environment.get(one.variable, "").strip()
    if spoken:
        value = spoken.replace(",", " ").split() if one.kind == "list" else spoken
        return Given(value, one.variable, _ENVIRONMENT)
    written = config.getini(one.key)
    return Given(written, f"{one.key} in the ini file", _INI) if written else None
