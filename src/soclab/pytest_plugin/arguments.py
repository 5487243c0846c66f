"""
The arguments `soclab`, `soclab::ID` and `soclab::ID[stage]`: they name the campaign, not files.

Imported by every pytest session of an installation: pytest and the standard library only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

__all__ = ["NODE", "Named", "campaign_arguments", "names_campaign", "others", "parse"]

NODE: Final = "soclab"
"""The id of the campaign's node, and what a user types for it."""

_SHAPE: Final = re.compile(rf"{NODE}::(?P<scenario>[^\[:]+)(?:\[(?P<stage>[^\]]+)\])?")


@dataclass(frozen=True)
class Named:
    """A scenario, or one stage of it, that an argument names."""

    scenario: str
    stage: str | None


def is_campaign_argument(config: pytest.Config, argument: str) -> bool:
    """Whether an argument means the campaign: `soclab::...` always, `soclab` unless a file or folder has that name."""
    if argument.startswith(f"{NODE}::"):
        return True
    if argument != NODE or config.getoption("pyargs"):
        return False
    return not (config.invocation_params.dir / NODE).exists()


def campaign_arguments(config: pytest.Config) -> list[str]:
    """The arguments that mean the campaign, as typed."""
    return [one for one in config.args if is_campaign_argument(config, one)]


def others(config: pytest.Config) -> list[str]:
    """The arguments that are pytest's."""
    return [one for one in config.args if not is_campaign_argument(config, one)]


def names_campaign(config: pytest.Config) -> bool:
    """
    Whether the campaign's items are wanted: it is named, or nothing is, or a whole folder that pytest started in.

    `pytest tests/test_x.py` wants that file only.
    """
    if config.args_source is not pytest.Config.ArgsSource.ARGS or campaign_arguments(config):
        return True
    here = config.invocation_params.dir
    homes = {config.rootpath.resolve(), here.resolve()}
    return any(Path(here, one).resolve() in homes for one in config.args)


def parse(arguments: Iterable[str], whole: Iterable[str] = ()) -> tuple[Named, ...]:
    """
    What the arguments select; () is everything.

    Args:
        whole: names that stand for the whole campaign, such as the gate's.

    Raises:
        ValueError: an argument has no such form; its text is the argument.
    """
    found: list[Named] = []
    for one in arguments:
        if one == NODE or one in {f"{NODE}::{name}" for name in whole}:
            return ()
        match = _SHAPE.fullmatch(one)
        if match is None:
            raise ValueError(one)
        found.append(Named(match["scenario"], match["stage"]))
    return tuple(found)
