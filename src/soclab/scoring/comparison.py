"""Two campaigns of one agent, without and with controls, scenario by scenario."""

from __future__ import annotations

from soclab.contracts.comparison_v1 import Comparison, Pair, Side
from soclab.contracts.scorecard_v1 import ScenarioResult, Scorecard
from soclab.scoring.populations import Population

__all__ = ["compare_scorecards"]


def compare_scorecards(baseline: Scorecard, protected: Scorecard) -> Comparison:
    """Both sides and every scenario that either ran, by id."""
    first, second = _by_key(baseline), _by_key(protected)
    return Comparison(
        soclab_version=protected.soclab_version,
        agent=protected.provider.label,
        same_pack=baseline.pack == protected.pack,
        baseline=_side(baseline),
        protected=_side(protected),
        scenarios=tuple(
            Pair(
                id=key[0],
                kind=(first.get(key) or second[key]).kind,
                trial=key[1],
                baseline=first[key].outcome if key in first else None,
                protected=second[key].outcome if key in second else None,
            )
            for key in sorted(first.keys() | second.keys())
        ),
    )


def _by_key(scorecard: Scorecard) -> dict[tuple[str, int], ScenarioResult]:
    return {(one.id, one.trial): one for one in Population.of(scorecard.scenarios).runs}


def _side(scorecard: Scorecard) -> Side:
    return Side(
        campaign_id=scorecard.campaign_id,
        started_at=scorecard.started_at,
        without=scorecard.without,
        complete=scorecard.complete,
        passed=scorecard.passed,
        outcomes=scorecard.outcomes,
        rates=scorecard.rates,
    )
