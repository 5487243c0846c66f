"""`scorecard.json` as others read it (`schemas/scorecard-v1/`), and `comparison.json` in the same spelling."""

from __future__ import annotations

import json
from typing import Any

from soclab.contracts.comparison_v1 import Comparison
from soclab.contracts.scorecard_v1 import Scorecard, StageResult

__all__ = ["render"]

_STAGE_KEYS = tuple(StageResult.model_fields)


def render(record: Scorecard | Comparison) -> bytes:
    """Keys in the order of the published model, two spaces, ASCII escapes, one newline at the end."""
    value = record.model_dump(mode="json", by_alias=True)
    for run in value["scenarios"]:
        _put_in_order(run)
    return (json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False) + "\n").encode("ascii")


def _put_in_order(run: dict[str, Any]) -> None:
    """Records that were built unchecked have their members in the order of building, not of the model."""
    if "stages" in run:
        run["stages"] = [{key: stage[key] for key in _STAGE_KEYS} for stage in run["stages"]]
