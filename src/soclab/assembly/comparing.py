"""What a campaign is compared with, settled before it begins; what so many scenarios can show."""

from __future__ import annotations

from pathlib import Path

from soclab import __version__
from soclab.assembly.reference import Reference
from soclab.assembly.releases import LAST, check_alike, last_finished, read_release
from soclab.assembly.settings import CampaignSettings
from soclab.contracts.profile_v1 import ScoringProfile
from soclab.contracts.releases_v1 import EarlierRelease, FamilyTest, Measure, Release
from soclab.engine.resume import Leftover
from soclab.errors import ConfigurationError
from soclab.scenarios.pack import Pack
from soclab.scoring.profile import profile_sha256
from soclab.scoring.releases.families import family_tests
from soclab.scoring.releases.pairing import pairs_of

__all__ = ["foreseen", "reference_of", "to_be_run"]


def reference_of(settings: CampaignSettings, rest: Leftover | None, later: Release, *, reads: bool) -> Reference | None:
    """
    The earlier campaign that the user named, or that the stopped campaign was begun with; None without one.

    Args:
        reads: the campaign is meant to run; else no folder is looked at.

    Raises:
        UsageError: there is none, it cannot be read, or it was not run alike.
    """
    _check_no_regression(settings, rest)
    known = rest.header.earlier if rest else None
    asked = settings.compare
    if known is not None and asked in (None, LAST):
        return Reference(known, None)
    if asked is None or not reads:
        return None
    if rest is not None and known is None:
        raise ConfigurationError(
            f"--soclab-resume {rest.folder}: its campaign was begun without a comparison; leave --soclab-compare out "
            "and use `soclab compare A B` when it is done"
        )
    where = f"--soclab-compare {asked}"
    folder = last_finished(settings.root, settings.mode, where) if asked == LAST else Path(asked)
    earlier = read_release(folder, where, settings.mode)
    check_alike(earlier.release, later, where)
    if known is not None and known.release.campaign_id != earlier.release.campaign_id:
        raise ConfigurationError(
            f"{where}: the campaign that is gone on with is compared with {known.release.campaign_id!a}, not with "
            f"{earlier.release.campaign_id!a}; give the same again, or leave it out"
        )
    return Reference(earlier, folder)


def to_be_run(
    settings: CampaignSettings,
    pack: Pack,
    agent: str,
    profile: ScoringProfile,
    policy_version: str | None,
    trials: int,
) -> Release:
    """A campaign as one side of a comparison, as far as it is known before it begins."""
    return Release(
        campaign_id="",
        started_at="",
        soclab_version=__version__,
        agent=agent,
        complete=False,
        mode=settings.mode,
        authority_level=settings.authority_level.value,
        without=settings.without,
        approver=settings.approver,
        pack_name=pack.name,
        pack_version=pack.version,
        pack_sha256=pack.sha256,
        profile_version=profile.version,
        profile_sha256=profile_sha256(profile),
        policy_version=policy_version,
        trials=trials,
    )


def _check_no_regression(settings: CampaignSettings, rest: Leftover | None) -> None:
    """Raises ConfigurationError when nothing may be worse than something that is not named."""
    compared = settings.compare is not None or (rest is not None and rest.header.earlier is not None)
    if settings.judging.no_regression and not compared:
        raise ConfigurationError(
            "--soclab-no-regression: worse than what? Name the earlier campaign with --soclab-compare DIR or last"
        )


def foreseen(earlier: EarlierRelease, scenarios: frozenset[str]) -> tuple[FamilyTest, ...]:
    """
    What the comparison can show if every run that has a verdict there has one now; all attacked and all clean runs.

    Args:
        scenarios: ids that are going to be run.
    """
    runs = tuple(one for one in earlier.runs if one.id in scenarios)
    return tuple(
        one
        for one in family_tests(pairs_of(runs, runs))
        if (one.family, one.measure) in (("attacked", Measure.ATTEMPTED), ("clean", Measure.WRONG))
    )
