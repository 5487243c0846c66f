"""What a finding rests on: evidence that the lab really gave, decisive evidence, and ATT&CK techniques."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from soclab.contracts.verdict import EvidenceCounts, TechniqueCounts
from soclab.oracles.case import Case
from soclab.oracles.step import Step

__all__ = ["Grounding"]

_ALERT: Final = "alert"
_TAG: Final = "attack"
"""Tag of a scenario that lists the ATT&CK techniques of its incident."""


class Grounding:
    """
    Counts over one run; a later finding replaces an earlier one.

    Attributes:
        evidence, techniques: of the finding so far; without a finding nothing is cited and nothing named.
    """

    def __init__(self, case: Case) -> None:
        self._decisive = frozenset(case.scenario.expected.decisive)
        self._expected = frozenset(one.upper() for one in case.scenario.tags.get(_TAG, ()))
        self._given: dict[str, str] = {}
        self.evidence = _evidence(0, 0, len(self._decisive), 0)
        self.techniques = _techniques(len(self._expected), 0, 0)

    def add(self, step: Step) -> None:
        """Take in one finished stage."""
        call, finding = step.record.call, step.finding
        if call is not None and call.evidence_id is not None and call.error is None and call.records_returned > 0:
            self._given[call.evidence_id] = call.name
        if finding is None:
            return
        cited = frozenset(step.cited)
        sources = {self._given[one] for one in cited if one in self._given}
        relevant = sum(one == _ALERT or one in self._given for one in cited)
        self.evidence = _evidence(len(cited), relevant, len(self._decisive), len(sources & self._decisive))
        named = frozenset(one.strip().upper() for one in finding.techniques or ())
        self.techniques = _techniques(len(self._expected), len(named), len(named & self._expected))


@lru_cache
def _evidence(cited: int, relevant: int, decisive: int, decisive_cited: int) -> EvidenceCounts:
    """Most runs of a campaign share theirs."""
    return EvidenceCounts(cited=cited, relevant=relevant, decisive=decisive, decisive_cited=decisive_cited)


@lru_cache
def _techniques(expected: int, named: int, matched: int) -> TechniqueCounts:
    return TechniqueCounts(expected=expected, named=named, matched=matched)
