"""A campaign that can be started: everything is checked, nothing is written, nobody was asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from soclab import __version__
from soclab.assembly.agent import agent_info, agent_secrets, agent_warnings, load_agent, stated_info
from soclab.assembly.control_plane import check_controls, controls_by_mode
from soclab.assembly.limits import check_limits, check_pass_k
from soclab.assembly.packs import checked_pack
from soclab.assembly.resuming import another, rest_of
from soclab.assembly.running import RunningCampaign
from soclab.assembly.settings import CampaignSettings
from soclab.clock import Clock, SystemClock
from soclab.contracts.campaign import CampaignHeader
from soclab.contracts.outcome import RunKey, Trial
from soclab.contracts.provider import ModelProvider
from soclab.contracts.scenario_v1 import Scenario
from soclab.contracts.scorecard_v1 import PackInfo, ProviderInfo, ScenarioResult
from soclab.contracts.vocabulary import STAGES, Kind, Stage
from soclab.engine.background import BackgroundEngine
from soclab.engine.board import Board
from soclab.engine.folder import check_folder, open_folder
from soclab.engine.journal import JOURNAL_NAME, Journal
from soclab.engine.live import RunKit
from soclab.engine.plan import CampaignPlan, RunPlan, plan_campaign
from soclab.engine.resume import Leftover, retold
from soclab.errors import ConfigurationError, UsageError
from soclab.identity import campaign_secret
from soclab.orchestrator.prompt import Instructions
from soclab.providers import registry
from soclab.providers.callables import provider_from
from soclab.providers.scripted import ScriptedProvider
from soclab.redaction import Secrets
from soclab.scenarios.pack import Pack
from soclab.scenarios.selection import select
from soclab.simulator.catalog import action_offers

__all__ = ["PreparedCampaign", "prepare"]

_SCRIPTED = "scripted"


def prepare(settings: CampaignSettings, pack: Pack | None = None) -> PreparedCampaign:
    """
    Check everything and settle what is to be run.

    Args:
        pack: made by the lab itself; None for the scenarios that the settings name.

    Raises:
        UsageError: whatever is wrong with names, files, environment or folders; one line.
    """
    check_limits(settings)
    check_controls(settings)
    pack = checked_pack(settings.scenarios_folder) if pack is None else pack
    chosen = select(pack, settings.patterns)
    info = agent_info(settings)
    runnable, left_out = _split(chosen, info.id)
    if not runnable:
        reasons = "; ".join(sorted(set(left_out.values())))
        raise UsageError(f"no selected scenario can be run by agent {info.id!r}: {reasons}")
    if settings.resume is None:
        check_folder(settings.out, settings.root, settings.overwrite)
    rest = None if settings.resume is None else rest_of(settings.resume, settings, pack.sha256, info)
    prepared = PreparedCampaign(settings, pack, tuple(runnable), left_out, info, agent_warnings(settings), rest)
    check_pass_k(settings.judging.pass_k, prepared.trials)
    return prepared


def _split(chosen: Iterable[Scenario], provider_id: str) -> tuple[list[Scenario], dict[str, str]]:
    runnable: list[Scenario] = []
    left_out: dict[str, str] = {}
    for scenario in chosen:
        if (scenario.kind is Kind.GUARD) == (provider_id == _SCRIPTED):
            runnable.append(scenario)
        elif scenario.kind is Kind.GUARD:
            left_out[scenario.id] = "forces its replies: provider 'scripted' only"
        else:
            left_out[scenario.id] = "has no script: any provider but 'scripted'"
    return runnable, left_out


@dataclass(frozen=True)
class PreparedCampaign:
    """
    Attributes:
        scenarios: those this agent can run, by id.
        left_out: id -> why not, for the header.
        warnings: what works but should be looked at, one line each.
        rest: what is left of the stopped campaign that this one goes on with; None for a new one.
    """

    settings: CampaignSettings
    pack: Pack
    scenarios: tuple[Scenario, ...]
    left_out: Mapping[str, str]
    provider: ProviderInfo
    warnings: tuple[str, ...] = ()
    rest: Leftover | None = None
    clock: Clock = field(default_factory=SystemClock)

    @property
    def trials(self) -> int:
        """How often each scenario is run."""
        if self.settings.trials is not None:
            return self.settings.trials
        return self.rest.header.trials if self.rest else 1

    def everything(self) -> dict[Trial, tuple[Stage, ...]]:
        """The selection of all trials of all scenarios with all stages."""
        numbers = range(1, self.trials + 1)
        return {Trial(scenario.id, number): STAGES for number in numbers for scenario in self.scenarios}

    def whole_pack(self) -> tuple[Mapping[str, Scenario], Mapping[str, str]]:
        """Whatever was selected: the scenarios that this agent can run, by id; and id -> why not of the others."""
        runnable, left_out = _split(self.pack.scenarios, self.provider.id)
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
        return registry.build(settings.provider_id, settings.environment, settings.model)

    def _adapter(self, agent: object) -> ModelProvider:
        """Raises UsageError when it is nothing that can be asked."""
        return provider_from(agent, model=self.settings.model, secrets=agent_secrets(self.settings.environment))

    def describe(self) -> str:
        """The agent in force, one short phrase."""
        if self.settings.fixture_agent is not None:
            return f"fixture soclab_agent ({self.settings.fixture_agent})"
        if self.settings.agent_spec is not None:
            return f"agent {self.settings.agent_spec}"
        return f"provider {self.provider.id}, model {self.provider.model}"

    def start(self, agent: object, selection: Mapping[Trial, Iterable[Stage]] | None = None) -> RunningCampaign:
        """
        Make the folder, open the journal, start the engine.

        Args:
            agent: a provider, an ASGI app or a callable; None for the one the settings name.
            selection: trial -> stages; None for everything.

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
        settled = _settled(rest, wanted) if rest else {}
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
            selection={one: stages for one, stages in wanted.items() if one not in done},
            approved_models=settings.approved_models,
            concurrency=settings.concurrency,
            soclab_version=__version__,
            authority_level=settings.authority_level,
            max_seconds=settings.max_seconds,
            max_calls=settings.max_calls,
            rate_limit_reruns=settings.rate_limit_reruns,
            trials=self.trials,
            attempts=rest.attempts() if rest else None,
        )
        for run in plan.runs:
            _load_script(provider, run)
        secrets = agent_secrets(settings.environment)
        header, folder, journal = self._open(plan, secrets)
        kit = RunKit(
            plan=plan,
            controls=controls_by_mode(settings),
            instructions=Instructions(action_offers()),
            secrets=secrets,
            journal=journal,
            clock=self.clock,
        )
        engine = BackgroundEngine(kit, provider, _told_before(settled))
        engine.start()
        return RunningCampaign(
            scenarios=self.whole_pack()[0],
            worlds=self.pack.worlds,
            plan=plan,
            header=header,
            folder=folder,
            engine=engine,
            journal=journal,
            earlier=tuple(rest.results.values()) if rest else (),
            selection=wanted,
            prepare_run=partial(_load_script, provider),
        )

    def _open(self, plan: CampaignPlan, secrets: Secrets) -> tuple[CampaignHeader, Path, Journal]:
        """The campaign's first line, folder and journal: new ones, or those of the campaign that is gone on with."""
        settings, rest = self.settings, self.rest
        if rest is not None:
            journal = Journal.resume(rest.folder / JOURNAL_NAME, rest.verification, secrets, self.clock)
            return rest.header, rest.folder, journal
        folder = open_folder(settings.out, settings.root, settings.overwrite, _folder_name(settings, plan))
        journal = Journal.create(folder / JOURNAL_NAME, secrets, self.clock)
        header = _header(plan, self.left_out, settings)
        journal.append("campaign_started", beside={"header": header.model_dump(mode="json")})
        return header, folder, journal


