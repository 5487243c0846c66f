"""What a manoeuvre is: something that the lab itself tries against its own control plane. One file each."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from soclab.adversary.bench import Bench
from soclab.contracts.manoeuvre import ManoeuvreResult
from soclab.redaction import clean

__all__ = ["Manoeuvre", "Tried", "try_all"]

_DETAIL_LIMIT = 200


class Tried(NamedTuple):
    """
    Attributes:
        refused: nothing ran that should not have, and no change went unseen.
        detail: one line, the same for the same controls: codes and our own words.
    """

    refused: bool
    detail: str


@dataclass(frozen=True)
class Manoeuvre:
    """
    Attributes:
        id: `MAN-nnn`; it never changes its meaning.
        says: one sentence: what is tried.
        defence: the control that has to refuse it; `evidence` for what no control stands for.
    """

    id: str
    name: str
    says: str
    defence: str
    attempt: Callable[[Bench], Awaitable[Tried]]


async def try_all(manoeuvres: Sequence[Manoeuvre], bench: Callable[[], Bench]) -> tuple[ManoeuvreResult, ...]:
    """
    Every manoeuvre, each on a bench of its own.

    What could not be tried is not refused: it was not shown.
    """
    results = []
    for one in manoeuvres:
        try:
            tried = await one.attempt(bench())
        except Exception as error:  # whatever it is, the defence was not seen to hold
            tried = Tried(False, f"could not be tried: {type(error).__name__}: {error}")
        results.append(
            ManoeuvreResult(id=one.id, name=one.name, refused=tried.refused, detail=clean(tried.detail, _DETAIL_LIMIT))
        )
    return tuple(results)
