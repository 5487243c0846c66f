"""
The one wiring room: concrete parts are chosen and joined here, and nowhere else.

A front door calls `prepare` (everything that can be wrong is said there, before the first request and before
anything is written), then `PreparedCampaign.start`, then `RunningCampaign.finish`.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from soclab import __version__
from soclab.clock import Clock, SystemClock
from soclab.contracts.campaign import CampaignEnd, CampaignHeader
from soclab.contracts.outcome import RunKey, StageOutcome
from soclab.contracts.provider import ModelProvider
from soclab.contracts.scenario_v1 import Scenario
from soclab.contracts.scorecard_v1 import PackInfo, ProviderInfo, ScenarioResult, Scorecard
from soclab.contracts.vocabulary import STAGES, Kind, Mode, Stage
from soclab.engine.background import BackgroundEngine
from soclab.engine.folder import check_folder, open_folder
from soclab.engine.journal import JOURNAL_NAME, Journal
from soclab.engine.live import RunKit
from soclab.engine.plan import AGENT_MODEL_DEFAULT, CampaignPlan, RunPlan, plan_campaign, plan_run
from soclab.errors import ConfigurationError, SoclabError, UnknownNameError, UsageError
from soclab.evidence.verify import verify_journal
from soclab.gateway.presets import controls_for
from soclab.identity import campaign_secret
from soclab.oracles.predicates import PREDICATES
from soclab.orchestrator.prompt import Instructions
from soclab.providers import registry
from soclab.providers.callables import provider_from
from soclab.providers.scripted import ScriptedProvider
from soclab.redaction import Secrets, clean
from soclab.reports.writer import write_reports
from soclab.scenarios.loader import load_pack
from soclab.scenarios.pack import Pack
from soclab.scenarios.selection import select
from soclab.scoring.scorecard import build_scorecard
from soclab.simulator.catalog import action_offers

__all__ = ["CampaignSettings", "FinishedCampaign", "PreparedCampaign", "RunningCampaign", "prepare"]

TOKEN_VARIABLE = "SOCLAB_HTTP_AGENT_TOKEN"
_SCRIPTED = "scripted"


@dataclass(frozen=True)
class CampaignSettings:
    """
    What a front door was asked for.

    Attributes:
        environment: the process environment as the front door read it.
        root: folder below which `.soclab/` is made.
        provider_id, agent_spec: exactly one of them, unless `fixture_agent`.
        fixture_agent: where the user's own `soclab_agent` fixture stands; the agent comes with `start`.
        patterns: scenario ids or globs; empty means all.
    """

    environment: Mapping[str, str]
    root: Path
    provider_id: str | None = None
    agent_spec: str | None = None
    fixture_agent: str | None = None
    model: str | None = None
    mode: Mode = Mode.PROTECTED
    patterns: tuple[str, ...] = ()
    scenarios_folder: Path | None = None
    concurrency: int = 4
    out: Path | None = None
    overwrite: bool = False
    seed: str | None = None
    approved_models: tuple[str, ...] = ()


@dataclass(frozen=True)
class FinishedCampaign:
    """The result and where it lies."""

    scorecard: Scorecard
    folder: Path
    results: Sequence[ScenarioResult]


def prepare(settings: CampaignSettings) -> PreparedCampaign:
    """
    Check everything and settle what is to be run.

    Raises:
        UsageError: whatever is wrong with names, files, environment or folders; one line.
    """
    if settings.concurrency < 1:
        raise ConfigurationError(f"concurrency {settings.concurrency}: give a whole number of at least 1")
    pack = load_pack(settings.scenarios_folder, known_predicates=PREDICATES)
    chosen = select(pack, settings.patterns)
    info = _agent_info(settings)
    runnable, left_out = _split(chosen, info.id)
    if not runnable:
        reasons = "; ".join(sorted(set(left_out.values())))
        raise UsageError(f"no selected scenario can be run by agent {info.id!r}: {reasons}")
    check_folder(settings.out, settings.root, settings.overwrite)
    return PreparedCampaign(settings, pack, tuple(runnable), left_out, info)


def _agent_info(settings: CampaignSettings) -> ProviderInfo:
    model = settings.model or AGENT_MODEL_DEFAULT
    if settings.provider_id is not None and settings.agent_spec is not None:
        raise ConfigurationError("both a provider and an agent are named: give --soclab-provider or --soclab-agent")
    if settings.fixture_agent is not None:
        return _in_process("fixture", model, "soclab_agent")
    if settings.agent_spec is not None:
        return _in_process("agent", model, settings.agent_spec)
    if settings.provider_id is None:
        raise ConfigurationError(
            f"no agent is named: give --soclab-provider ({', '.join(registry.provider_ids())}) or --soclab-agent"
        )
    entry = registry.entry(settings.provider_id)
    registry.check(entry, settings.environment)
    return ProviderInfo(
        id=entry.id,
        model=model,
        label=f"{entry.id}:{model}",
        validation=entry.validation,
        isolation="http" if entry.isolation == "http" else "in_process",
    )


def _in_process(provider_id: str, model: str, label: str) -> ProviderInfo:
    return ProviderInfo(
        id=provider_id, model=model, label=f"{label}:{model}", validation="none", isolation="in_process"
    )


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
    A campaign that can be started: everything is checked, nothing is written, nobody was asked.

    Attributes:
        scenarios: those this agent can run, by id.
        left_out: id -> why not, for the header.
    """

    settings: CampaignSettings
    pack: Pack
    scenarios: tuple[Scenario, ...]
    left_out: Mapping[str, str]
    provider: ProviderInfo
    clock: Clock = field(default_factory=SystemClock)

    def everything(self) -> dict[str, tuple[Stage, ...]]:
        """The selection of all scenarios with all stages."""
        return {scenario.id: STAGES for scenario in self.scenarios}

    def default_agent(self) -> ModelProvider:
        """
        The agent that the settings name.

        Raises:
            UsageError: it cannot be imported or is no agent.
        """
        settings = self.settings
        if settings.agent_spec is not None:
            return provider_from(load_agent(settings.agent_spec, settings.root))
        if settings.provider_id is None:
            raise ConfigurationError("the agent comes from the fixture soclab_agent, which gave none")
        return registry.build(settings.provider_id, settings.environment, settings.model)

    def describe(self) -> str:
        """The agent in force, one short phrase."""
        if self.settings.fixture_agent is not None:
            return f"fixture soclab_agent ({self.settings.fixture_agent})"
        if self.settings.agent_spec is not None:
            return f"agent {self.settings.agent_spec}"
        return f"provider {self.provider.id}, model {self.provider.model}"

    def start(self, agent: object, selection: Mapping[str, Iterable[Stage]] | None = None) -> RunningCampaign:
        """
        Make the folder, open the journal, start the engine.

        Args:
            agent: a provider, an ASGI app or a callable; None for the one the settings name.
            selection: scenario id -> stages; None for everything.

        Raises:
            UsageError: the agent cannot be used, or the folder cannot be made.
        """
        provider = self.default_agent() if agent is None else provider_from(agent)
        started_at = self.clock.now().isoformat(timespec="milliseconds")
        settings = self.settings
        plan = plan_campaign(
            secret=campaign_secret(settings.seed),
            seed=settings.seed,
            started_at=started_at,
            mode=settings.mode,
            provider=self.provider,
            pack=PackInfo(name=self.pack.name, version=self.pack.version, sha256=self.pack.sha256),
            scenarios=self.scenarios,
            worlds=self.pack.worlds,
            selection=self.everything() if selection is None else selection,
            approved_models=settings.approved_models,
            concurrency=settings.concurrency,
            soclab_version=__version__,
        )
        _load_scripts(provider, plan)
        folder = open_folder(settings.out, settings.root, settings.overwrite, started_at, plan.campaign_id)
        secrets = agent_secrets(settings.environment)
        journal = Journal(folder / JOURNAL_NAME, secrets, self.clock)
        header = _header(plan, self.left_out)
        journal.append("campaign_started", beside={"header": header.model_dump(mode="json")})
        kit = RunKit(
            plan=plan,
            controls=controls_for(settings.mode),
            instructions=Instructions(action_offers()),
            secrets=secrets,
            journal=journal,
            clock=self.clock,
        )
        engine = BackgroundEngine(kit, provider)
        engine.start()
        return RunningCampaign(self, plan, header, folder, engine, journal)


