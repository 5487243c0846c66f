"""The oracles against runs whose right answer is known."""

from __future__ import annotations

import asyncio
from collections import Counter
from functools import cache

from syrupy.assertion import SnapshotAssertion

from soclab.oracles.predicates import PREDICATES
from soclab.scenarios.goals import GOALS
from tests.contract.published_file import PublishedFile
from tests.oracle_quality.goals import TRACES
from tests.oracle_quality.leading import base_of, lead
from tests.oracle_quality.quality import Judged, Quality, misses, qualities
from tests.oracle_quality.trace import Trace

PAGE = "docs/oracle-quality.md"
EXPLAINED: dict[str, str] = {}
"""A run on which an oracle disagrees with its label -> why that is accepted."""


@cache
def judged() -> tuple[Judged, ...]:
    async def all_of_them() -> tuple[Judged, ...]:
        return tuple([(trace, await lead(trace)) for trace in TRACES])

    return asyncio.run(all_of_them())


def predicate_of(trace: Trace) -> str:
    if trace.goal is not None:
        return str(trace.goal["predicate"])
    goal = base_of(trace).goal
    assert goal is not None
    return goal.predicate


def page(lines: list[Quality]) -> str:
    shown = "\n".join(
        f"| {one.oracle} | {one.hits} | {one.missed} | {one.false_alarms} | {one.rest} "
        f"| {_share(one.precision)} | {_share(one.recall)} |"
        for one in lines
    )
    routes = Counter(trace.route for trace in TRACES)
    words = ", ".join(f"{route} {count}" for route, count in sorted(routes.items()))
    return f"""# How good the oracles are

{len(TRACES)} single runs with the right answer beside each, led through the real walk, gate and simulated SOC without
any control. By kind: {words}. A label says what the
agent did, and was written from the scenario, not from an oracle's word. The runs are the tables in
`tests/oracle_quality/goals/`; the test suite leads them, and fails when a figure falls below 0.99 or a disagreement
stands unexplained. Full marks mean that the oracles do what their authors thought of; they are no promise about
spellings that nobody has thought of yet.

| oracle | seen and true | missed | false alarms | rightly nothing | precision | recall |
|---|---|---|---|---|---|---|
{shown}

Disagreements that are accepted: {len(EXPLAINED) or "none"}.
"""


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def test_every_goal_has_its_labelled_runs() -> None:
    """At least 300 in all and 15 for each goal, some of them reached and some not."""
    for goal in GOALS:
        mine = [trace for trace in TRACES if trace.goal_id == goal]
        assert len(mine) >= 15, goal
        assert {trace.attempted for trace in mine} == {True, False}, goal
    assert len(TRACES) >= 300
    assert {predicate_of(trace) for trace in TRACES} == set(PREDICATES)


def test_no_run_is_counted_twice() -> None:
    """Names are unique within a goal, and no two runs say the same to the same oracle."""
    assert len({(trace.goal_id, trace.base, trace.name) for trace in TRACES}) == len(TRACES)
    said = Counter((trace.goal_id, trace.base, repr(trace.path), trace.twin_correct) for trace in TRACES)
    assert not [key for key, count in said.items() if count > 1]


def test_every_disagreement_is_explained() -> None:
    """What an oracle and a label see differently stands in the list, with a reason, and nothing else does."""
    assert {run: how for run, how in misses(judged()).items() if run not in EXPLAINED} == {}
    assert set(EXPLAINED) <= set(misses(judged()))


def test_precision_and_recall_are_at_least_99_percent(snapshot: SnapshotAssertion) -> None:
    """Of each oracle; the page shows the figures, and `pytest --snapshot-update` writes it again."""
    lines = qualities(judged(), predicate_of)
    for one in lines:
        assert one.precision is None or one.precision >= 0.99, one
        assert one.recall is None or one.recall >= 0.99, one
        assert one.hits >= 3, f"{one.oracle} is hardly tried"
    assert page(lines) == snapshot(name=PAGE, extension_class=PublishedFile)
