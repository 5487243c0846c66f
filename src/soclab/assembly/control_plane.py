"""What a front door was told about the control plane, as texts with their places, checked and put in order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from soclab.assembly.environment import given
from soclab.assembly.settings import CampaignSettings
from soclab.canonical_json import encode_bytes, sha256_hex
from soclab.clock import Clock
from soclab.contracts.approval import Approver
from soclab.contracts.vocabulary import AuthorityLevel, Mode
from soclab.engine.plan import CampaignPlan
from soclab.errors import ConfigurationError, UnknownNameError
from soclab.gateway.approvals import ApprovalQueue
from soclab.gateway.control import Control
from soclab.gateway.control_plane import ControlPlane
from soclab.gateway.presets import controls_for
from soclab.gateway.signing_key import SIGNING_KEY_VARIABLE, SigningKey

__all__ = [
    "approver_of",
    "authority_level_of",
    "check_controls",
    "control_plane_of",
    "controls_by_mode",
    "names_of",
    "signing_key_of",
    "switched_off",
]


def authority_level_of(text: str, place: str) -> AuthorityLevel:
    """
    Raises:
        UnknownNameError: no such level.
    """
    levels = [level.value for level in AuthorityLevel]
    if text not in levels:
        raise UnknownNameError("authority level", text, levels, place)
    return AuthorityLevel(text)


def approver_of(text: str, place: str) -> Approver:
    """
    Raises:
        UnknownNameError: there is no such one.
    """
    known = [one.value for one in Approver]
    if text not in known:
        raise UnknownNameError("approver", text, known, place)
    return Approver(text)


def signing_key_of(environment: Mapping[str, str]) -> SigningKey | None:
    """
    The key for grants that the user gave; None for none.

    Raises:
        ConfigurationError: it cannot be used; the line does not show it.
    """
    text = given(environment, SIGNING_KEY_VARIABLE)
    return None if text is None else SigningKey.read(text)


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
        ConfigurationError: controls are to be switched off or people to be asked where there are none, or the key for
            grants is unusable.
    """
    signing_key_of(settings.environment)
    if settings.mode is Mode.BASELINE and settings.approver is not Approver.NONE:
        raise ConfigurationError(
            f"--soclab-approver {settings.approver.value}: baseline mode asks nobody; "
            "leave it out, or use protected mode"
        )
    if settings.mode is Mode.BASELINE and settings.without:
        raise ConfigurationError(
            f"--soclab-without {settings.without[0]}: baseline mode has no controls to switch off; "
            "leave it out, or use protected mode"
        )


def controls_by_mode(settings: CampaignSettings) -> Mapping[Mode, tuple[Control, ...]]:
    """The controls of every mode: a user's test may ask for a run in the other one."""
    return {mode: controls_for(mode, settings.without) for mode in Mode}


def control_plane_of(settings: CampaignSettings, plan: CampaignPlan, clock: Clock, policy_version: str) -> ControlPlane:
    """
    Approvals and grants of a campaign.

    Args:
        policy_version: of the engine; what grants are bound to is this and the controls that are on.
    """
    provider = plan.provider
    return ControlPlane(
        secret=plan.secret,
        clock=clock,
        queue=ApprovalQueue(plan.secret, clock),
        approver=plan.approver,
        key=signing_key_of(settings.environment),
        barred=tuple(dict.fromkeys((provider.label, provider.id, provider.model))),
        policy_version=_version_of(policy_version, controls_for(Mode.PROTECTED, settings.without)),
        authority_level=plan.authority_level.value,
    )


def _version_of(policy_version: str, controls: Iterable[Control]) -> str:
    return sha256_hex(encode_bytes({"controls": [control.name for control in controls], "policy": policy_version}))


def names_of(settings: CampaignSettings) -> tuple[str, ...]:
    """The controls of the campaign's own mode that are on, in their order."""
    return tuple(control.name for control in controls_by_mode(settings)[settings.mode])