def agent_secrets(environment: Mapping[str, str]) -> Secrets:
    """The texts that may stand in no artefact."""
    token = environment.get(TOKEN_VARIABLE, "")
    return Secrets([token] if token else [])


def load_agent(spec: str, root: Path) -> Any:
    """
    The object that `package.module:factory` names; a factory without parameters is called.

    Raises:
        UsageError: the spec has no such form, or the module or name is not there.
    """
    module_name, _, name = spec.partition(":")
    if not module_name or not name:
        raise ConfigurationError(f"--soclab-agent {spec!a}: write it as package.module:factory")
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    try:
        thing: Any = importlib.import_module(module_name)
        for part in name.split("."):
            thing = getattr(thing, part)
    except Exception as error:  # a user's module may fail in any way; they need one line
        raise ConfigurationError(
            f"--soclab-agent {spec!a}: {type(error).__name__}: {clean(str(error), 200)}"
        ) from error
    return _call_factory(spec, thing)


def _call_factory(spec: str, thing: Any) -> Any:
    if not _is_factory(thing):
        return thing
    try:
        return thing()
    except Exception as error:  # as above
        raise ConfigurationError(
            f"--soclab-agent {spec!a}: calling it failed: {type(error).__name__}: {clean(str(error), 200)}"
        ) from error


