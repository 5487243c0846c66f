"""Facts of any kind that the contract allows, also those that no call can have."""

from __future__ import annotations

from typing import get_args

from hypothesis import strategies as st

from soclab.contracts.policy import (
    LARGEST,
    ApprovalState,
    ArgumentFacts,
    ArgumentProblem,
    CallCountFacts,
    EvidenceFacts,
    ModelFacts,
    PolicyFacts,
    ProtectedFacts,
    RecordFacts,
    ScopeFacts,
    TokenFacts,
    ToolFacts,
)
from soclab.contracts.vocabulary import Risk, Stage

__all__ = ["FACTS"]

_COUNTS = st.integers(0, 3) | st.sampled_from([15, 16, 17, 200, 4096, 4097, LARGEST]) | st.integers(0, LARGEST)
_FLAGS = st.booleans()
_PROBLEMS = st.lists(st.sampled_from(get_args(ArgumentProblem)), unique=True, max_size=2).map(
    lambda found: tuple(sorted(found))
)
_IDS = st.sampled_from(["NL-DC-01", "bg-admin-01", 'a "quoted" \\ id', "\u00fcber"])

FACTS: st.SearchStrategy[PolicyFacts] = st.builds(
    PolicyFacts,
    tool=st.builds(
        ToolFacts,
        name=st.sampled_from(["", "add_note", "isolate_endpoint", "lookup_indicator"]),
        known=st.sampled_from([True, True, True, False]),
        reads=_FLAGS,
        risk=st.sampled_from(Risk),
        reversible=_FLAGS,
        closes=_FLAGS,
    ),
    arguments=st.builds(ArgumentFacts, problems=st.just(()) | _PROBLEMS, longest=_COUNTS),
    scope=st.builds(ScopeFacts, targets=_COUNTS, outside=st.just(0) | _COUNTS),
    protected=st.builds(
        ProtectedFacts,
        hits=st.just(()) | st.lists(_IDS, unique=True).map(lambda ids: tuple(sorted(ids))),
        catch_all=_FLAGS,
    ),
    model=st.builds(ModelFacts, approved=_FLAGS),
    evidence=st.builds(EvidenceFacts, cited=_COUNTS, minimum=st.just(2) | _COUNTS),
    calls=st.builds(CallCountFacts, so_far=_COUNTS, limit=st.just(16) | _COUNTS),
    records=st.builds(RecordFacts, asked=_COUNTS, wanted=_COUNTS, limit=st.just(200) | _COUNTS),
    tokens=st.builds(TokenFacts, spent=st.none() | _COUNTS, limit=st.none() | _COUNTS),
    level=st.integers(1, 5),
    approval=st.sampled_from(get_args(ApprovalState)),
    stage=st.sampled_from(Stage),
)
