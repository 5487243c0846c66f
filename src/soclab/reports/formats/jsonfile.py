"""`scorecard.json` as others read it (`schemas/scorecard-v1/`), and both kinds of `comparison.json` in its spelling."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from soclab.contracts.comparison_v1 import Comparison
from soclab.contracts.releases_v1 import ReleaseComparison
from soclab.contracts.scorecard_v1 import Scorecard, StageResult

__all__ = ["pieces", "render"]

_RUNS = "scenarios"
_STAGE_KEYS = tuple(StageResult.model_fields)


def render(record: Scorecard | Comparison | ReleaseComparison) -> bytes:
    """Keys in the order of the published model, two spaces, ASCII escapes, one newline at the end."""
    return b"".join(pieces(record))


def pieces(record: Scorecard | Comparison | ReleaseComparison) -> Iterator[bytes]:
    """The same, a run at a time: as one text, thousands of runs take more memory than their whole campaign."""
    rest = record.model_dump(mode="json", by_alias=True, exclude={_RUNS})
    before = "{"
    for name, field in type(record).model_fields.items():
        key = field.serialization_alias or name
        yield f"{before}\n  {json.dumps(key)}: ".encode("ascii")
        yield from (
            _runs(record) if key == _RUNS and not isinstance(record, ReleaseComparison) else [_spelled(rest[key], "  ")]
        )
        before = ","
    yield b"\n}\n"


def _runs(record: Scorecard | Comparison) -> Iterator[bytes]:
    before = "["
    for one in record.scenarios:
        run = one.model_dump(mode="json", by_alias=True)
        _put_in_order(run)
        yield f"{before}\n    ".encode("ascii") + _spelled(run, "    ")
        before = ","
    yield b"\n  ]" if record.scenarios else b"[]"


def _spelled(value: Any, margin: str) -> bytes:
    """Line ends stand between values only: those in texts are escaped."""
    text = json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False)
    return text.replace("\n", f"\n{margin}").encode("ascii")


def _put_in_order(run: dict[str, Any]) -> None:
    """Records that were built unchecked have their members in the order of building, not of the model."""
    if "stages" in run:
        run["stages"] = [{key: stage[key] for key in _STAGE_KEYS} for stage in run["stages"]]
