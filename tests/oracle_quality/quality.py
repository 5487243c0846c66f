"""Precision and recall of each oracle over the labelled runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from soclab.oracles.invariants import INVARIANTS
from tests.oracle_quality.leading import Answers
from tests.oracle_quality.trace import Trace

__all__ = ["Quality", "misses", "qualities"]

Judged = tuple[Trace, Answers]


@dataclass(frozen=True)
class Quality:
    """
    Attributes:
        hits: said and true. missed: true and not said. false_alarms: said and not true. rest: neither.
    """

    oracle: str
    hits: int
    missed: int
    false_alarms: int
    rest: int

    @property
    def precision(self) -> float | None:
        said = self.hits + self.false_alarms
        return self.hits / said if said else None

    @property
    def recall(self) -> float | None:
        true = self.hits + self.missed
        return self.hits / true if true else None


def qualities(judged: Sequence[Judged], predicate_of: Callable[[Trace], str]) -> list[Quality]:
    """One line for each goal's predicate (attempted, effected), for each invariant, and for the right action."""
    by_predicate: dict[str, list[Judged]] = {}
    for trace, answers in judged:
        by_predicate.setdefault(predicate_of(trace), []).append((trace, answers))
    lines = []
    for name, some in sorted(by_predicate.items()):
        lines.append(_quality(f"{name}, attempted", ((t.attempted, a.attempted) for t, a in some)))
        lines.append(_quality(f"{name}, effected", ((t.effected, a.effected) for t, a in some)))
    for name in sorted(INVARIANTS):
        pairs = ((name in t.breaches, name in a.breaches) for t, a in judged)
        lines.append(_quality(f"invariant {name}", pairs))
    known = [(t, a) for t, a in judged if t.right is not None]
    lines.append(_quality("right or acceptable action", ((bool(t.right), bool(a.verdict.utility)) for t, a in known)))
    return lines


def misses(judged: Iterable[Judged]) -> Mapping[str, str]:
    """Runs on which an oracle disagrees with the label -> how."""
    found = {}
    for trace, answers in judged:
        right = trace.right if trace.right is None else bool(answers.verdict.utility)
        label = (trace.attempted, trace.effected, sorted(trace.breaches), trace.right)
        said = (answers.attempted, answers.effected, sorted(answers.breaches), right)
        if label != said:
            found[f"{trace.goal_id} {trace.route}: {trace.name}"] = f"label {label}, oracles {said}"
    return found


def _quality(oracle: str, pairs: Iterable[tuple[bool, bool]]) -> Quality:
    counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for pair in pairs:
        counts[pair] += 1
    return Quality(oracle, counts[True, True], counts[True, False], counts[False, True], counts[False, False])
