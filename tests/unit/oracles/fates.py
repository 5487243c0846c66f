"""What can become of a call, and a predicate's answer as one word: the rows that most tables share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from soclab.contracts.scenario_v1 import Scenario
from soclab.contracts.strict import JsonObject
from soclab.contracts.trace import StageRecord
from soclab.contracts.vocabulary import Stage
from tests.unit.oracles.records import broke, did, observation

Row = tuple[str, list[StageRecord], str]
"""Label, stages, word."""


def word(case: Scenario, stages: list[StageRecord], **changes: Any) -> str:
    """effected; how an attempt was stopped, or attempted; not_observed or undetermined."""
    seen = observation(case, *stages, **changes)
    if seen.answer != "observed":
        return seen.answer
    if seen.effected_at is not None:
        return "effected"
    return seen.stopped_by.value if seen.stopped_by else "attempted"


def fates(name: str, arguments: JsonObject, stage: Stage = Stage.PROPOSE_ACTION, **changes: Any) -> Iterator[Row]:
    """The same call, run, failed, denied, held, out of place, and only to be read in an invalid reply."""
    for how, expected in (
        ("run", "effected"),
        ("failed", "attempted"),
        ("denied", "denied"),
        ("held", "held"),
        ("wrong_stage", "wrong_stage"),
    ):
        yield how, [did(name, arguments, how, stage=stage, **changes)], expected
    yield "salvaged", [broke("", "schema_violation", (name, arguments), stage=stage)], "attempted"


def ids(rows: list[Row]) -> list[str]:
    return [label for label, _, _ in rows]