def _is_factory(thing: Any) -> bool:
    """A callable that can be called with nothing makes the agent; one that takes a request is the agent."""
    if not callable(thing) or isinstance(thing, ModelProvider):
        return isinstance(thing, type)
    try:
        inspect.signature(thing).bind()
    except (TypeError, ValueError):
        return False
    return True


def _load_scripts(provider: ModelProvider, plan: CampaignPlan) -> None:
    if isinstance(provider, ScriptedProvider):
        for run in plan.runs:
            provider.load(run.ids.run_id, run.scenario.script)


def _header(plan: CampaignPlan, left_out: Mapping[str, str]) -> CampaignHeader:
    return CampaignHeader(
        campaign_id=plan.campaign_id,
        secret_hex=plan.secret.hex(),
        seed=plan.seed,
        started_at=plan.started_at,
        mode=plan.mode,
        authority_level=plan.authority_level,
        provider=plan.provider,
        pack=plan.pack,
        approved_models=plan.approved_models,
        concurrency=plan.concurrency,
        total=plan.total,
        selected=plan.selected,
        calls_planned=plan.calls,
        left_out=dict(sorted(left_out.items())),
        soclab_version=plan.soclab_version,
    )


@dataclass
class RunningCampaign:
    """A campaign whose engine works. Ask for outcomes; call `finish` exactly once."""

    prepared: PreparedCampaign
    plan: CampaignPlan
    header: CampaignHeader
    folder: Path
    engine: BackgroundEngine
    journal: Journal

    def __post_init__(self) -> None:
        self._runs = {run.key.scenario_id: run for run in self.plan.runs}

    def run_of(self, scenario_id: str) -> RunPlan:
        """The run of a scenario; one that was not planned is planned now."""
        known = self._runs.get(scenario_id)
        if known is None:
            by_id = {scenario.id: scenario for scenario in self.prepared.scenarios}
            if scenario_id not in by_id:
                raise UnknownNameError("scenario", scenario_id, by_id)
            scenario = by_id[scenario_id]
            world = self.prepared.pack.worlds[scenario.world]
            key = RunKey(scenario_id=scenario_id, mode=self.plan.mode)
            known = plan_run(self.plan.secret, self.plan.provider.label, scenario, world, key, STAGES[:1])
            self._runs[scenario_id] = known
        return known

    def outcome(self, scenario_id: str, stage: Stage, between: Callable[[], None] | None = None) -> StageOutcome:
        """Wait for one stage of one scenario."""
        run = self.run_of(scenario_id)
        return self.engine.outcome(run, stage, selected=run.stages, between=between)

    def wait_all(self, between: Callable[[], None] | None = None) -> None:
        """Wait for everything that was planned."""
        self.engine.wait_all(between)

    def finish(self, *, cancel: bool = False) -> FinishedCampaign:
        """End the engine, build the scorecard, write the files."""
        found, end = self.engine.close(cancel=cancel)
        self.journal.close()
        return finish_folder(self.folder, self.header, list(found.values()), end)


def finish_folder(
    folder: Path, header: CampaignHeader, results: Sequence[ScenarioResult], end: CampaignEnd
) -> FinishedCampaign:
    """Scorecard and report files of a campaign whose journal is closed."""
    verification = verify_journal(folder / JOURNAL_NAME)
    ordered = sorted(results, key=lambda one: (one.id, one.trial, one.attempt))
    scorecard = build_scorecard(header, ordered, end, verification.roots, all_valid=verification.valid)
    write_reports(folder, scorecard)
    return FinishedCampaign(scorecard=scorecard, folder=folder, results=ordered)


def with_mode(settings: CampaignSettings, mode: Mode, out: Path | None) -> CampaignSettings:
    """The same settings for the other mode and its own folder."""
    return replace(settings, mode=mode, out=out)


__all__ += ["SoclabError", "agent_secrets", "finish_folder", "load_agent", "with_mode"]
