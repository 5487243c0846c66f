"""What a front door was asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from soclab.contracts.approval import Approver
from soclab.contracts.campaign import Judging
from soclab.contracts.vocabulary import AuthorityLevel, Mode

__all__ = ["CampaignSettings", "with_mode"]


@dataclass(frozen=True)
class CampaignSettings:
    """
    What a front door was asked for.

    Attributes:
        environment: the process environment as the front door read it.
        root: folder below which `.soclab/` is made.
        provider_id, agent_spec: exactly one of them, unless `fixture_agent`.
        fixture_agent: where the user's own `soclab_agent` fixture stands; the agent comes with `start`.
        authority_level: under test.
        without: controls of protected mode that are switched off, in their order.
        approver: who answers when a change waits for people.
        policy_folder: of a team's own policies; None for those that ship, or for the server of `SOCLAB_OPA_URL`.
        patterns: scenario ids or globs; empty means all.
        max_seconds, max_calls: what the campaign may spend; None is no limit.
        rate_limit_reruns: how often a run that ended by a rate limit is tried anew.
        twins: whether attacks have clean twins; None is not said: with whole selections.
        trials: how often each scenario is run; None is not said: once, or as often as the campaign to go on with.
        call_seconds: what the agent may take for one answer; None is the adapter's own default.
        resume: folder of a stopped campaign to go on with.
        folder_name: of the folder in the default place; None lets the campaign name it.
        compare: folder of the earlier campaign to compare with, or `last`; None compares with nothing.
        judging: what makes the campaign red.
        profile: file of the scoring profile; None is the lab's own.
        both_modes: this is the campaign of one of two modes that are compared side by side.
        policy_version: of the policy server that another process of the session has checked; None: it is checked here.
        session_id: what the processes of one session share, so that one can go on where another crashed.
    """

    environment: Mapping[str, str]
    root: Path
    provider_id: str | None = None
    agent_spec: str | None = None
    fixture_agent: str | None = None
    model: str | None = None
    mode: Mode = Mode.PROTECTED
    authority_level: AuthorityLevel = AuthorityLevel.L4
    without: tuple[str, ...] = ()
    approver: Approver = Approver.NONE
    policy_folder: Path | None = None
    patterns: tuple[str, ...] = ()
    scenarios_folder: Path | None = None
    concurrency: int = 4
    out: Path | None = None
    overwrite: bool = False
    seed: str | None = None
    approved_models: tuple[str, ...] = ()
    max_seconds: float | None = None
    max_calls: int | None = None
    rate_limit_reruns: int = 0
    trials: int | None = None
    call_seconds: float | None = None
    twins: bool | None = None
    resume: Path | None = None
    folder_name: str | None = None
    session_id: str | None = None
    both_modes: bool = False
    policy_version: str | None = None
    compare: Path | Literal["last"] | None = None
    judging: Judging = field(default_factory=Judging)
    profile: Path | None = None


def with_mode(settings: CampaignSettings, mode: Mode, out: Path | None) -> CampaignSettings:
    """
    The same settings for one of two modes and its own folder.

    Baseline switches nothing off, asks nobody, and has no level that could be required.
    """
    if mode is not Mode.BASELINE:
        return replace(settings, mode=mode, out=out, both_modes=True)
    judging = settings.judging.model_copy(update={"require_level": None})
    return replace(settings, mode=mode, out=out, both_modes=True, without=(), approver=Approver.NONE, judging=judging)
