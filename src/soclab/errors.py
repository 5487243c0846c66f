"""
The one tree of errors. The branch says who must act.

    SoclabError
    ├── UsageError            the person who typed the command or wrote the file
    │   ├── ConfigurationError    environment variable, option
    │   ├── UnknownNameError      provider, mode, scenario, agent, control ... with the allowed names
    │   ├── ScenarioFileError     a scenario or world file, with file and key
    │   ├── OutputFolderError     the folder of a campaign
    │   └── PolicyError           a policy folder or a policy server
    ├── ProviderError         the agent's owner (raised inside adapters only)
    │   ├── MalformedResponseError
    │   └── CapabilityUnsupportedError
    ├── RefusedError          whoever decides or executes: the control plane says no, with a code
    └── LabFault              us: a defect or a broken part of the lab

Every message is one line: what is wrong, where, what to do next. Front doors print it as it is.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = [
    "CapabilityUnsupportedError",
    "ConfigurationError",
    "LabFault",
    "MalformedResponseError",
    "OutputFolderError",
    "PolicyError",
    "ProviderError",
    "RefusedError",
    "ScenarioFileError",
    "SoclabError",
    "UnknownNameError",
    "UsageError",
]

_MOST_LISTED = 12


class SoclabError(Exception):
    """Base of everything soclab raises on purpose."""


class UsageError(SoclabError):
    """Wrong use, found before the first request: status 4 in pytest, 2 on the command line."""


class ConfigurationError(UsageError):
    """An environment variable or an option holds a value that cannot be used. Never shows a secret."""


class UnknownNameError(UsageError):
    """
    A name that no table knows: the nearest one there is, whatever its case, and what is allowed.

    Args:
        what: the kind of thing, singular: `provider`.
        where: what the name was looked for in, or which option held it.
        see: what lists the allowed names; for a long list, which is then only counted.
    """

    def __init__(self, what: str, name: str, allowed: Iterable[str], where: str = "", see: str = "") -> None:
        known = list(allowed)
        spelled = {one.casefold(): one for one in reversed(known)}
        close = difflib.get_close_matches(name.casefold(), spelled, n=1, cutoff=0.5)
        hint = f"; did you mean {spelled[close[0]]!r}?" if close else "."
        place = f" ({where})" if where else ""
        super().__init__(f"unknown {what} {name!a}{place}{hint} Allowed: {_listed(what, known, see)}.")


def _listed(what: str, known: list[str], see: str) -> str:
    if len(known) <= _MOST_LISTED:
        return ", ".join(known) or "none"
    return (
        f"{len(known)} {what}s; see {see}"
        if see
        else f"{', '.join(known[:_MOST_LISTED])} and {len(known) - _MOST_LISTED} more"
    )


class ScenarioFileError(UsageError):
    """A scenario or world file that cannot be used; names the file and the key."""


class OutputFolderError(UsageError):
    """The output folder cannot be written, or holds another campaign."""


class PolicyError(UsageError):
    """Policies that cannot be loaded, or a policy server that cannot be asked; names the file and line, or the URL."""


class ProviderError(SoclabError):
    """An adapter could not get a usable answer from its agent."""


class MalformedResponseError(ProviderError):
    """The agent answered something that is not a `soclab.agent.v1` reply."""


class CapabilityUnsupportedError(ProviderError):
    """The adapter was asked for something that its agent cannot do."""


class RefusedError(SoclabError):
    """
    The control plane refused an approval, a grant or an execution; nothing was changed.

    Attributes:
        code: what was wrong, as records spell it: `grant_reused`.
    """

    def __init__(self, code: str, words: str) -> None:
        super().__init__(f"{code}: {words}")
        self.code = code


class LabFault(SoclabError):
    """The lab itself failed; the run it happened in is inconclusive, never resisted."""
