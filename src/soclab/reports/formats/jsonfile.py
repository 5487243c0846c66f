"""`scorecard.json` as others read it (`schemas/scorecard-v1/`), and `comparison.json` in the same spelling."""

from __future__ import annotations

import json

from soclab.contracts.comparison_v1 import Comparison
from soclab.contracts.scorecard_v1 import Scorecard

__all__ = ["render"]


def render(record: Scorecard | Comparison) -> bytes:
    """Keys in the order of the published model, two spaces, ASCII escapes, one newline at the end."""
    value = record.model_dump(mode="json", by_alias=True)
    return (json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False) + "\n").encode("ascii")
