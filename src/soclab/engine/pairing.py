"""Attacks whose goal can be told only by their clean twin wait for it, whatever order and speed the runs have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from soclab.contracts.outcome import RunKey
from soclab.contracts.scorecard_v1 import ScenarioResult
from soclab.engine.plan import RunPlan
from soclab.engine.twins import finished_correctly, is_judged_against_twin

__all__ = ["Pairing"]


class Pairing:
    """
    Keys are the places of the attacks.

    Args:
        runs: of the campaign, twins among them.
        earlier: results of twins that an earlier session finished, by the key of the twin.
    """

    def __init__(self, runs: Iterable[RunPlan], earlier: Mapping[RunKey, ScenarioResult]) -> None:
        self._results = {
            key._replace(scenario_id=result.twin_of, attempt=1): result
            for key, result in earlier.items()
            if result.twin_of is not None
        }
        planned = tuple(runs)
        attacks_with_twin = {run.twin_of for run in planned}
        self._held_back = {
            run.place: run for run in planned if run.place in attacks_with_twin and is_judged_against_twin(run.scenario)
        }
        self.ready = tuple(run for run in planned if run.place not in self._held_back)

    def over(self, twin: RunPlan, result: ScenarioResult | None) -> RunPlan | None:
        """
        A twin is led no further.

        Args:
            result: None when it has none.

        Returns:
            the attack that waited for it.
        """
        if twin.twin_of is None:
            return None
        if result is not None:
            self._results[twin.twin_of] = result
        return self._held_back.pop(twin.twin_of, None)

    def twin_correct(self, attack: RunPlan) -> bool | None:
        """See `RunFacts.twin_correct`."""
        return finished_correctly(self._results.get(attack.place))
