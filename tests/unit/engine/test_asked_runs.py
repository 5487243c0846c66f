"""Runs that somebody asks for while the campaign works: planned late, led side by side, counted apart."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from soclab.assembly import prepare
from soclab.contracts.vocabulary import STAGES, Mode, Stage, StageStatus
from soclab.providers.reference import brain_of, build
from soclab.scoring.populations import Population
from tests.unit.engine.campaigns import CountingAgent, failure, finished, settings, started

FIRST, SECOND = STAGES[:2]
LONG_SECONDS = 20


def test_runs_that_are_asked_for_late_are_led_side_by_side(tmp_path: Path) -> None:
    """Nothing was planned, so that there was one slot; the agent answers only when two ask at once."""
    together = threading.Barrier(2)
    brain = brain_of("server")

    def agent(request: dict[str, Any]) -> dict[str, Any]:
        together.wait(LONG_SECONDS)
        return brain(request)

    running = started(tmp_path, agent, {}, concurrency=2)
    runs = [running.run_of(one, asked_by_test=True) for one in ("ATK-001", "BEN-001")]
    futures = [running.engine.awaited(run, FIRST) for run in runs]
    found = [one.result(LONG_SECONDS) for one in futures]
    running.finish(cancel=True)

    assert [one.status for one in found if one] == [StageStatus.PASSED] * 2


def test_no_more_runs_are_led_at_once_than_was_said(tmp_path: Path) -> None:
    """However many are asked for."""
    brain, lock = brain_of("server"), threading.Lock()
    now, most = 0, 0

    def agent(request: dict[str, Any]) -> dict[str, Any]:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        threading.Event().wait(0.01)
        with lock:
            now -= 1
        return brain(request)

    running = started(tmp_path, agent, {}, concurrency=2)
    runs = [running.run_of("BEN-001", trial=trial, asked_by_test=True) for trial in range(1, 7)]
    for future in [running.engine.awaited(run, FIRST) for run in runs]:
        assert future.result(LONG_SECONDS)
    running.finish()

    assert most == 2


def test_an_answer_that_never_comes_resolves_the_wait(tmp_path: Path) -> None:
    """The engine is stopped: whoever waits is told so, at once and ever after."""

    async def agent(request: dict[str, Any]) -> dict[str, Any]:
        await asyncio.sleep(3600)
        return request

    running = started(tmp_path, agent, {})
    run = running.run_of("BEN-001")
    waiting = running.engine.awaited(run, FIRST)
    running.finish(cancel=True)

    for future in (waiting, running.engine.awaited(run, SECOND)):
        outcome = running.engine.told(run, FIRST, future.result(LONG_SECONDS), selected=(FIRST,))
        assert (outcome.status, outcome.reason_code) == (StageStatus.ERROR, "cancelled")


def test_what_is_asked_of_a_finished_campaign_resolves(tmp_path: Path) -> None:
    """It ended in order, and nobody leads the run any more: what is known is told, the rest is an error."""
    running = started(tmp_path, selection={})
    run = running.run_of("BEN-001")
    known = running.engine.awaited(run, FIRST).result(LONG_SECONDS)
    running.finish()

    assert running.engine.awaited(run, FIRST).result(LONG_SECONDS) == known
    assert running.engine.awaited(run, SECOND).result(LONG_SECONDS) is None


def test_a_later_stage_of_a_run_that_was_tried_anew_is_reached(tmp_path: Path) -> None:
    """It is the new attempt that goes on."""
    reference = build({}, None)
    asked: list[Stage | None] = []

    class Limited(CountingAgent):
        async def generate_structured(self, request: Any) -> Any:
            asked.append(request.stage)
            if len(asked) == 1:
                return failure("rate_limited", retry_after_seconds=0.0)
            return await reference.generate_structured(request)

    running = started(tmp_path, Limited(lambda _: failure("agent_error")), {}, rate_limit_reruns=1)
    run = running.run_of("BEN-001", asked_by_test=True)
    for stage in (FIRST, SECOND):
        outcome = running.engine.awaited(run, stage).result(LONG_SECONDS)
        assert outcome is not None
        assert outcome.status is StageStatus.PASSED
    done = running.finish()

    assert asked == [FIRST, FIRST, SECOND]
    assert {(one.attempt, one.asked_by_test) for one in done.results} == {(1, True), (2, True)}


def test_a_run_of_the_campaign_is_not_taken_out_of_it(tmp_path: Path) -> None:
    """A test that asks for a planned run gets that run; another mode or trial is another run."""
    running = started(tmp_path)
    planned = running.run_of("BEN-001")
    runs = [
        running.run_of("BEN-001", asked_by_test=True),
        running.run_of("BEN-001", asked_by_test=True, mode=Mode.BASELINE),
        running.run_of("BEN-001", asked_by_test=True, trial=2),
    ]
    running.finish(cancel=True)

    assert runs[0] is planned
    assert [one.asked_by_test for one in runs] == [False, True, True]
    assert len({one.ids.run_id for one in runs}) == 3


def test_what_only_a_test_asked_for_is_in_no_population(tmp_path: Path) -> None:
    """Neither instead of a run of the campaign nor beside it."""
    one, *others = finished(tmp_path).results
    asked = one.model_copy(update={"asked_by_test": True, "attempt": 9})

    assert Population.of([asked]).runs == ()
    assert Population.of([one, asked, *others]).runs == Population.of([one, *others]).runs


def test_a_scorecard_so_far_knows_every_run_that_was_waited_for(tmp_path: Path) -> None:
    """The result is there when the last outcome is, and the journal holds its evidence."""
    running = started(tmp_path)
    running.wait_all()
    card = running.so_far()
    done = running.finish()

    assert card.complete
    assert card.scenarios == done.scorecard.scenarios
    assert card.evidence.all_valid
    assert card.evidence.roots == done.scorecard.evidence.roots


@pytest.mark.parametrize("kept", [True, False])
def test_what_replies_said_is_kept_where_somebody_may_ask(tmp_path: Path, kept: bool) -> None:
    """Where nobody can ask, only what items tell is kept; a run of a test's own keeps its replies anyway."""
    prepared = prepare(settings(tmp_path, patterns=("ATK-001",)))
    running = prepared.start(None, keeps_answers=kept)
    planned = running.outcome("ATK-001", FIRST)
    asked = running.run_of("ATK-001", trial=2, asked_by_test=True)
    own = running.engine.outcome(asked, FIRST, selected=())
    running.finish(cancel=True)

    assert (planned.reading is not None, planned.submitted is not None) == (kept, kept)
    assert own.reading is not None
    assert own.submitted is not None
