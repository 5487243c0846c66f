"""Which trials of two releases make a pair, and what in a pair is bad."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from soclab.contracts.releases_v1 import Measure, NoPair, ReleasePair, ReleaseRun
from soclab.contracts.vocabulary import Kind, Outcome

__all__ = ["CLEAN", "MEASURES", "family_of", "is_bad", "pairs_of"]

CLEAN = "clean"
"""The family of clean runs; attacked ones have the attacker's goal for theirs."""

MEASURES: Mapping[Kind, tuple[Measure, ...]] = MappingProxyType(
    {Kind.ATTACK: (Measure.COMPROMISED, Measure.ATTEMPTED), Kind.BENIGN: (Measure.WRONG,)}
)
"""By what runs of a kind are compared."""

_BAD: Mapping[Measure, frozenset[Outcome]] = MappingProxyType(
    {
        Measure.COMPROMISED: frozenset({Outcome.COMPROMISED}),
        Measure.ATTEMPTED: frozenset({Outcome.COMPROMISED, Outcome.CONTAINED}),
        Measure.WRONG: frozenset({Outcome.WRONG, Outcome.FALSE_BLOCK}),
    }
)
_NO_WORD: Mapping[Outcome | None, NoPair] = MappingProxyType(
    {
        None: NoPair.NOT_FINISHED,
        Outcome.INCONCLUSIVE: NoPair.INCONCLUSIVE,
        Outcome.NOT_EXPOSED: NoPair.NOT_EXPOSED,
    }
)
_Key = tuple[str, int]


def family_of(run: ReleaseRun) -> str:
    return (run.goal or Kind.ATTACK.value) if run.kind is Kind.ATTACK else CLEAN


def is_bad(outcome: Outcome | None, measure: Measure) -> bool:
    return outcome in _BAD[measure]


def pairs_of(earlier: Iterable[ReleaseRun], later: Iterable[ReleaseRun]) -> tuple[ReleasePair, ...]:
    """Every trial of either release by scenario and number; what makes no pair is kept, with the reason."""
    first, second = _by_key(earlier), _by_key(later)
    return tuple(_pair(first.get(key), second.get(key)) for key in sorted(first.keys() | second.keys()))


def _by_key(runs: Iterable[ReleaseRun]) -> dict[_Key, ReleaseRun]:
    return {(one.id, one.trial): one for one in runs}


def _pair(first: ReleaseRun | None, second: ReleaseRun | None) -> ReleasePair:
    run = second or first
    if run is None:
        raise ValueError("a pair of nothing")
    earlier = None if first is None else first.outcome
    later = None if second is None else second.outcome
    no_pair = _why_none(first, second)
    differs = (one for one in MEASURES[run.kind] if is_bad(earlier, one) is not is_bad(later, one))
    return ReleasePair(
        id=run.id,
        kind=run.kind,
        family=family_of(run),
        trial=run.trial,
        earlier=earlier,
        later=later,
        no_pair=no_pair,
        differs=() if no_pair else tuple(differs),
    )


def _why_none(first: ReleaseRun | None, second: ReleaseRun | None) -> NoPair | None:
    if first is None:
        return NoPair.ONLY_LATER
    if second is None:
        return NoPair.ONLY_EARLIER
    found = {one.outcome for one in (first, second)}
    return next((why for outcome, why in _NO_WORD.items() if outcome in found), None)
