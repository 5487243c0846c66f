"""A campaign whose engine works, and what is left when it is finished."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from soclab.contracts.campaign import CampaignEnd, CampaignHeader
from soclab.contracts.fixture import Fixture
from soclab.contracts.outcome import RunKey, StageOutcome, Trial
from soclab.contracts.scenario_v1 import Scenario
from soclab.contracts.scorecard_v1 import ScenarioResult, Scorecard
from soclab.contracts.vocabulary import STAGES, Mode, Stage
from soclab.engine.background import BackgroundEngine
from soclab.engine.journal import Journal
from soclab.engine.plan import CampaignPlan, RunPlan, plan_run
from soclab.errors import UnknownNameError
from soclab.evidence.latest import one_per_run
from soclab.evidence.signing import EvidenceSigner
from soclab.gateway.approvals import ApprovalQueue

__all__ = ["FinishedCampaign", "RunningCampaign", "Standing"]


@dataclass(frozen=True)
class FinishedCampaign:
    """
    The result and where it lies.

    Attributes:
        unwritten: why the files, or some of them, do not stand there; None when all do.
    """

    scorecard: Scorecard
    folder: Path
    results: Sequence[ScenarioResult]
    unwritten: str | None = None


class Standing(NamedTuple):
    """
    Attributes:
        done, planned: runs, without clean twins.
        broken: the first broken stage of each run that has one.
        calls: requests that went out, those of clean twins included.
    """

    done: int
    planned: int
    broken: Sequence[StageOutcome]
    calls: int


@dataclass
class RunningCampaign:
    """
    Ask for outcomes; call `finish` exactly once.

    Attributes:
        scenarios: all that this agent can run, planned or not, by id.
        approvals: the requests of its runs; any thread may list and decide them.
        selection: trial -> stages that were asked for, those of settled runs included.
        prepare_run: called with a run that was not planned, before it is led.
        earlier: results of the sessions before this one, when the campaign was taken up again.
        signer: signs what is written at the end; None when nobody does.
    """

    scenarios: Mapping[str, Scenario]
    worlds: Mapping[str, Fixture]
    plan: CampaignPlan
    header: CampaignHeader
    folder: Path
    engine: BackgroundEngine
    journal: Journal
    approvals: ApprovalQueue
    earlier: tuple[ScenarioResult, ...] = ()
    selection: Mapping[Trial, Sequence[Stage]] = field(default_factory=dict)
    prepare_run: Callable[[RunPlan], None] | None = None
    signer: EvidenceSigner | None = None

    def __post_init__(self) -> None:
        self._runs = {run.place: run for run in self.plan.runs}
        self._twins = {run.twin_of: run.place for run in self.plan.runs if run.twin_of is not None}
        self._twin_places = frozenset(self._twins.values())
        self._tried_anew: dict[RunKey, list[Stage]] = {}  # stages asked for since then

    def run_of(
        self, scenario_id: str, *, mode: Mode | None = None, trial: int = 1, asked_by_test: bool = False
    ) -> RunPlan:
        """
        The run of a scenario; one that was not planned is planned now.

        Args:
            mode: None for the campaign's own.
            asked_by_test: a user's own test asks: a run that is planned for it alone counts in no rate.

        Raises:
            UnknownNameError: this agent can run no such scenario.
        """
        key = RunKey(scenario_id=scenario_id, mode=mode or self.plan.mode, trial=trial)
        known = self._runs.get(key)
        if known is None:
            if scenario_id not in self.scenarios:
                raise UnknownNameError("scenario", scenario_id, self.scenarios)
            scenario = self.scenarios[scenario_id]
            world = self.worlds[scenario.world]
            stages = self.selection.get(key.trial_of) or STAGES[:1]  # more are added as they are asked for
            label = self.plan.provider.label
            known = plan_run(self.plan.secret, label, scenario, world, key, stages, asked_by_test=asked_by_test)
            if self.prepare_run is not None:
                self.prepare_run(known)
            self._runs[key] = known
        return known

    def outcome(
        self, scenario_id: str, stage: Stage, between: Callable[[], None] | None = None, *, trial: int = 1
    ) -> StageOutcome:
        """Wait for one stage of one run."""
        run = self.run_of(scenario_id, trial=trial)
        asked = self._tried_anew.get(run.place)
        if asked is not None:
            asked.append(stage)
        selected = run.stages if asked is None else asked
        outcome = self.engine.outcome(run, stage, selected=selected, between=self._meanwhile(between))
        _load_the_end()
        return outcome

    def try_anew(self, scenario_id: str, trial: int = 1) -> None:
        """
        Let a run that ended without a verdict be followed by another attempt, with ids of its own.

        What breaks in it is told at whatever stage is asked for next: earlier ones have been told already.
        """
        old = self.run_of(scenario_id, trial=trial)
        same = (key for key in self.engine.board.results() if key._replace(attempt=1) == old.place)
        attempts = [key.attempt for key in same]
        attempt = max((*attempts, old.key.attempt)) + 1
        new = old.anew(self.plan.secret, self.plan.provider.label, attempt)
        if self.prepare_run is not None:
            self.prepare_run(new)
        self._runs[old.place] = new
        self._tried_anew[old.place] = []
        self.engine.board.forget(old.place)

    def attempts(self, place: RunKey) -> list[tuple[RunPlan, bytes]]:
        """Every attempt of a run that there was or may be, with the campaign's secret; none of one nobody planned."""
        run = self._runs.get(place)
        if run is None:
            return []
        secret, label = self.plan.secret, self.plan.provider.label
        numbers = range(1, max(run.key.attempt, self.plan.rate_limit_reruns + 1) + 1)
        return [(run if one == run.key.attempt else run.anew(secret, label, one), secret) for one in numbers]

    def every_attempt(self) -> list[tuple[RunPlan, bytes]]:
        """The same of all runs."""
        return [one for place in list(self._runs) for one in self.attempts(place)]

    def twin_of(self, place: RunKey) -> RunKey | None:
        """The clean twin that was planned for the run of an attack."""
        return self._twins.get(place)

    def wait_all(self, between: Callable[[], None] | None = None) -> None:
        """Wait for everything that was planned."""
        self.engine.wait_all(self._meanwhile(between))

    def standing(self) -> Standing:
        """How far it is; cheap enough to ask ten times a second."""
        board = self.engine.board
        own = [(run.place, run.stages[-1]) for run in self.plan.runs if run.twin_of is None]
        broken = [one for one in board.broken() if one.key not in self._twin_places]
        return Standing(board.known_of(own), len(own), broken, self.engine.calls)

    def so_far(self) -> Scorecard:
        """The scorecard of the runs that are done by now; nothing is written."""
        from soclab.assembly.ending import scorecard_so_far  # loaded by now

        found = one_per_run((*self.earlier, *self.engine.board.results().values()))
        end = CampaignEnd(manoeuvres=self.engine.manoeuvres())
        return scorecard_so_far(self.journal.path, self.header, found, end)

    def finish(self, *, cancel: bool = False) -> FinishedCampaign:
        """End the engine, build the scorecard, write the files."""
        from soclab.assembly.ending import finish_folder  # loaded by now

        found, end = self._close(cancel=cancel)
        results = one_per_run((*self.earlier, *found.values()))
        return finish_folder(self.folder, self.header, results, end, self.signer)

    def leave(self, *, cancel: bool = False) -> None:
        """End the engine and the journal only: another process makes the files, with `reopened`."""
        self._close(cancel=cancel)

    def hurry(self) -> None:
        """Drop the calls in flight, so that `finish` ends soon, also when it waits already; a signal handler may."""
        self.engine.drop()

    def _meanwhile(self, between: Callable[[], None] | None) -> Callable[[], None]:
        """What to do between two looks at the engine: an agent's first answers take longer than importing the end."""

        def meanwhile() -> None:
            if self.engine.calls:
                _load_the_end()
            if between is not None:
                between()

        return meanwhile

    def _close(self, *, cancel: bool) -> tuple[dict[RunKey, ScenarioResult], CampaignEnd]:
        found, end = self.engine.close(cancel=cancel)
        self.journal.close()
        return found, end


def _load_the_end() -> None:
    """Not as late as it is needed: the end of a long session shall not depend on what the session has done since."""
    from soclab.assembly import ending

    ending.get_ready()
