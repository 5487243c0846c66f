"""What the arguments of the campaign name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from soclab.pytest_plugin.arguments import NODE

__all__ = ["Named", "parse"]

_SHAPE: Final = re.compile(rf"{NODE}::(?P<scenario>[^\[:]+)(?:\[(?P<stage>[^\]]+)\])?")


@dataclass(frozen=True)
class Named:
    """A scenario, or one stage of it, that an argument names."""

    scenario: str
    stage: str | None


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
        if match is None:
            raise ValueError(one)
        found.append(Named(match["scenario"], match["stage"]))
    return tuple(found)
