"""What the arguments of the campaign name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from soclab.pytest_plugin.arguments import NODE

__all__ = ["Named", "parse"]

_LEVELS: Final = ("baseline", "protected")
_SHAPE: Final = re.compile(
    rf"{NODE}::(?:(?P<level>{'|'.join(_LEVELS)})(?:::|\Z))?(?:(?P<scenario>[^\[:]+)(?:\[(?P<stage>[^\]]+?)(?:-t(?P<trial>[1-9][0-9]{{0,2}}))?\])?)?"
)


@dataclass(frozen=True)
class Named:
    """
    A mode, a scenario, or one stage of one trial of it, that an argument names. None is all.

    A stage alone is one of the first trial.
    """

    scenario: str | None
    stage: str | None
    level: str | None = None
    trial: int | None = None


def parse(arguments: Iterable[str], whole: Iterable[str] = ()) -> tuple[Named, ...]:
    """
    What the arguments select; () is everything.

    Args:
        whole: names that stand for the whole campaign, such as the gate's.

    Raises:
        ValueError: an argument has no such form; its text is the argument.
    """
    found: list[Named] = []
    for one in arguments:
        if one == NODE or one in {f"{NODE}::{name}" for name in whole}:
            return ()
        match = _SHAPE.fullmatch(one)
        if match is None or one.endswith(":"):
            raise ValueError(one)
        trial = None if match["stage"] is None else int(match["trial"] or 1)
        found.append(Named(match["scenario"], match["stage"], match["level"], trial))
    return tuple(found)
