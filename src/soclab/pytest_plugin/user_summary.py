"""What the end of the terminal output says of the runs that only tests asked for."""

from __future__ import annotations

from collections.abc import Iterator

from soclab.assembly import FinishedCampaign
from soclab.contracts.scorecard_v1 import ScenarioResult
from soclab.redaction import clean

__all__ = ["asked_lines", "is_only_asked"]

_SHOWN = 12
_LIMIT = 500


def is_only_asked(finished: FinishedCampaign) -> bool:
    """Whether the session was about the runs of users' tests and nothing else: there is no campaign to tell of."""
    scorecard = finished.scorecard
    return not scorecard.selected.scenarios and any(one.asked_by_test for one in scorecard.scenarios)


def asked_lines(finished: FinishedCampaign, agent: str) -> list[str]:
    """
    Lines without line ends; empty when no test asked for a run of its own.

    Args:
        agent: the agent in force, as the header says it; told only where no campaign tells it.
    """
    asked = [one for one in finished.results if one.asked_by_test]
    if not asked:
        return []
    more = f", and {len(asked) - _SHOWN} more" if len(asked) > _SHOWN else ""
    runs = "1 run" if len(asked) == 1 else f"{len(asked)} runs"
    lines = [f"by tests    {runs} that only tests asked for, in no rate: {', '.join(_told(asked[:_SHOWN]))}{more}"]
    if is_only_asked(finished):
        lines.insert(0, f"agent       {agent}")
        lines.append(f"files       {finished.folder}: journal.jsonl, scorecard.json")
    return [clean(line, _LIMIT) for line in lines]


def _told(results: list[ScenarioResult]) -> Iterator[str]:
    for one in results:
        trial = "" if one.trial == 1 else f" trial {one.trial}"
        yield f"{one.id}{trial} {one.mode} {one.outcome or 'not finished'}"
