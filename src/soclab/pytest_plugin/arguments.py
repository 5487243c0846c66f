"""
The arguments `soclab`, `soclab::ID` and `soclab::ID[stage]`: they name the campaign, not files.

Imported by every pytest session of an installation: pytest and the standard library only.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

__all__ = ["NODE", "campaign_arguments", "names_campaign", "others"]

NODE: Final = "soclab"
"""The id of the campaign's node, and what a user types for it."""


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
