"""`scorecard.json`: the scorecard as others read it (`schemas/scorecard-v1/`)."""

from __future__ import annotations

import json

from soclab.contracts.scorecard_v1 import Scorecard

__all__ = ["render"]


def render(scorecard: Scorecard) -> bytes:
    """Keys in the order of the published model, two spaces, ASCII escapes, one newline at the end."""
    value = scorecard.model_dump(mode="json", by_alias=True)
    return (json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False) + "\n").encode("ascii")
