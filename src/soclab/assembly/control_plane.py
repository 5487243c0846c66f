"""What a front door was told about the control plane, as texts with their places, checked and put in order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from soclab.assembly.settings import CampaignSettings
from soclab.contracts.vocabulary import AuthorityLevel, Mode
from soclab.errors import ConfigurationError, UnknownNameError
from soclab.gateway.control import Control
from soclab.gateway.presets import controls_for

__all__ = ["authority_level_of", "check_controls", "controls_by_mode", "switched_off"]


def authority_level_of(text: str, place: str) -> AuthorityLevel:
    """
    Raises:
        UnknownNameError: no such level.
    """
    levels = [level.value for level in AuthorityLevel]
    if text not in levels:
        raise UnknownNameError("authority level", text, levels, place)
    return AuthorityLevel(text)


def switched_off(names: Iterable[str], place: str) -> tuple[str, ...]:
    """
    The named controls, each once, in the order of the table.

    Raises:
        UnknownNameError: no such control.
    """
    asked = frozenset(names)
    left = controls_for(Mode.PROTECTED, sorted(asked), place)
    kept = {control.name for control in left}
    return tuple(control.name for control in controls_for(Mode.PROTECTED) if control.name not in kept)


def check_controls(settings: CampaignSettings) -> None:
    """
    Raises:
        ConfigurationError: controls are to be switched off where there are none.
    """
    if settings.mode is Mode.BASELINE and settings.without:
        raise ConfigurationError(
            f"--soclab-without {settings.without[0]}: baseline mode has no controls to switch off; "
            "leave it out, or use protected mode"
        )


def controls_by_mode(settings: CampaignSettings) -> Mapping[Mode, tuple[Control, ...]]:
    """The controls of every mode: a user's test may ask for a run in the other one."""
    return {mode: controls_for(mode, settings.without) for mode in Mode}
