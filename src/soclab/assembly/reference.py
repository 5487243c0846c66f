"""Whether a campaign is compared with an earlier one; only where it is, what comparing needs is imported."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from soclab.assembly.settings import CampaignSettings
from soclab.contracts.profile_v1 import ScoringProfile
from soclab.contracts.releases_v1 import EarlierRelease
from soclab.engine.resume import Leftover
from soclab.scenarios.pack import Pack

__all__ = ["Reference", "settled_reference"]


class Reference(NamedTuple):
    """
    Attributes:
        folder: where it was read; None when the stopped campaign that is gone on with brings it along.
    """

    earlier: EarlierRelease
    folder: Path | None


def settled_reference(
    settings: CampaignSettings,
    rest: Leftover | None,
    pack: Pack,
    agent: str,
    profile: ScoringProfile,
    policy_version: str | None,
    trials: int,
    *,
    reads: bool,
) -> Reference | None:
    """
    The earlier campaign that the user named, or that the stopped campaign was begun with; None without one.

    Args:
        reads: the campaign is meant to run; else no folder is looked at.

    Raises:
        UsageError: there is none, it cannot be read, or it was not run alike.
    """
    begun_with_one = rest is not None and rest.header.earlier is not None
    if settings.compare is None and not settings.judging.no_regression and not begun_with_one:
        return None
    from soclab.assembly.comparing import reference_of, to_be_run

    later = to_be_run(settings, pack, agent, profile, policy_version, trials)
    return reference_of(settings, rest, later, reads=reads)
