"""From the outcome of a stage to what pytest makes of its item: exception, duration, properties, mark."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest

from soclab.contracts.outcome import StageOutcome
from soclab.contracts.vocabulary import StageStatus
from soclab.pytest_plugin.text import headline, verdict_word
from soclab.redaction import clean, clean_block

if TYPE_CHECKING:
    from _pytest.outcomes import Failed  # the class behind the public name, which type checkers cannot inherit from
else:
    Failed = pytest.fail.Exception

__all__ = [
    "CONTAINED_MARK",
    "TOLD",
    "StageError",
    "StageFailed",
    "Told",
    "dress",
    "expect",
    "is_contained",
    "place_skip",
    "properties",
]

_LIMIT: Final = 600
CONTAINED_MARK: Final = ("soclab_mark", "contained")


class StageFailed(Failed):
    """A stage that failed; its text is the whole block, and pytest shows nothing else."""

    def __init__(self, block: str) -> None:
        super().__init__(block, pytrace=False)


class StageError(StageFailed):
    """A stage without a usable answer; raised in set-up, so that it counts as an error."""


class Told(NamedTuple):
    """What set-up learned: the outcome, and how long the item waited for it."""

    outcome: StageOutcome
    waited_ms: float


TOLD: pytest.StashKey[Told] = pytest.StashKey()
"""On items of the campaign whose stage is known."""


def is_contained(outcome: StageOutcome) -> bool:
    """Whether the stage failed and a control kept the attempt from taking effect."""
    return outcome.status is StageStatus.FAILED and verdict_word(outcome) == "CONTAINED"


def properties(told: Told) -> list[tuple[str, str]]:
    """What travels with the report into JUnit and across processes: flat, clean texts."""
    outcome = told.outcome
    shared = {
        "soclab_scenario": outcome.key.scenario_id,
        "soclab_stage": outcome.stage.value,
        "soclab_trial": str(outcome.key.trial),
        "soclab_mode": outcome.key.mode.value,
        "soclab_run_id": outcome.run_id,
        "soclab_status": outcome.status.value,
        "soclab_outcome": outcome.outcome.value if outcome.outcome else None,
        "soclab_reason_code": outcome.reason_code,
        "soclab_control_reasons": ",".join(outcome.control_reasons) or None,
        "soclab_broken_at": outcome.broken_at.value if outcome.broken_at else None,
        "soclab_model": outcome.model,
    }
    found = [_property(name, value) for name, value in shared.items() if value is not None]
    if outcome.latency_ms is not None:
        found.append(("soclab_latency_ms", f"{outcome.latency_ms:.3f}"))
    found.append(_property("soclab_waited_ms", f"{told.waited_ms:.3f}"))  # most wait for next to nothing
    return found


@lru_cache(maxsize=512)
def _property(name: str, value: str) -> tuple[str, str]:
    """One for all stages that have it: pytest keeps the properties of every item to the end."""
    return name, clean(value, _LIMIT)


def dress(report: pytest.TestReport, told: Told, raised: StageFailed | None) -> None:
    """
    Make the report of a phase say what the stage said.

    The phase that ends the item carries the stage's latency as its duration; waiting is in no duration.

    Args:
        raised: what the phase raised, when it is ours; its first line goes into the short summary.
    """
    outcome = told.outcome
    latency_seconds = (outcome.latency_ms or 0.0) / 1000
    if report.when == "setup":
        waited_only = max(0.0, report.duration - told.waited_ms / 1000)
        report.duration = waited_only if report.passed else latency_seconds
    elif report.when == "call":
        report.duration = latency_seconds
    if report.sections:
        report.sections = [(name, clean_block(content)) for name, content in report.sections]
    if raised is not None and (crash := getattr(report.longrepr, "reprcrash", None)) is not None:
        crash.message = str(raised).partition("\n")[0]


def expect(report: pytest.TestReport, told: Told) -> None:
    """Make a broken stage an expected failure: shown, and decided by the gate."""
    report.outcome = "skipped"
    report.wasxfail = clean(headline(told.outcome), _LIMIT)


def place_skip(report: pytest.TestReport) -> None:
    """Where a skip was raised says nothing; its scenario does, and the skips of one run fold into one line."""
    if report.skipped and isinstance(report.longrepr, tuple):
        place: Any = (report.nodeid.partition("[")[0], None, report.longrepr[2])
        report.longrepr = place
