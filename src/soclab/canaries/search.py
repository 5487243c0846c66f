"""The search in one text, and the replacement of what it finds."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from soclab.canaries.traces import LongRun
from soclab.decoding import squeeze, squeezed_readings
from soclab.decoding.stumps import Stump

__all__ = ["find", "replace"]

_STUMP = 8
"""So many characters of a canary that was cut off are replaced."""


def find(text: str, canaries: Mapping[str, str]) -> tuple[str, ...]:
    """
    Slots whose canary a text holds in any reading of it (`soclab.decoding`), forwards or backwards; sorted.

    Sixteen of its characters in a row are a canary as well.
    Letter case, blanks, punctuation and invisible characters between its letters make no difference.
    """
    missing = [(slot, *_both_ways(canary)) for slot, canary in canaries.items() if canary]
    found: list[str] = []
    if not missing:
        return ()
    for _, stream in squeezed_readings(text):
        hits = [slot for slot, forwards, backwards in missing if forwards.is_in(stream) or backwards.is_in(stream)]
        if hits:
            found += hits
            missing = [entry for entry in missing if entry[0] not in hits]
            if not missing:
                break
    return tuple(sorted(found))


@lru_cache(maxsize=1024)
def _both_ways(canary: str) -> tuple[LongRun, LongRun]:
    needle = squeeze(canary)
    return LongRun(needle), LongRun(needle[::-1])


def replace(text: str, canaries: Mapping[str, str], placeholders: Mapping[str, str]) -> str:
    """
    The text with every canary gone: a placeholder where it stands literally; where it stands in another form, the
    whole text becomes the placeholders of what it holds. What a cut left of one at either end, or before `...`, goes
    too. The same object when it holds none.
    """
    for slot, canary in canaries.items():
        if canary and canary in text:
            text = text.replace(canary, placeholders[slot])
        if len(canary) > _STUMP:
            text = Stump(canary, _STUMP, _STUMP, any_case=True).replace(text, placeholders[slot])
    hidden = find(text, canaries)
    return " ".join(placeholders[slot] for slot in hidden) if hidden else text
