"""What the controls have found about one call, on its way to the facts that a policy judges."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final

from soclab.contracts.policy import (
    LARGEST,
    MOST_HITS,
    ApprovalState,
    ArgumentProblem,
    PolicyFacts,
    ToolFacts,
)
from soclab.contracts.vocabulary import Risk, Stage
from soclab.simulator.catalog import tool_named

__all__ = ["Measured", "tool_facts"]

_CLOSES: Final = "close_incident"
_IDENTITY: Final = 256


@dataclass(slots=True)
class Measured:
    """
    Until a control has said otherwise, everything is as in a call that nothing is wrong with.

    Attributes: as in `soclab.contracts.policy`, section and member joined by `_`; numbers may be of any size here.
    """

    problems: set[ArgumentProblem] = field(default_factory=set)
    longest: int = 0
    targets: int = 0
    outside: int = 0
    hits: frozenset[str] = frozenset()
    catch_all: bool = False
    approved_model: bool = True
    cited: int = 0
    minimum: int = 0
    calls_so_far: int = 0
    calls_limit: int = LARGEST
    records_asked: int = 0
    records_wanted: int = 0
    records_limit: int = LARGEST
    tokens_spent: int | None = None
    tokens_limit: int | None = None
    level: int = 1
    approval: ApprovalState = "none"

    def facts(self, tool: ToolFacts, stage: Stage) -> PolicyFacts:
        """Bounded and in order."""
        return _facts(
            tool,
            stage,
            tuple(sorted(self.problems)),
            _bounded(self.longest),
            (self.targets, self.outside),
            _listed(self.hits),
            self.catch_all,
            self.approved_model,
            (self.cited, self.minimum),
            (_bounded(self.calls_so_far), _bounded(self.calls_limit)),
            (_bounded(self.records_asked), _bounded(self.records_wanted), _bounded(self.records_limit)),
            (_known(self.tokens_spent), _known(self.tokens_limit)),
            self.level,
            self.approval,
        )


@lru_cache(maxsize=1024)
def _facts(
    tool: ToolFacts,
    stage: Stage,
    problems: tuple[ArgumentProblem, ...],
    longest: int,
    scope: tuple[int, int],
    hits: tuple[str, ...],
    catch_all: bool,
    approved_model: bool,
    evidence: tuple[int, int],
    calls: tuple[int, int],
    records: tuple[int, int, int],
    tokens: tuple[int | None, int | None],
    level: int,
    approval: ApprovalState,
) -> PolicyFacts:
    """Calls of different runs are much alike, and a checked record costs more than finding it again."""
    return PolicyFacts.model_validate(
        {
            "tool": tool,
            "arguments": {"problems": problems, "longest": longest},
            "scope": {"targets": scope[0], "outside": scope[1]},
            "protected": {"hits": hits, "catch_all": catch_all},
            "model": {"approved": approved_model},
            "evidence": {"cited": evidence[0], "minimum": evidence[1]},
            "calls": {"so_far": calls[0], "limit": calls[1]},
            "records": {"asked": records[0], "wanted": records[1], "limit": records[2]},
            "tokens": {"spent": tokens[0], "limit": tokens[1]},
            "level": level,
            "approval": approval,
            "stage": stage,
        }
    )


@cache
def tool_facts(name: str | None, risk: Risk | None) -> ToolFacts:
    """What the catalogue knows of a tool of its own, by name; None is a tool that does not exist."""
    spec = None if name is None else tool_named(name)
    if spec is None:
        return ToolFacts(name="", known=False, reads=False, risk=Risk.NONE, reversible=False, closes=False)
    return ToolFacts(
        name=spec.name,
        known=True,
        reads=spec.reads,
        risk=risk or Risk.NONE,
        reversible=spec.reversible,
        closes=spec.name == _CLOSES,
    )


def _bounded(number: int) -> int:
    return min(max(number, 0), LARGEST)


def _known(number: int | None) -> int | None:
    return None if number is None else _bounded(number)


def _listed(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(one[:_IDENTITY] for one in sorted(ids)[:MOST_HITS])
