"""What the first line of a campaign's journal says."""

from __future__ import annotations

from collections.abc import Mapping

from soclab.assembly.control_plane import names_of
from soclab.assembly.settings import CampaignSettings
from soclab.contracts.campaign import CampaignHeader
from soclab.contracts.profile_v1 import ScoringProfile
from soclab.contracts.releases_v1 import EarlierRelease
from soclab.contracts.vocabulary import PolicyOrigin
from soclab.engine.plan import CampaignPlan

__all__ = ["header_of"]


def header_of(
    plan: CampaignPlan,
    left_out: Mapping[str, str],
    settings: CampaignSettings,
    policy: tuple[str | None, PolicyOrigin],
    profile: ScoringProfile,
    whole: int,
    earlier: EarlierRelease | None,
) -> CampaignHeader:
    """
    Args:
        left_out: scenario id -> why this agent cannot run it.
        policy: version of what judges calls, None in baseline; and whose it is.
        whole: scenarios of the whole pack that this agent can run.
        earlier: what the campaign is compared with; None without a comparison.
    """
    return CampaignHeader(
        campaign_id=plan.campaign_id,
        secret_hex=plan.secret.hex(),
        seed=plan.seed,
        started_at=plan.started_at,
        mode=plan.mode,
        authority_level=plan.authority_level,
        controls=names_of(settings),
        without=settings.without,
        approver=plan.approver,
        policy_origin=None if policy[0] is None else policy[1],
        policy_version=policy[0],
        provider=plan.provider,
        pack=plan.pack,
        approved_models=plan.approved_models,
        concurrency=plan.concurrency,
        total=plan.total,
        selected=plan.selected,
        calls_planned=plan.calls,
        trials=plan.trials,
        twins=plan.twins,
        twins_planned=plan.twins_planned,
        left_out=dict(sorted(left_out.items())),
        soclab_version=plan.soclab_version,
        session_id=settings.session_id,
        both_modes=settings.both_modes,
        judging=settings.judging,
        pack_scenarios=whole,
        profile=profile,
        earlier=earlier,
    )
