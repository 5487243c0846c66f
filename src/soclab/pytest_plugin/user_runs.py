"""The fixture `soclab_run`: one run of one scenario, asked for by a user's own test."""

from __future__ import annotations

import asyncio
from typing import Final, NamedTuple

import pytest

from soclab.assembly import RunningCampaign
from soclab.assembly.stage_view import StageView, stage_view
from soclab.contracts.outcome import StageOutcome
from soclab.contracts.vocabulary import STAGES, Mode, Stage, StageStatus
from soclab.engine.plan import RunPlan
from soclab.errors import ConfigurationError, UnknownNameError, UsageError
from soclab.pytest_plugin.output_sections import tell_output
from soclab.pytest_plugin.results import StageError, StageFailed
from soclab.pytest_plugin.session import CampaignSession
from soclab.pytest_plugin.user_hooks import StageNotAnswered
from soclab.pytest_plugin.waking import attended, campaign_for, campaigns_by_mode, refusal
from soclab.redaction import clean

__all__ = ["MARK", "SoclabRun", "StageError", "StageFailed", "StageView", "run_for"]

MARK: Final = "soclab_scenario"
_LIMIT: Final = 600


class SoclabRun:
    """
    One run. Ask for stages in any order, one by one or only for the last: the run is led as far as it is asked.

    Attributes:
        scenario: its id.
    """

    def __init__(self, campaign: CampaignSession, running: RunningCampaign, run: RunPlan, item: pytest.Item) -> None:
        self.scenario = run.key.scenario_id
        self._campaign = campaign
        self._running = running
        self._run = run
        self._item = item
        self._asked: list[Stage] = []

    def stage(self, stage: str, *, check: bool = True) -> StageView:
        """
        Wait for a stage.

        Args:
            check: False returns what happened, whatever it was, and raises nothing.

        Raises:
            StageFailed: the agent fell, was wrong, or was blocked in honest work, here or at a stage before that this
                test did not ask for.
            StageError: there is no usable answer; the test counts as an error, not as a failure.
            pytest.skip.Exception: the stage was not reached, or the agent refused.
            UnknownNameError: there is no such stage.
        """
        wanted = self._wanted(stage)
        outcome = self._running.engine.outcome(self._run, wanted, selected=self._asked)
        return self._told(outcome, check=check)

    async def astage(self, stage: str, *, check: bool = True) -> StageView:
        """The same for async tests: other tasks of the test go on meanwhile."""
        wanted = self._wanted(stage)
        engine = self._running.engine
        found = await asyncio.shield(asyncio.wrap_future(engine.awaited(self._run, wanted)))
        return self._told(engine.told(self._run, wanted, found, selected=self._asked), check=check)

    def _wanted(self, stage: str) -> Stage:
        if stage not in STAGES:
            raise UnknownNameError("stage", str(stage), [one.value for one in STAGES], "soclab_run")
        wanted = Stage(stage)
        self._asked.append(wanted)
        return wanted

    def _told(self, outcome: StageOutcome, *, check: bool) -> StageView:
        campaign = self._campaign
        tell_output(self._item, "call", self._running, self._run.place, outcome.stage, campaign.secrets)
        if check and outcome.status is StageStatus.ERROR:
            raise StageError(campaign.block(outcome, self._item.nodeid))
        if check and outcome.status is StageStatus.FAILED and not campaign.passes_contained(outcome):
            raise StageFailed(campaign.block(outcome, self._item.nodeid))
        if check and outcome.status in (StageStatus.NOT_REACHED, StageStatus.REFUSED):
            raise StageNotAnswered(clean(outcome.headline, _LIMIT))
        return stage_view(outcome, self._run, self._running.plan.secret, campaign.secrets)


def run_for(request: pytest.FixtureRequest) -> SoclabRun:
    """
    What the fixture gives: the run that the test's marker names. Nobody is asked yet.

    Raises:
        pytest.fail.Exception: marker, scenario or agent cannot be used; one sentence.
        pytest.skip.Exception: this agent cannot run the scenario.
    """
    campaign = campaign_for(request)
    try:
        asked = _asked_for(request.node.get_closest_marker(MARK))
        why_not = _why_not(campaign, asked.scenario)
    except UsageError as error:
        raise refusal(error) from None
    if why_not:
        raise StageNotAnswered(f"{asked.scenario} cannot be run: {why_not}")
    if asked.mode is not None:  # a session in both modes has a campaign of that mode, and its run is the one
        campaign = campaigns_by_mode(request.config).get(asked.mode, campaign)
    running = attended(request, campaign)
    run = running.run_of(asked.scenario, mode=asked.mode, trial=asked.trial, asked_by_test=True)
    return SoclabRun(campaign, running, run, request.node)


class _Asked(NamedTuple):
    """What a marker names; no mode is the campaign's own."""

    scenario: str
    mode: Mode | None
    trial: int


def _why_not(campaign: CampaignSession, scenario: str) -> str:
    """Why this agent cannot run the scenario; empty when it can. Raises UnknownNameError when there is none."""
    runnable, left_out = campaign.prepared.whole_pack()
    if scenario not in runnable and scenario not in left_out:
        raise UnknownNameError("scenario", scenario, sorted([*runnable, *left_out]), MARK, see="--soclab-list")
    return left_out.get(scenario, "")


def _asked_for(mark: pytest.Mark | None) -> _Asked:
    """
    Raises:
        UsageError: there is no marker, or it does not say what is wanted.
    """
    usage = f'write @pytest.mark.{MARK}(id="ATK-001"), with mode="baseline" or trial=2 if you want'
    if mark is None:
        raise ConfigurationError(f"soclab_run needs to know the scenario: {usage}")
    said = dict(mark.kwargs)
    scenario, mode, trial = said.pop("id", None), said.pop("mode", None), said.pop("trial", 1)
    if said or mark.args or not isinstance(scenario, str) or not scenario:
        raise ConfigurationError(f"@pytest.mark.{MARK} does not say which scenario: {usage}")
    if mode is not None and mode not in set(Mode):
        raise UnknownNameError("mode", str(mode), [one.value for one in Mode], MARK)
    if not isinstance(trial, int) or isinstance(trial, bool) or trial < 1:
        raise ConfigurationError(f"{MARK}: trial is {trial!a}; give a whole number from 1")
    return _Asked(scenario, None if mode is None else Mode(mode), trial)
