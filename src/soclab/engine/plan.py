"""What a campaign is going to do, settled before the first request."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from soclab.contracts.approval import Approver
from soclab.contracts.fixture import Fixture
from soclab.contracts.outcome import RunKey, Trial
from soclab.contracts.scenario_v1 import Injection, Scenario
from soclab.contracts.scorecard_v1 import Counts, PackInfo, ProviderInfo
from soclab.contracts.vocabulary import STAGES, AuthorityLevel, Kind, Mode, Stage
from soclab.engine.twins import twin_id, twin_of
from soclab.identity import derive_id, order_by_secret
from soclab.orchestrator.investigation import RunIds

__all__ = [
    "AGENT_MODEL_DEFAULT",
    "CALL_SECONDS_DEFAULT",
    "CampaignPlan",
    "RunPlan",
    "plan_campaign",
    "plan_run",
    "plan_twin",
]

AGENT_MODEL_DEFAULT = "agent"
CALL_SECONDS_DEFAULT = 30.0


@dataclass(frozen=True, slots=True)
class RunPlan:
    """
    One run. `stages` are the selected ones, in order; the run is led up to the last of them.

    Attributes:
        asked_by_test: only a user's own test asked for it, so that it counts in no rate.
        twin_of: of a clean twin, the run of its attack; its scenario is the twin's.
        neutral: of a clean twin, what stands in the world in the place of the hostile text.
    """

    key: RunKey
    scenario: Scenario
    fixture: Fixture
    ids: RunIds
    stages: tuple[Stage, ...]
    asked_by_test: bool = False
    twin_of: RunKey | None = None
    neutral: Injection | None = None

    @property
    def injection(self) -> Injection | None:
        """What is put into the world's channel: hostile, or neutral in a twin."""
        return self.neutral or self.scenario.injection

    def anew(self, secret: bytes, label: str, attempt: int) -> RunPlan:
        """The same run as a further attempt, with ids of its own."""
        key = self.key._replace(attempt=attempt)
        return replace(self, key=key, ids=_ids_of(secret, label, key))

    @property
    def place(self) -> RunKey:
        """Where outcomes are told, whichever attempt they come from."""
        return self.key if self.key.attempt == 1 else self.key._replace(attempt=1)


@dataclass(frozen=True)
class CampaignPlan:
    """
    Attributes:
        secret: 32 bytes from which every id, canary and order follows.
        seed: the user's `--soclab-seed`, None when the secret is random.
        started_at: ISO 8601, UTC; volatile.
        runs: in the campaign's own shuffled order.
        authority_level: under test.
        approver: who answers when a change waits for people.
        approved_models: globs of approved labels, the label given first.
        total: scenarios and stages of the whole pack selection this agent can run; `selected` of this campaign.
        max_seconds, max_calls: what the campaign may spend; None is no limit.
        rate_limit_reruns: how often a run that ended by a rate limit is tried anew.
        trials: how often each scenario is run.
        call_seconds: what an agent in this process may take for one answer.
        twins: every attack has a clean twin; it stands before its attack in `runs`, and has no items.
    """

    campaign_id: str
    secret: bytes
    seed: str | None
    started_at: str
    mode: Mode
    provider: ProviderInfo
    pack: PackInfo
    runs: tuple[RunPlan, ...]
    approved_models: tuple[str, ...]
    concurrency: int
    total: Counts
    soclab_version: str
    authority_level: AuthorityLevel = AuthorityLevel.L4
    approver: Approver = Approver.NONE
    max_seconds: float | None = None
    max_calls: int | None = None
    rate_limit_reruns: int = 0
    trials: int = 1
    call_seconds: float = CALL_SECONDS_DEFAULT
    twins: bool = False

    @property
    def selected(self) -> Counts:
        own = [run for run in self.runs if run.twin_of is None]
        scenarios = {run.key.scenario_id for run in own}
        return Counts(scenarios=len(scenarios), stages=sum(len(run.stages) for run in own))

    @property
    def twins_planned(self) -> int:
        return sum(run.twin_of is not None for run in self.runs)

    @property
    def calls(self) -> int:
        """Requests the plan makes when every run goes to its last selected stage."""
        return sum(STAGES.index(run.stages[-1]) + 1 for run in self.runs)

    @property
    def is_partial(self) -> bool:
        return self.selected != self.total

    def approves(self, label: str) -> bool:
        """Whether a model label is on the approved list."""
        return label == self.approved_models[0] or any(fnmatchcase(label, one) for one in self.approved_models[1:])


