"""Which stages items have told: two bits for each, because a large campaign has as many as pytest has items."""

from __future__ import annotations

from soclab.contracts.outcome import Trial
from soclab.contracts.vocabulary import STAGES
from soclab.pytest_plugin.collection import Place

__all__ = ["ToldStages"]

_COUNT = len(STAGES)
_TOLD = (1 << _COUNT) - 1


class ToldStages:
    """A set of places; of each it is known whether its stage was reached. The latest word counts."""

    def __init__(self) -> None:
        self._bits: dict[Trial, int] = {}

    def add(self, place: Place, *, was_reached: bool) -> None:
        told, reached = _bits_of(place)
        bits = self._bits.get(place.trial, 0) & ~reached
        self._bits[place.trial] = bits | told | (reached if was_reached else 0)

    def __contains__(self, place: Place) -> bool:
        return bool(self._bits.get(place.trial, 0) & _bits_of(place)[0])

    def __len__(self) -> int:
        return sum((bits & _TOLD).bit_count() for bits in self._bits.values())

    @property
    def has_reached(self) -> bool:
        """Whether any stage was reached."""
        return any(bits & ~_TOLD for bits in self._bits.values())


def _bits_of(place: Place) -> tuple[int, int]:
    told = 1 << STAGES.index(place.stage)
    return told, told << _COUNT
