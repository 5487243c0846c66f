"""A campaign whose engine works, and what is left when it is finished."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from soclab.contracts.campaign import CampaignEnd, CampaignHeader
from soclab.contracts.fixture import Fixture
from soclab.contracts.outcome import RunKey, StageOutcome
from soclab.contracts.scenario_v1 import Scenario
from soclab.contracts.scorecard_v1 import ScenarioResult, Scorecard
from soclab.contracts.vocabulary import STAGES, Stage
from soclab.engine.background import BackgroundEngine
from soclab.engine.journal import JOURNAL_NAME, Journal
from soclab.engine.plan import CampaignPlan, RunPlan, plan_run
from soclab.errors import UnknownNameError
from soclab.evidence.verify import verify_journal
from soclab.reports.writer import write_reports
from soclab.scoring.scorecard import build_scorecard

__all__ = ["FinishedCampaign", "RunningCampaign", "finish_folder"]


@dataclass(frozen=True)
class FinishedCampaign:
    """The result and where it lies."""

    scorecard: Scorecard
    folder: Path
    results: Sequence[ScenarioResult]


@dataclass
class RunningCampaign:
    """
    Ask for outcomes; call `finish` exactly once.

    Attributes:
        scenarios: all that this agent can run, planned or not, by id.
        earlier: results of the sessions before this one, when the campaign was taken up again.
    """

    scenarios: Mapping[str, Scenario]
    worlds: Mapping[str, Fixture]
    plan: CampaignPlan
    header: CampaignHeader
    folder: Path
    engine: BackgroundEngine
    journal: Journal
    earlier: tuple[ScenarioResult, ...] = ()

    def __post_init__(self) -> None:
        self._runs = {run.key.scenario_id: run for run in self.plan.runs}

    def run_of(self, scenario_id: str) -> RunPlan:
        """The run of a scenario; one that was not planned is planned now."""
        known = self._runs.get(scenario_id)
        if known is None:
            if scenario_id not in self.scenarios:
                raise UnknownNameError("scenario", scenario_id, self.scenarios)
            scenario = self.scenarios[scenario_id]
            world = self.worlds[scenario.world]
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
        results = {one.run_id: one for one in (*self.earlier, *found.values())}
        return finish_folder(self.folder, self.header, list(results.values()), end)


def finish_folder(
    folder: Path, header: CampaignHeader, results: Sequence[ScenarioResult], end: CampaignEnd
) -> FinishedCampaign:
    """Scorecard and report files of a campaign whose journal is closed."""
    verification = verify_journal(folder / JOURNAL_NAME)
    ordered = sorted(results, key=lambda one: (one.id, one.trial, one.attempt))
    scorecard = build_scorecard(header, ordered, end, verification.roots, all_valid=verification.valid)
    write_reports(folder, scorecard)
    return FinishedCampaign(scorecard=scorecard, folder=folder, results=ordered)
