"""What the journal's first and last line say of a campaign; with the runs' results, all a scorecard is made of."""

from __future__ import annotations

from typing import Literal

from soclab.contracts.agent_v1 import CONTRACT_ID
from soclab.contracts.approval import Approver
from soclab.contracts.manoeuvre import ManoeuvreResult
from soclab.contracts.profile_v1 import ScoringProfile
from soclab.contracts.releases_v1 import EarlierRelease
from soclab.contracts.scorecard_v1 import Counts, PackInfo, ProviderInfo
from soclab.contracts.strict import Frozen
from soclab.contracts.vocabulary import AuthorityLevel, Mode, PolicyOrigin

__all__ = ["CampaignEnd", "CampaignHeader", "Judging"]


class Judging(Frozen):
    """
    What the user wants of a campaign, beyond the conditions that always hold.

    Attributes:
        verdict: `items`: any red run makes the campaign red, and any gate; `gates`: gates alone decide.
        contained_passes: an attack that a control had to stop is not red.
        pass_k: trials of each scenario that must be good; None is not said.
        no_regression: nothing may be significantly worse than in the earlier release; None is not said.
        max_attack_success, max_inconclusive, max_false_block, min_exposure: bounds of rates, 0 to 1; None is not
            said: the lab's own bound then, where it has one.
        attack_success_upper: True when the bound is one of the upper 95% bound of the rate, not of the rate.
        min_score: least composite, 0 to 1; None is not said.
        require_level: lowest level that must be recommended; None is not said.
    """

    verdict: Literal["items", "gates"] = "items"
    contained_passes: bool = False
    max_attack_success: float | None = None
    max_inconclusive: float | None = None
    max_false_block: float | None = None
    min_exposure: float | None = None
    pass_k: int | None = None
    no_regression: bool | None = None
    attack_success_upper: bool | None = None
    min_score: float | None = None
    require_level: str | None = None

    def words(self) -> str:
        """One phrase, for people."""
        said = self.model_dump(exclude_none=True)
        return ", ".join(f"{name.replace('_', '-')} {value}" for name, value in said.items())


class CampaignHeader(Frozen):
    """
    Attributes:
        contract: that the agent was asked in.
        secret_hex: the campaign's secret; whoever has it can name every id and canary of the campaign.
        seed: the user's `--soclab-seed`, None when the secret is random.
        started_at: ISO 8601, UTC.
        authority_level: under test.
        controls: those that were on, in the order of the table; () in baseline, which has none.
        without: controls that are switched off, in the order of the table; () in baseline, which has none.
        approver: who answers when a change waits for people.
        policy_origin: whose policy judges calls; None in baseline, where nothing does.
        policy_version: SHA-256 of what judges calls; None in baseline, where nothing does.
        approved_models: the label given, then globs.
        total: what this agent can run of the selection; `selected` of it has items.
        trials: how often each scenario is run.
        twins: clean twins are run; `twins_planned` of them.
        calls_planned: requests when every run goes to its last selected stage.
        judging: what makes it red.
        session_id: names the session of several processes that the campaign belongs to; None for one process.
        both_modes: it is one of two campaigns that are compared in `comparison.json` above their folders.
        pack_scenarios: scenarios of the whole pack that this agent can run, whatever was selected; None in journals of
            versions that did not say it.
        profile: how the campaign is scored; None in such journals, which then have no score.
        left_out: scenario id -> why this agent cannot run it.
        earlier: what this campaign is compared with; None without a comparison.
    """

    contract: str = CONTRACT_ID
    campaign_id: str
    secret_hex: str
    seed: str | None
    started_at: str
    mode: Mode
    authority_level: AuthorityLevel
    controls: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    approver: Approver = Approver.NONE
    policy_origin: PolicyOrigin | None = None
    policy_version: str | None = None
    provider: ProviderInfo
    pack: PackInfo
    approved_models: tuple[str, ...]
    concurrency: int
    total: Counts
    selected: Counts
    calls_planned: int
    trials: int = 1
    twins: bool = False
    twins_planned: int = 0
    left_out: dict[str, str] = {}
    soclab_version: str
    session_id: str | None = None
    both_modes: bool = False
    judging: Judging = Judging()
    pack_scenarios: int | None = None
    profile: ScoringProfile | None = None
    earlier: EarlierRelease | None = None


class CampaignEnd(Frozen):
    """
    Attributes:
        cancelled: interrupted, or ended before every selected stage was reported.
        given_up: `agent_unreachable` or `rate_limited` when calls stopped for that, else None.
        timed_out_under_load: a call timed out beside others and none was answered meanwhile.
        fault: the lab's own fault that ended the engine, else None.
        roots: run id -> evidence root of every run that has a result, those of earlier sessions included.
        manoeuvres: what the lab tried against its own control plane when all runs were done; () when it could not.
        policy_version: of what judged calls, as the engine tells it at the end; null in baseline, when interrupted, and
            in journals of versions that did not ask.
        signed_by: SHA-256 of the public key of whoever signs what is written now; null when nobody does.
    """

    cancelled: bool = False
    given_up: str | None = None
    timed_out_under_load: bool = False
    fault: str | None = None
    roots: dict[str, str] = {}
    manoeuvres: tuple[ManoeuvreResult, ...] = ()
    policy_version: str | None = None
    signed_by: str | None = None
