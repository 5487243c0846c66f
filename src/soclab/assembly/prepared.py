"""A campaign that can be started: everything is checked, nothing is written, nobody was asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from soclab import __version__
from soclab.assembly.agent import (
    agent_environment,
    agent_info,
    agent_secrets,
    agent_warnings,
    load_agent,
    stated_info,
)
from soclab.assembly.control_plane import check_controls, control_plane_of, controls_by_mode
from soclab.assembly.header import header_of
from soclab.assembly.limits import check_limits, check_pass_k
from soclab.assembly.packs import named_pack, split_by_agent
from soclab.assembly.policy import chosen_policy
from soclab.assembly.reference import Reference, settled_reference
from soclab.assembly.resuming import another, rest_of, settled_runs, told_before
from soclab.assembly.running import RunningCampaign
from soclab.assembly.settings import CampaignSettings
from soclab.assembly.signer import signer_of
from soclab.clock import Clock, SystemClock
from soclab.contracts.campaign import CampaignHeader
from soclab.contracts.outcome import Trial
from soclab.contracts.profile_v1 import ScoringProfile
from soclab.contracts.provider import ModelProvider
from soclab.contracts.scenario_v1 import Scenario
from soclab.contracts.scorecard_v1 import PackInfo, ProviderInfo
from soclab.contracts.vocabulary import STAGES, Kind, Mode, PolicyOrigin, Stage
from soclab.engine.background import BackgroundEngine
from soclab.engine.folder import check_folder, open_folder
from soclab.engine.journal import JOURNAL_NAME, Journal
from soclab.engine.live import RunKit
from soclab.engine.plan import CALL_SECONDS_DEFAULT, CampaignPlan, RunPlan, plan_campaign
from soclab.engine.resume import Leftover, take_up
from soclab.errors import ConfigurationError, UsageError
from soclab.evidence.signing import EvidenceSigner
from soclab.identity import campaign_secret
from soclab.orchestrator.prompt import Instructions
from soclab.policy.engine import PolicyEngine
from soclab.policy.engines import CedarEngine
from soclab.providers import registry
from soclab.providers.callables import provider_from
from soclab.providers.scripted import ScriptedProvider
from soclab.redaction import Secrets
from soclab.scenarios.pack import Pack
from soclab.scenarios.selection import select
from soclab.scoring.profile import default_profile, load_profile
from soclab.simulator.catalog import action_offers

__all__ = ["PreparedCampaign", "prepare"]


def prepare(settings: CampaignSettings, pack: Pack | None = None, *, writes: bool = True) -> PreparedCampaign:
    """
    Check everything and settle what is to be run.

    Args:
        pack: made by the lab itself; None for the scenarios that the settings name.
        writes: the campaign is meant to run: its folder must be free.

    Raises:
        UsageError: whatever is wrong with names, files, environment or folders; one line.
    """
    check_limits(settings)
    signer = signer_of(settings.environment)
    check_controls(settings)
    profile = default_profile() if settings.profile is None else load_profile(settings.profile)
    pack = named_pack(settings) if pack is None else pack
    chosen = select(pack, settings.patterns)
    info = agent_info(settings)
    runnable, left_out = split_by_agent(chosen, settings)
    if not runnable:
        reasons = "; ".join(sorted(set(left_out.values())))
        raise UsageError(f"no selected scenario can be run by agent {info.id!r}: {reasons}")
    if settings.resume is None and writes:
        check_folder(settings.out, settings.root, settings.overwrite, both_modes=settings.both_modes)
    rest = None
    if settings.resume is not None:
        rest = rest_of(settings.resume, settings, pack.sha256, info, profile, collects=writes)
    policy = chosen_policy(settings)
    prepared = PreparedCampaign(
        settings,
        pack,
        tuple(runnable),
        left_out,
        info,
        profile,
        agent_warnings(settings),
        rest,
        signer,
        policy=policy.engine,
        policy_origin=policy.origin,
    )
    if rest and rest.header.policy_version != prepared.policy_version:
        raise another(rest.folder, "policy", rest.header.policy_version, prepared.policy_version)
    check_pass_k(settings.judging.pass_k, prepared.trials)
    reference = settled_reference(
        settings, rest, pack, info.label, profile, prepared.policy_version, prepared.trials, reads=writes
    )
    return replace(prepared, reference=reference)


@dataclass(frozen=True)
class PreparedCampaign:
    """
    Attributes:
        scenarios: those this agent can run, by id.
        left_out: id -> why not, for the header.
        profile: how it is scored.
        warnings: what works but should be looked at, one line each.
        rest: what is left of the stopped campaign that this one goes on with; None for a new one.
        signer: signs what is written; None when no key is set.
        policy: judges the calls of protected mode; `policy_origin`: whose it is.
        reference: the earlier campaign that this one is compared with; None without one.
    """

    settings: CampaignSettings
    pack: Pack
    scenarios: tuple[Scenario, ...]
    left_out: Mapping[str, str]
    provider: ProviderInfo
    profile: ScoringProfile
    warnings: tuple[str, ...] = ()
    rest: Leftover | None = None
    signer: EvidenceSigner | None = None
    clock: Clock = field(default_factory=SystemClock)
    policy: PolicyEngine = field(default_factory=CedarEngine.shipped)
    policy_origin: PolicyOrigin = PolicyOrigin.BUILT_IN
    reference: Reference | None = None

    @property
    def trials(self) -> int:
        """How often each scenario is run."""
        if self.settings.trials is not None:
            return self.settings.trials
        return self.rest.header.trials if self.rest else 1

    @property
    def policy_version(self) -> str | None:
        """SHA-256 of what judges calls; None in baseline, where nothing does."""
        return self.policy.version if self.settings.mode is Mode.PROTECTED else None

    def has_twins(self, selection: Mapping[Trial, Iterable[Stage]] | None = None) -> bool:
        """
        Whether attacks have clean twins: as was said, or as the campaign to go on with has it, or when all is selected.

        Args:
            selection: trial -> stages; None for everything that the settings choose.
        """
        if self.settings.twins is not None:
            return self.settings.twins
        if self.rest is not None:
            return self.rest.header.twins
        everything = self.everything()
        selected = everything if selection is None else {one: tuple(them) for one, them in selection.items()}
        return not self.settings.patterns and selected == everything

    def twin_calls(self, selection: Mapping[Trial, Iterable[Stage]] | None = None) -> int:
        """Requests of the twins when every run goes to its last selected stage; of those that run alone, 0."""
        if not self.has_twins(selection):
            return 0
        attacks = {scenario.id for scenario in self.scenarios if scenario.kind is Kind.ATTACK}
        chosen = self.everything() if selection is None else selection
        return sum(
            max(map(STAGES.index, them)) + 1
            for one, stages in chosen.items()
            if one.scenario in attacks and (them := tuple(stages))
        )

    def everything(self) -> dict[Trial, tuple[Stage, ...]]:
        """The selection of all trials of all scenarios with all stages."""
        numbers = range(1, self.trials + 1)
        return {Trial(scenario.id, number): STAGES for number in numbers for scenario in self.scenarios}

    def whole_pack(self) -> tuple[Mapping[str, Scenario], Mapping[str, str]]:
        """Whatever was selected: the scenarios that this agent can run, by id; and id -> why not of the others."""
        runnable, left_out = split_by_agent(self.pack.scenarios, self.settings)
        return {scenario.id: scenario for scenario in runnable}, left_out

    def default_agent(self) -> ModelProvider:
        """
        The agent that the settings name.

        Raises:
            UsageError: it cannot be imported or is no agent.
        """
        settings = self.settings
        if settings.agent_spec is not None:
            return self._adapter(load_agent(settings.agent_spec, settings.root, agent_secrets(settings.environment)))
        if settings.provider_id is None:
            raise ConfigurationError("the agent comes from the fixture soclab_agent, which gave none")
        return registry.build(settings.provider_id, agent_environment(settings), settings.model)

    def _adapter(self, agent: object) -> ModelProvider:
        """Raises UsageError when it is nothing that can be asked."""
        settings = self.settings
        return provider_from(
            agent,
            model=settings.model,
            timeout_seconds=settings.call_seconds or CALL_SECONDS_DEFAULT,
            secrets=agent_secrets(settings.environment),
        )

    def describe(self) -> str:
        """The agent in force, one short phrase."""
        if self.settings.fixture_agent is not None:
            return f"fixture soclab_agent ({self.settings.fixture_agent})"
        if self.settings.agent_spec is not None:
            return f"agent {self.settings.agent_spec}"
        return f"provider {self.provider.id}, model {self.provider.model}"

    def start(
        self,
        agent: object,
        selection: Mapping[Trial, Iterable[Stage]] | None = None,
        *,
        keeps_answers: bool = False,
    ) -> RunningCampaign:
        """
        Make the folder, open the journal, start the engine.

        Args:
            agent: a provider, an ASGI app or a callable; None for the one the settings name.
            selection: trial -> stages; None for everything.
            keeps_answers: somebody may want a `stage_view` of any stage; a run that only a test asks for has it anyway.

        Raises:
            UsageError: the agent cannot be used, or the folder cannot be made.
        """
        provider = self.default_agent() if agent is None else self._adapter(agent)
        settings, rest = self.settings, self.rest
        info = stated_info(self.provider, settings, provider)
        if rest and rest.header.provider.label != info.label:
            raise another(rest.folder, "agent", rest.header.provider.label, info.label)
        started_at = rest.header.started_at if rest else self.clock.now().isoformat(timespec="milliseconds")
        wanted = self.everything() if selection is None else {one: tuple(them) for one, them in selection.items()}
        settled = settled_runs(rest, wanted) if rest else {}
        done = {key.trial_of for key, result in settled.items() if not result.asked_by_test}
        plan = plan_campaign(
            secret=bytes.fromhex(rest.header.secret_hex) if rest else campaign_secret(settings.seed),
            seed=rest.header.seed if rest else settings.seed,
            started_at=started_at,
            mode=settings.mode,
            provider=info,
            pack=PackInfo(name=self.pack.name, version=self.pack.version, sha256=self.pack.sha256),
            scenarios=self.scenarios,
            worlds=self.pack.worlds,
            selection=wanted,
            done=done,
            approved_models=settings.approved_models,
            concurrency=settings.concurrency,
            soclab_version=__version__,
            authority_level=settings.authority_level,
            approver=settings.approver,
            max_seconds=settings.max_seconds,
            max_calls=settings.max_calls,
            rate_limit_reruns=settings.rate_limit_reruns,
            trials=self.trials,
            call_seconds=settings.call_seconds or CALL_SECONDS_DEFAULT,
            twins=self.has_twins(wanted),
            attempts=rest.attempts() if rest else None,
        )
        for run in plan.runs:
            _load_script(provider, run)
        secrets = agent_secrets(settings.environment)
        header, folder, journal = self._open(plan, secrets)
        kit = RunKit(
            plan=plan,
            controls=controls_by_mode(settings),
            control_plane=control_plane_of(settings, plan, self.clock, self.policy.version),
            policy=self.policy,
            instructions=Instructions(action_offers()),
            secrets=secrets,
            journal=journal,
            clock=self.clock,
            earlier_roots={one.run_id: one.evidence_root for one in rest.results.values()} if rest else {},
            settled=settled,
            keeps_answers=keeps_answers,
            signed_by=self.signer.key_name if self.signer else None,
        )
        engine = BackgroundEngine(kit, provider, told_before(settled))
        engine.start()
        return RunningCampaign(
            scenarios=self.whole_pack()[0],
            worlds=self.pack.worlds,
            plan=plan,
            header=header,
            folder=folder,
            engine=engine,
            journal=journal,
            approvals=kit.control_plane.queue,
            earlier=tuple(rest.results.values()) if rest else (),
            selection=wanted,
            prepare_run=partial(_load_script, provider),
            signer=self.signer,
        )

    def _open(self, plan: CampaignPlan, secrets: Secrets) -> tuple[CampaignHeader, Path, Journal]:
        """The campaign's first line, folder and journal: new ones, or those of the campaign that is gone on with."""
        settings, rest = self.settings, self.rest
        if rest is not None:
            return rest.header, rest.folder, take_up(rest, secrets, self.clock)
        name, both = _folder_name(settings, plan), settings.both_modes
        folder = open_folder(settings.out, settings.root, settings.overwrite, name, both_modes=both)
        journal = Journal.create(folder / JOURNAL_NAME, secrets, self.clock)
        whole = len(self.whole_pack()[0])
        policy = (self.policy_version, self.policy_origin)
        earlier = self.reference.earlier if self.reference else None
        header = header_of(plan, self.left_out, settings, policy, self.profile, whole, earlier)
        journal.append("campaign_started", beside={"header": header.model_dump(mode="json", by_alias=True)})
        return header, folder, journal


def _load_script(provider: ModelProvider, run: RunPlan) -> None:
    if isinstance(provider, ScriptedProvider):
        provider.load(run.ids.run_id, run.scenario.script)


def _folder_name(settings: CampaignSettings, plan: CampaignPlan) -> str:
    stamp = plan.started_at[:19].replace(":", "").replace("-", "")
    return settings.folder_name or f"{stamp}-{plan.campaign_id}"
