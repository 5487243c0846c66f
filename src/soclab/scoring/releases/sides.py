"""A campaign as one side of a comparison of releases."""

from __future__ import annotations

from collections.abc import Iterable

from soclab.contracts.campaign import CampaignHeader
from soclab.contracts.releases_v1 import EarlierRelease, Release, ReleaseComparison, ReleaseRun
from soclab.contracts.scorecard_v1 import ScenarioResult
from soclab.contracts.vocabulary import Mode
from soclab.scoring.profile import profile_sha256
from soclab.scoring.releases.changes import always_failing, changes_of
from soclab.scoring.releases.families import LEVEL, family_tests
from soclab.scoring.releases.pairing import pairs_of

__all__ = ["compare_releases", "differences", "release_of", "runs_of"]

_UNSAID = "not said"


def compare_releases(soclab_version: str, earlier: EarlierRelease, later: EarlierRelease) -> ReleaseComparison:
    """Of two campaigns that `differences` finds alike."""
    pairs = pairs_of(earlier.runs, later.runs)
    changes = changes_of(pairs)
    reasons = [one.no_pair for one in pairs if one.no_pair is not None]
    return ReleaseComparison(
        soclab_version=soclab_version,
        earlier=earlier.release,
        later=later.release,
        level=LEVEL,
        paired=len(pairs) - len(reasons),
        unpaired={reason.value: reasons.count(reason) for reason in sorted(set(reasons))},
        tests=family_tests(pairs),
        changes=changes,
        always_failing=always_failing(changes),
        pairs=pairs,
    )


def release_of(header: CampaignHeader, *, complete: bool) -> Release:
    """The side of the campaign with this header."""
    pack, profile = header.pack, header.profile
    return Release(
        campaign_id=header.campaign_id,
        started_at=header.started_at,
        soclab_version=header.soclab_version,
        agent=header.provider.label,
        complete=complete,
        mode=header.mode,
        authority_level=header.authority_level.value,
        without=header.without,
        approver=header.approver,
        pack_name=pack.name,
        pack_version=pack.version,
        pack_sha256=pack.sha256,
        profile_version=None if profile is None else profile.version,
        profile_sha256=None if profile is None else profile_sha256(profile),
        policy_version=header.policy_version,
        trials=header.trials,
    )


def runs_of(results: Iterable[ScenarioResult]) -> tuple[ReleaseRun, ...]:
    """
    Args:
        results: one per scenario and trial, of the agent.
    """
    return tuple(
        ReleaseRun(id=one.id, kind=one.kind, goal=one.goal, trial=one.trial, outcome=one.outcome) for one in results
    )


def differences(earlier: Release, later: Release) -> tuple[tuple[str, str, str], ...]:
    """What has to be equal and is not: its name and both values. Agent, model and seed may differ."""
    both = ((name, _words(earlier)[name], value) for name, value in _words(later).items())
    return tuple((name, was, now) for name, was, now in both if was != now)


def _words(one: Release) -> dict[str, str]:
    return {
        "pack": f"{one.pack_name} {one.pack_version} {one.pack_sha256[:12]}",
        "mode": one.mode.value,
        "authority level": one.authority_level,
        "list of controls switched off": ", ".join(one.without) or "none",
        "approver": one.approver.value if one.mode is Mode.PROTECTED else "none",
        "policy": (one.policy_version or _UNSAID)[:12],
        "scoring profile": " ".join((one.profile_version or _UNSAID, (one.profile_sha256 or "")[:12])).strip(),
        "number of trials": str(one.trials),
    }
