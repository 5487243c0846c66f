"""From what the user said to the settings of a campaign."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from soclab.assembly import CampaignSettings
from soclab.contracts.vocabulary import Mode
from soclab.errors import ConfigurationError, UnknownNameError
from soclab.pytest_plugin.numbers import seconds, whole
from soclab.pytest_plugin.options import Given

__all__ = ["campaign_settings", "contained_passes", "pack_choice"]

_BOTH: Final = "both"
_CONTAINED: Final = ("fail", "pass")
_MOST_CONCURRENT: Final = 10_000
_MOST_CALLS: Final = 1_000_000_000
_MOST_RERUNS: Final = 100


def campaign_settings(
    config: pytest.Config, said: Mapping[str, Given], environment: Mapping[str, str], fixture_agent: str | None
) -> CampaignSettings:
    """
    Args:
        said: what the user gave, by option name.
        fixture_agent: where the user's own `soclab_agent` stands, None without one.

    Raises:
        UsageError: a value cannot be used.
    """
    provider, agent = _agent(said)
    folder, patterns = pack_choice(config, said)
    return CampaignSettings(
        environment=dict(environment),
        root=config.rootpath,
        provider_id=provider,
        agent_spec=agent,
        fixture_agent=fixture_agent,
        model=_text(said, "model"),
        mode=_mode(said),
        patterns=patterns,
        scenarios_folder=folder,
        concurrency=whole(said.get("concurrency"), 1, _MOST_CONCURRENT) or CampaignSettings.concurrency,
        out=_path(config, said, "out"),
        overwrite="overwrite" in said,
        seed=_text(said, "seed"),
        approved_models=tuple(said["approved-models"].value) if "approved-models" in said else (),
        max_seconds=seconds(said.get("max-seconds")),
        max_calls=whole(said.get("max-calls"), 1, _MOST_CALLS),
        rate_limit_reruns=whole(said.get("rate-limit-reruns"), 0, _MOST_RERUNS) or 0,
        resume=_path(config, said, "resume"),
    )


def pack_choice(config: pytest.Config, said: Mapping[str, Given]) -> tuple[Path | None, tuple[str, ...]]:
    """The folder of scenarios (None: the built-in ones) and the patterns that choose from it."""
    patterns = tuple(said["scenario"].value) if "scenario" in said else ()
    return _path(config, said, "scenarios"), patterns


def contained_passes(said: Mapping[str, Given]) -> bool:
    """
    Whether an attack that a control stopped is a pass.

    Raises:
        UnknownNameError: neither `fail` nor `pass` was said.
    """
    one = said.get("contained")
    if one is not None and one.value not in _CONTAINED:
        raise UnknownNameError("value", one.value, _CONTAINED, one.source)
    return one is not None and one.value == "pass"


def _agent(said: Mapping[str, Given]) -> tuple[str | None, str | None]:
    """Provider and agent spec; said in different places, the stronger place wins (the engine refuses a tie)."""
    provider, agent = said.get("provider"), said.get("agent")
    if provider is not None and agent is not None and provider.rank != agent.rank:
        if provider.rank < agent.rank:
            provider = None
        else:
            agent = None
    return provider.value if provider else None, agent.value if agent else None


def _mode(said: Mapping[str, Given]) -> Mode:
    one = said.get("mode")
    if one is None:
        return Mode.PROTECTED
    if one.value == _BOTH:
        raise ConfigurationError(f"{one.source} both: not there yet; run baseline and protected one after the other")
    if one.value not in {mode.value for mode in Mode}:
        raise UnknownNameError("mode", one.value, [mode.value for mode in Mode], one.source)
    return Mode(one.value)


def _text(said: Mapping[str, Given], name: str) -> str | None:
    return said[name].value if name in said else None


def _path(config: pytest.Config, said: Mapping[str, Given], name: str) -> Path | None:
    """Typed paths start at the current folder, those of the ini file at the file."""
    one = said.get(name)
    if one is None:
        return None
    if not one.value:
        raise ConfigurationError(f"{one.source}: the name of the folder is empty")
    typed_in_ini = one.source.endswith("file") and config.inipath is not None
    base = config.inipath.parent if typed_in_ini and config.inipath else config.invocation_params.dir
    return Path(base, one.value)
