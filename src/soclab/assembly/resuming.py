"""Whether what is left of a stopped campaign is the campaign that is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from soclab.assembly.agent import same_agent
from soclab.assembly.policy import policy_origin
from soclab.assembly.settings import CampaignSettings
from soclab.contracts.agent_v1 import CONTRACT_ID
from soclab.contracts.campaign import CampaignHeader
from soclab.contracts.outcome import RunKey, Trial
from soclab.contracts.profile_v1 import ScoringProfile
from soclab.contracts.scorecard_v1 import ProviderInfo, ScenarioResult
from soclab.contracts.vocabulary import STAGES, Mode
from soclab.engine.board import Board
from soclab.engine.resume import Leftover, leftover, retold
from soclab.errors import ConfigurationError
from soclab.scoring.profile import profile_sha256

__all__ = ["another", "rest_of", "settled_runs", "told_before"]


def rest_of(
    folder: Path,
    settings: CampaignSettings,
    pack_sha256: str,
    info: ProviderInfo,
    profile: ScoringProfile,
    *,
    collects: bool,
) -> Leftover:
    """
    What is left of the campaign to go on with, if it is the same one.

    Args:
        collects: the campaign's own runs are to be made, not only those that tests ask for.

    Raises:
        UsageError: there is none, it was changed, or it is of another contract, agent, mode or pack.
    """
    if settings.out is not None and settings.out.resolve() != folder.resolve():
        raise ConfigurationError(f"--soclab-resume {folder} writes into that folder: leave --soclab-out out")
    rest = leftover(folder)
    header = rest.header
    now = header.provider if same_agent(header.provider, settings, info) else info
    asked = {
        "contract": (header.contract, CONTRACT_ID),
        "agent": (header.provider.label, now.label),
        "mode": (header.mode.value, settings.mode.value),
        "authority level": (header.authority_level.value, settings.authority_level.value),
        "list of controls switched off": (_listed(header.without), _listed(settings.without)),
        "policy's origin": (_origin(header), _origin_now(settings)),
        "approver": (header.approver.value, settings.approver.value),
        "pack": (header.pack.sha256, pack_sha256),
        "judging": (header.judging.words(), settings.judging.words()),
        "scoring profile": (_named(header.profile or profile), _named(profile)),
        "seed": (header.seed, settings.seed if settings.seed is not None else header.seed),
        "use of clean twins": (_on(header.twins), _on(header.twins if settings.twins is None else settings.twins)),
        "number of trials": (header.trials, settings.trials if settings.trials is not None else header.trials),
    }
    for what, (was, given) in asked.items():
        if was != given:
            raise another(folder, what, was, given)
    if rest.policy_version not in (None, header.policy_version):
        raise ConfigurationError(
            f"--soclab-resume {folder}: its policy changed while it ran, so no one policy judged its runs; "
            "start a new campaign"
        )
    if collects and not header.selected.stages:
        raise ConfigurationError(
            f"--soclab-resume {folder}: tests asked for its runs and nothing of the campaign was selected, so there "
            "is no campaign to go on with; start one in another folder"
        )
    return rest


def _named(profile: ScoringProfile) -> str:
    return f"{profile.name} {profile.version}, SHA-256 {profile_sha256(profile)[:12]}"


def _on(twins: bool) -> str:
    return "on" if twins else "off"


def _origin(header: CampaignHeader) -> str:
    return header.policy_origin.value if header.policy_origin else "none"


def _origin_now(settings: CampaignSettings) -> str:
    return policy_origin(settings).value if settings.mode is Mode.PROTECTED else "none"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def another(folder: Path, what: str, was: object, given: object) -> ConfigurationError:
    return ConfigurationError(
        f"--soclab-resume {folder}: its {what} is {was!a}, not {given!a}; give the same again, or start anew"
    )


def told_before(settled: Mapping[RunKey, ScenarioResult]) -> Board:
    """A board that knows the runs of an earlier session: they are told again without a call."""
    board = Board()
    for key, result in settled.items():
        stages = {one.stage: one for one in result.stages}
        for stage in STAGES:
            board.publish(retold(key, result, stage), stages[stage])
    return board


def settled_runs(rest: Leftover, wanted: Mapping[Trial, object]) -> dict[RunKey, ScenarioResult]:
    """Runs that are told again without a call. One that only a test had asked for does not stand for a selected one."""
    return {
        key: result for key, result in rest.settled().items() if not (result.asked_by_test and key.trial_of in wanted)
    }