def _told_before(settled: Mapping[RunKey, ScenarioResult]) -> Board:
    """A board that knows the runs of an earlier session: they are told again without a call."""
    board = Board()
    for key, result in settled.items():
        for stage in STAGES:
            board.publish(retold(key, result, stage))
    return board


def _settled(rest: Leftover, wanted: Mapping[Trial, object]) -> dict[RunKey, ScenarioResult]:
    """Runs that are told again without a call. One that only a test had asked for does not stand for a selected one."""
    return {
        key: result for key, result in rest.settled().items() if not (result.asked_by_test and key.trial_of in wanted)
    }


def _load_script(provider: ModelProvider, run: RunPlan) -> None:
    if isinstance(provider, ScriptedProvider):
        provider.load(run.ids.run_id, run.scenario.script)


def _folder_name(settings: CampaignSettings, plan: CampaignPlan) -> str:
    stamp = plan.started_at[:19].replace(":", "").replace("-", "")
    return settings.folder_name or f"{stamp}-{plan.campaign_id}"


def _header(plan: CampaignPlan, left_out: Mapping[str, str], settings: CampaignSettings) -> CampaignHeader:
    return CampaignHeader(
        campaign_id=plan.campaign_id,
        secret_hex=plan.secret.hex(),
        seed=plan.seed,
        started_at=plan.started_at,
        mode=plan.mode,
        authority_level=plan.authority_level,
        without=settings.without,
        provider=plan.provider,
        pack=plan.pack,
        approved_models=plan.approved_models,
        concurrency=plan.concurrency,
        total=plan.total,
        selected=plan.selected,
        calls_planned=plan.calls,
        trials=plan.trials,
        left_out=dict(sorted(left_out.items())),
        soclab_version=plan.soclab_version,
        session_id=settings.session_id,
        judging=settings.judging,
    )
