"""The fixture `soclab_campaign`: the session's campaign, for assertions over the whole of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import pytest

from soclab.assembly import RunningCampaign
from soclab.contracts.outcome import Trial
from soclab.contracts.scorecard_v1 import Rate, Rates, ScenarioResult, Scorecard
from soclab.contracts.vocabulary import Mode, Outcome
from soclab.errors import ConfigurationError, UnknownNameError
from soclab.pytest_plugin.arguments import NODE
from soclab.pytest_plugin.waking import attended, campaign_for, campaigns_by_mode, refusal

__all__ = ["SoclabCampaign", "campaign_view"]


class SoclabCampaign:
    """
    Every question first waits until all planned runs are done; they go on side by side meanwhile.

    The campaign's items come after the tests of files and find their runs done then. Runs that only tests asked for
    are in none of the answers but `scorecard.scenarios`, where they are marked.
    """

    def __init__(self, running: RunningCampaign, modes: Mapping[Mode, Callable[[], RunningCampaign]]) -> None:
        self._running = running
        self._modes = modes

    def in_mode(self, mode: str) -> SoclabCampaign:
        """
        The campaign of a mode, in a session with `--soclab-mode both`; without this, questions go to the protected one.

        Raises:
            UnknownNameError: this session has no such mode.
        """
        if mode not in self._modes:
            raise UnknownNameError("mode", mode, [one.value for one in self._modes], "soclab_campaign.in_mode")
        return SoclabCampaign(self._modes[Mode(mode)](), self._modes)

    @property
    def scorecard(self) -> Scorecard:
        """As it would stand in scorecard.json if the session ended now; built anew at every look."""
        self._running.wait_all()
        return self._running.so_far()

    @property
    def results(self) -> tuple[ScenarioResult, ...]:
        """Every run that was led to its end, by id, trial and attempt; clean twins stand in `scorecard` only."""
        scenarios = self.scorecard.scenarios
        return tuple(one for one in scenarios if not one.asked_by_test and one.twin_of is None)

    def outcome(self, scenario: str, trial: int = 1) -> Outcome | None:
        """
        The outcome of a run's last attempt; None when stages are deselected, so that the run has no end.

        Raises:
            UnknownNameError: the scenario, or this trial of it, is not part of this campaign.
        """
        results = {Trial(one.id, one.trial): one.outcome for one in self.results}
        asked = Trial(scenario, trial)
        if asked in results:
            return results[asked]
        planned = {one.key.trial_of for one in self._running.plan.runs if one.twin_of is None} | results.keys()
        known = sorted({one.scenario for one in planned})
        if scenario not in known:
            raise UnknownNameError("scenario", scenario, known, "soclab_campaign.outcome")
        if asked not in planned:
            numbers = sorted(str(one.number) for one in planned if one.scenario == scenario)
            raise UnknownNameError("trial", str(trial), numbers, "soclab_campaign.outcome")
        return None

    def rate(self, name: str) -> Rate:
        """
        A rate with its counts and bounds: `attack_success`, `susceptibility`, `utility`, ...

        Raises:
            UnknownNameError: there is no such rate.
        """
        if name not in Rates.model_fields:
            raise UnknownNameError("rate", name, list(Rates.model_fields), "soclab_campaign.rate")
        rate: Rate = getattr(self.scorecard.rates, name)
        return rate


def campaign_view(request: pytest.FixtureRequest) -> SoclabCampaign:
    """
    What the fixture gives.

    Raises:
        pytest.fail.Exception: there is no agent, or no item of the campaign is part of the session.
    """
    campaign = campaign_for(request)
    if hasattr(request.config, "workerinput"):
        raise refusal(
            ConfigurationError("soclab_campaign sees the whole campaign without pytest-xdist only: leave -n out")
        )
    if not campaign.selection:
        why = (
            f"soclab_campaign: no campaign is part of this session; name it beside the file, as in `pytest {NODE} "
            "test_mine.py`, or leave the file out"
        )
        raise refusal(ConfigurationError(why))
    modes = {mode: partial(attended, request, one) for mode, one in campaigns_by_mode(request.config).items()}
    if not campaign.is_whole:
        why = "soclab_campaign: under pytest-xdist the campaign may run in another worker than this test; leave -n out"
        raise refusal(ConfigurationError(why))
    return SoclabCampaign(attended(request, campaign), modes)
