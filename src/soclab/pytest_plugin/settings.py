"""From what the user said to the settings of a campaign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal

import pytest

from soclab.assembly import (
    JUDGING_OPTIONS,
    MOST_TRIALS,
    CampaignSettings,
    approver_of,
    authority_level_of,
    judging_of,
    switched_off,
    twins_of,
    with_mode,
)
from soclab.contracts.approval import Approver
from soclab.contracts.campaign import Judging
from soclab.contracts.vocabulary import AuthorityLevel, Mode
from soclab.engine.folder import holds_campaign
from soclab.errors import ConfigurationError, UnknownNameError
from soclab.pytest_plugin.numbers import seconds, whole
from soclab.pytest_plugin.options import Given

__all__ = ["campaign_settings", "modes_of", "pack_choice", "settings_of_modes"]

_BOTH: Final = "both"
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
        mode=modes_of(said)[-1],
        authority_level=_level(said),
        without=_without(said),
        policy_folder=_path(config, said, "policy"),
        approver=_approver(said),
        patterns=patterns,
        scenarios_folder=folder,
        concurrency=whole(said.get("concurrency"), 1, _MOST_CONCURRENT) or CampaignSettings.concurrency,
        out=_path(config, said, "out"),
        overwrite="overwrite" in said,
        seed=_text(said, "seed"),
        approved_models=tuple(said["approved-models"].value) if "approved-models" in said else (),
        judging=_judging(said),
        profile=_path(config, said, "profile"),
        max_seconds=seconds(said.get("max-seconds")),
        max_calls=whole(said.get("max-calls"), 1, _MOST_CALLS),
        call_seconds=seconds(said.get("call-seconds")),
        rate_limit_reruns=whole(said.get("rate-limit-reruns"), 0, _MOST_RERUNS) or 0,
        twins=twins_of(said["twins"].value, said["twins"].source) if "twins" in said else None,
        trials=whole(said.get("trials"), 1, MOST_TRIALS),
        compare=_compared(config, said),
        resume=_path(config, said, "resume"),
    )


def pack_choice(config: pytest.Config, said: Mapping[str, Given]) -> tuple[Path | None, tuple[str, ...]]:
    """The folder of scenarios (None: the built-in ones) and the patterns that choose from it."""
    patterns = tuple(said["scenario"].value) if "scenario" in said else ()
    return _path(config, said, "scenarios"), patterns


def modes_of(said: Mapping[str, Given]) -> tuple[Mode, ...]:
    """
    The modes to run, in order.

    Raises:
        UnknownNameError: no such mode.
    """
    one = said.get("mode")
    if one is None:
        return (Mode.PROTECTED,)
    if one.value == _BOTH:
        return tuple(Mode)
    if one.value not in {mode.value for mode in Mode}:
        raise UnknownNameError("mode", one.value, [*(mode.value for mode in Mode), _BOTH], one.source)
    return (Mode(one.value),)


def settings_of_modes(
    settings: CampaignSettings, modes: Sequence[Mode], folder_name: str
) -> dict[str, CampaignSettings]:
    """
    Level of the items -> settings of their campaign; one mode has no level and is the settings as they are.

    Args:
        folder_name: of the folder in the default place, below which each mode has its own.
    """
    if len(modes) == 1:
        return {"": settings}
    return {mode.value: _of_mode(settings, mode, folder_name) for mode in modes}


def _of_mode(settings: CampaignSettings, mode: Mode, folder_name: str) -> CampaignSettings:
    name = mode.value
    resumed = None if settings.resume is None else settings.resume / name
    out = None if settings.out is None else settings.out / name
    if resumed is not None and settings.out is None and not holds_campaign(resumed) and _holds_some(settings.resume):
        return replace(with_mode(settings, mode, resumed), resume=None)  # it was stopped before this mode had begun
    return replace(with_mode(settings, mode, out), resume=resumed, folder_name=f"{folder_name}/{name}")


def _holds_some(folder: Path | None) -> bool:
    return folder is not None and any(holds_campaign(folder / mode.value) for mode in Mode)


def _judging(said: Mapping[str, Given]) -> Judging:
    return judging_of({name: (_words(said[name].value), said[name].source) for name in JUDGING_OPTIONS if name in said})


def _words(value: Any) -> str:
    """A flag of the command line says what its twins say in a word."""
    return "on" if value is True else str(value)


def _compared(config: pytest.Config, said: Mapping[str, Given]) -> Path | Literal["last"] | None:
    one = said.get("compare")
    return "last" if one is not None and one.value == "last" else _path(config, said, "compare")


def _level(said: Mapping[str, Given]) -> AuthorityLevel:
    one = said.get("authority")
    return CampaignSettings.authority_level if one is None else authority_level_of(one.value, one.source)


def _approver(said: Mapping[str, Given]) -> Approver:
    one = said.get("approver")
    return CampaignSettings.approver if one is None else approver_of(one.value, one.source)


def _without(said: Mapping[str, Given]) -> tuple[str, ...]:
    one = said.get("without")
    return () if one is None else switched_off(one.value, one.source)


def _agent(said: Mapping[str, Given]) -> tuple[str | None, str | None]:
    """Provider and agent spec; said in different places, the stronger place wins (the engine refuses a tie)."""
    provider, agent = said.get("provider"), said.get("agent")
    if provider is not None and agent is not None and provider.rank != agent.rank:
        if provider.rank < agent.rank:
            provider = None
        else:
            agent = None
    return provider.value if provider else None, agent.value if agent else None


def _text(said: Mapping[str, Given], name: str) -> str | None:
    return said[name].value if name in said else None


def _path(config: pytest.Config, said: Mapping[str, Given], name: str) -> Path | None:
    """Typed paths start at the current folder, those of the ini file at the file."""
    one = said.get(name)
    if one is None:
        return None
    if not one.value:
        raise ConfigurationError(f"{one.source}: the name of the {'file' if name == 'profile' else 'folder'} is empty")
    typed_in_ini = one.source.endswith("file") and config.inipath is not None
    base = config.inipath.parent if typed_in_ini and config.inipath else config.invocation_params.dir
    return Path(base, one.value)
