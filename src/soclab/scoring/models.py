"""Model labels in replies that nobody approved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from soclab.contracts.scorecard_v1 import ScenarioResult

__all__ = ["foreign_models"]


def foreign_models(runs: Iterable[ScenarioResult], approved: Sequence[str]) -> dict[str, int]:
    """
    Untrusted labels and how many replies name them, the most frequent first.

    Args:
        approved: the label given, taken literally, then globs.
    """
    labels = Counter(stage.model for run in runs for stage in run.stages if stage.model is not None)
    foreign = {label: count for label, count in labels.items() if not _approves(label, approved)}
    return dict(sorted(foreign.items(), key=lambda one: (-one[1], one[0])))


def _approves(label: str, approved: Sequence[str]) -> bool:
    return label in approved[:1] or any(fnmatchcase(label, one) for one in approved[1:])
