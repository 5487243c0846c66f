"""Which scenarios of a pack a user asked for."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from soclab.contracts.scenario_v1 import Scenario
from soclab.errors import UnknownNameError
from soclab.redaction import clean
from soclab.scenarios.pack import Pack

__all__ = ["select"]


def select(pack: Pack, patterns: Sequence[str]) -> tuple[Scenario, ...]:
    """
    The scenarios whose id is, or matches, one of the patterns, each once, sorted by id.

    Args:
        patterns: ids or globs (`ATK-0*`), case-sensitive; empty means all.

    Raises:
        UnknownNameError: a pattern matches no scenario of the pack.
    """
    if not patterns:
        return pack.scenarios
    ids = [scenario.id for scenario in pack.scenarios]
    chosen: set[str] = set()
    for pattern in patterns:
        matched = [one for one in ids if fnmatchcase(one, pattern)]
        if not matched:
            raise UnknownNameError("scenario", clean(pattern, 80), ids, f"pack {pack.name}", see="--soclab-list")
        chosen.update(matched)
    return tuple(scenario for scenario in pack.scenarios if scenario.id in chosen)