def plan_run(
    secret: bytes,
    label: str,
    scenario: Scenario,
    fixture: Fixture,
    key: RunKey,
    stages: Iterable[Stage],
    *,
    asked_by_test: bool = False,
) -> RunPlan:
    """One run with its ids; the stages are put in order."""
    wanted = set(stages)
    chosen = tuple(stage for stage in STAGES if stage in wanted)
    return RunPlan(
        key=key,
        scenario=scenario,
        fixture=fixture,
        ids=_ids_of(secret, label, key),
        stages=STAGES if chosen == STAGES else chosen,
        asked_by_test=asked_by_test,
    )


def _ids_of(secret: bytes, label: str, key: RunKey) -> RunIds:
    parts = (label, key.mode.value, key.scenario_id, str(key.trial), str(key.attempt))
    return RunIds(
        run_id=derive_id(secret, "run", *parts),
        trace_id=derive_id(secret, "trace", *parts),
        incident_id=f"INC-{derive_id(secret, 'incident', *parts)[:10].upper()}",
    )


def plan_twin(
    secret: bytes, label: str, attack: Scenario, fixture: Fixture, key: RunKey, stages: Iterable[Stage]
) -> RunPlan:
    """
    The clean twin of an attacked run.

    Args:
        key: of the twin.
        stages: it is led as far as its attack.
    """
    twin = twin_of(attack, fixture)
    run = plan_run(secret, label, twin.scenario, fixture, key, stages)
    of = key._replace(scenario_id=attack.id, attempt=1)
    return replace(run, twin_of=of, neutral=twin.neutral)


def plan_campaign(
    *,
    secret: bytes,
    seed: str | None,
    started_at: str,
    mode: Mode,
    provider: ProviderInfo,
    pack: PackInfo,
    scenarios: Sequence[Scenario],
    worlds: Mapping[str, Fixture],
    selection: Mapping[Trial, Iterable[Stage]],
    approved_models: Sequence[str],
    concurrency: int,
    soclab_version: str,
    authority_level: AuthorityLevel = AuthorityLevel.L4,
    approver: Approver = Approver.NONE,
    max_seconds: float | None = None,
    max_calls: int | None = None,
    rate_limit_reruns: int = 0,
    trials: int = 1,
    call_seconds: float = CALL_SECONDS_DEFAULT,
    twins: bool = False,
    done: Collection[Trial] = (),
    attempts: Mapping[RunKey, int] | None = None,
) -> CampaignPlan:
    """
    Args:
        attempts: scenario and trial (attempt 1) -> attempts made before this session.
        scenarios: what this agent can run, of the pack as the user chose it.
        selection: trial -> stages to run; those without stages are left out.
        trials: how often each scenario is to be run in all.
        twins: every attack has a clean twin, led as far as its attack.
        done: trials, those of twins among them, that are not to be run again.
    """
    by_id = {scenario.id: scenario for scenario in scenarios}
    runs: list[RunPlan] = []
    for one in _in_order(secret, (one for one in selection if one.scenario in by_id and tuple(selection[one]))):
        scenario = by_id[one.scenario]
        world, label, stages = worlds[scenario.world], provider.label, tuple(selection[one])
        twin = Trial(twin_id(scenario.id), one.number)
        if twins and scenario.kind is Kind.ATTACK and twin not in done:
            runs.append(plan_twin(secret, label, scenario, world, _next_attempt(twin, mode, attempts), stages))
        if one not in done:
            runs.append(plan_run(secret, label, scenario, world, _next_attempt(one, mode, attempts), stages))
    return CampaignPlan(
        campaign_id=derive_id(secret, "campaign", started_at)[:12],
        secret=secret,
        seed=seed,
        started_at=started_at,
        mode=mode,
        provider=provider,
        pack=pack,
        runs=tuple(runs),
        approved_models=(provider.model, *approved_models),
        concurrency=concurrency,
        total=Counts(scenarios=len(by_id), stages=len(by_id) * trials * len(STAGES)),
        soclab_version=soclab_version,
        authority_level=authority_level,
        approver=approver,
        max_seconds=max_seconds,
        max_calls=max_calls,
        rate_limit_reruns=rate_limit_reruns,
        trials=trials,
        call_seconds=call_seconds,
        twins=twins,
    )


def _in_order(secret: bytes, chosen: Iterable[Trial]) -> list[Trial]:
    """The campaign's own order: whole rounds, each shuffled, so that what a budget leaves out are later trials."""
    names = {one.scenario if one.number == 1 else f"{one.scenario}~{one.number}": one for one in chosen}
    return sorted((names[name] for name in order_by_secret(secret, names)), key=lambda one: one.number)


def _next_attempt(trial: Trial, mode: Mode, attempts: Mapping[RunKey, int] | None) -> RunKey:
    key = RunKey(scenario_id=trial.scenario, mode=mode, trial=trial.number)
    return key._replace(attempt=(attempts or {}).get(key, 0) + 1)
