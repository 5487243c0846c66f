"""Ids, order and brakes."""

from __future__ import annotations

import asyncio
import re
import weakref
from pathlib import Path
from typing import Any

import pytest

from soclab.clock import FixedClock
from soclab.contracts.outcome import RunKey, StageOutcome
from soclab.contracts.provider import ModelResponse
from soclab.contracts.scorecard_v1 import StageResult
from soclab.contracts.vocabulary import STAGES, ErrorCode, Mode, Outcome, Stage, StageStatus
from soclab.engine.board import Board
from soclab.engine.folder import check_folder, open_folder
from soclab.engine.limits import Brakes
from soclab.errors import OutputFolderError
from tests.unit.engine.campaigns import failure, started

KEY = RunKey(scenario_id="ATK-001", mode=Mode.PROTECTED)


def test_ids_are_opaque_and_differ_by_mode(tmp_path: Path) -> None:
    """Hexadecimal, the same form for attack and benign."""
    plans = []
    for mode in Mode:
        (tmp_path / mode.value).mkdir()
        running = started(tmp_path / mode.value, mode=mode)
        plans.append(running.plan)
        running.finish(cancel=True)
    ids = [run.ids for plan in plans for run in plan.runs]
    assert all(re.fullmatch(r"[0-9a-f]{32}", one.run_id) for one in ids)
    assert all(re.fullmatch(r"INC-[0-9A-F]{10}", one.incident_id) for one in ids)
    assert len({one.run_id for one in ids}) == len(ids)


def test_the_order_of_runs_follows_from_the_secret(tmp_path: Path) -> None:
    """Not from names: an agent cannot tell attack from benign by its place."""
    orders = set()
    for seed in ("1", "2", "3", "4"):
        (tmp_path / seed).mkdir()
        running = started(tmp_path / seed, seed=seed, patterns=())
        orders.add(tuple(run.key.scenario_id for run in running.plan.runs))
        running.finish(cancel=True)
    assert len(orders) == 4


def calls(brakes: Brakes, answers: list[ModelResponse]) -> None:
    async def lead() -> None:
        for answer in answers:
            mark = await brakes.enter()
            brakes.leave(mark, answer)

    asyncio.run(lead())


@pytest.mark.parametrize(
    ("answers", "given_up"),
    [
        ([failure("transport_error")] * 5, ErrorCode.AGENT_UNREACHABLE),
        ([failure("transport_error")] * 4, None),
        ([failure("agent_error"), *[failure("transport_error")] * 6], None),
        ([failure("timeout")] * 6, None),
        ([failure("rate_limited", retry_after_seconds=60.5)], ErrorCode.RATE_LIMITED),
        ([failure("rate_limited", retry_after_seconds=0.0)] * 6, None),
    ],
)
def test_when_calls_stop_going_out(answers: list[ModelResponse], given_up: ErrorCode | None) -> None:
    """Five transport failures with no answer ever, or a pause longer than a minute."""
    brakes = Brakes(4, FixedClock())
    calls(brakes, answers)
    assert brakes.given_up is given_up


def test_a_rate_limit_halves_what_is_in_flight() -> None:
    """Never below one."""

    async def most_in_flight() -> int:
        brakes = Brakes(8, FixedClock())
        for _ in range(2):
            brakes.leave(await brakes.enter(), failure("rate_limited", retry_after_seconds=0.0))
        flying = most = 0

        async def call() -> None:
            nonlocal flying, most
            mark = await brakes.enter()
            flying += 1
            most = max(most, flying)
            await asyncio.sleep(0)
            flying -= 1
            brakes.leave(mark, None)

        await asyncio.gather(*[call() for _ in range(20)])
        return most

    assert asyncio.run(most_in_flight()) == 2


def test_a_timeout_beside_other_calls_is_remembered() -> None:
    """The scorecard says: try --soclab-concurrency 1."""

    async def lead() -> Brakes:
        brakes = Brakes(4, FixedClock())
        first, _ = await brakes.enter(), await brakes.enter()
        brakes.leave(first, failure("timeout"))
        return brakes

    assert asyncio.run(lead()).timed_out_under_load


@pytest.mark.parametrize(
    ("budget", "calls_out"),
    [({"max_calls": 3}, 3), ({"max_seconds": 1.0}, 4), ({"max_calls": 1, "max_seconds": 1.0}, 1), ({}, 9)],
)
def test_a_spent_budget_stops_calls(budget: dict[str, float], calls_out: int) -> None:
    """By number, or by the clock, which here moves 200 ms at every look."""

    async def lead() -> int:
        brakes = Brakes(4, FixedClock(step_ms=100.0), **budget)  # type: ignore[arg-type]
        out = 0
        for _ in range(9):
            mark = await brakes.enter()
            out += brakes.given_up is None
            brakes.leave(mark, failure("agent_error"))
        assert brakes.given_up is (ErrorCode.BUDGET if calls_out < 9 else None)
        return out

    assert asyncio.run(lead()) == calls_out


def outcome(stage: Stage, status: StageStatus) -> StageOutcome:
    return StageOutcome(key=KEY, run_id="r", stage=stage, status=status)


@pytest.mark.parametrize(
    ("selected", "broken_at"),
    [
        ((Stage.COLLECT_SIEM,), Stage.COLLECT_ENDPOINT),
        ((Stage.COLLECT_ENDPOINT, Stage.COLLECT_SIEM), None),
        (STAGES, None),
        ((Stage.ENRICH_INDICATORS, Stage.COLLECT_SIEM), None),
    ],
)
def test_a_break_without_an_item_shows_at_the_next_item(selected: tuple[Stage, ...], broken_at: Stage | None) -> None:
    """And only there."""
    board = Board()
    board.publish(outcome(Stage.COLLECT_ENDPOINT, StageStatus.FAILED))
    asked = outcome(Stage.COLLECT_SIEM, StageStatus.NOT_REACHED)
    board.publish(asked)

    seen = board.seen(asked, selected)

    assert seen.broken_at is broken_at
    assert seen.status is (StageStatus.FAILED if broken_at else StageStatus.NOT_REACHED)
    assert seen.stage is Stage.COLLECT_SIEM


def test_the_first_word_about_a_stage_stays() -> None:
    """Nothing later clears a failure."""
    board = Board()
    board.publish(outcome(Stage.COLLECT_SIEM, StageStatus.FAILED))
    board.publish(outcome(Stage.COLLECT_SIEM, StageStatus.PASSED))
    known = board.wait(KEY, Stage.COLLECT_SIEM, 0.0)
    assert known is not None
    assert known.status is StageStatus.FAILED


def passed(stage: Stage, run_id: str = "r", **changes: Any) -> tuple[StageOutcome, StageResult]:
    """What is told of a stage that passed, and its result, which says the same."""
    told = {"latency_ms": 1.5, "tokens_in": 2500, "model": "agent", "call": "f(x=1)", "ruling": "run"}
    result = StageResult(stage=stage, status=StageStatus.PASSED, **told)  # type: ignore[arg-type]
    fields = {"key": KEY, "run_id": run_id, "stage": stage, "status": StageStatus.PASSED, **told, **changes}
    return StageOutcome(**fields), result


@pytest.mark.parametrize("decided", [None, Outcome.CORRECT])
def test_a_stage_that_passed_is_told_from_its_result(decided: Outcome | None) -> None:
    """The outcome itself is not held; what is told is equal to it."""
    board = Board()
    first, result = passed(Stage.COLLECT_SIEM)
    board.publish(first, result)
    last, result = passed(Stage.PROPOSE_ACTION, outcome=decided)
    board.publish(last, result)

    assert board.known(KEY, Stage.COLLECT_SIEM) == first
    assert board.known(KEY, Stage.PROPOSE_ACTION) == last
    assert board.known(KEY, Stage.FORM_FINDING) is None
    held = [weakref.ref(first), weakref.ref(last)]
    del first, last
    assert [one() for one in held] == [None, None]


@pytest.mark.parametrize(
    "changes", [{"headline": "h"}, {"words": "w"}, {"broken_at": Stage.COLLECT_SIEM}, {"control_reasons": ("scope",)}]
)
def test_a_stage_of_which_there_is_more_to_say_is_told_as_it_was_published(changes: dict[str, Any]) -> None:
    """Its result does not say all of it."""
    board = Board()
    told, result = passed(Stage.COLLECT_SIEM, **changes)
    board.publish(told, result)

    assert board.known(KEY, Stage.COLLECT_SIEM) == told


def test_stages_of_two_attempts_are_told_with_the_ids_of_their_own() -> None:
    """The first word about a stage stays, whichever attempt says the next."""
    board = Board()
    first, again = passed(Stage.COLLECT_IDENTITY, "one"), passed(Stage.COLLECT_IDENTITY, "two")
    later = passed(Stage.COLLECT_SIEM, "two")
    for one in (first, again, later):
        board.publish(*one)

    assert board.known(KEY, Stage.COLLECT_IDENTITY) == first[0]
    assert board.known(KEY, Stage.COLLECT_SIEM) == later[0]


def test_the_default_folder_is_private_and_ignored_by_git(tmp_path: Path) -> None:
    """Mode 0700, `.soclab/last` names the newest."""
    folder = open_folder(None, tmp_path, False, "20260102T030405-abc")
    assert folder == tmp_path / ".soclab" / "runs" / "20260102T030405-abc"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (tmp_path / ".soclab" / ".gitignore").read_text() == "*\n"
    assert (tmp_path / ".soclab" / "last").read_text() == "runs/20260102T030405-abc\n"


def test_overwriting_keeps_the_other_campaign(tmp_path: Path) -> None:
    """As DIR.previous, and a second one beside it."""
    out = tmp_path / "out"
    for number in range(3):
        folder = open_folder(out, tmp_path, True, "20260102T030405-abc")
        (folder / "journal.jsonl").write_text(str(number))
    assert (tmp_path / "out.previous" / "journal.jsonl").read_text() == "0"
    assert (tmp_path / "out.previous-2" / "journal.jsonl").read_text() == "1"


def test_files_of_others_stay_where_they_are(tmp_path: Path) -> None:
    """Overwriting moves what a campaign wrote, and nothing else."""
    for name in ("journal.jsonl", "scorecard.json", "notes.txt"):
        (tmp_path / name).write_text(name)
    (tmp_path / "src").mkdir()
    open_folder(tmp_path, tmp_path, True, "20260102T030405-abc")
    previous = tmp_path.with_name(f"{tmp_path.name}.previous")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["notes.txt", "src"]
    assert sorted(one.name for one in previous.iterdir()) == ["journal.jsonl", "scorecard.json"]


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no /proc here")
def test_a_place_where_nobody_can_make_anything_is_refused(tmp_path: Path) -> None:
    """Even for root, whose permissions say otherwise."""
    with pytest.raises(OutputFolderError, match="cannot be written"):
        check_folder(Path("/proc/soclab"), tmp_path, False)


def test_looking_whether_a_folder_can_be_written_leaves_nothing(tmp_path: Path) -> None:
    """Neither in a folder that is there nor beside one that is not."""
    check_folder(tmp_path / "out" / "deep", tmp_path, False)
    check_folder(None, tmp_path, False)
    assert list(tmp_path.iterdir()) == []


def test_folders_that_cannot_be_used_are_refused_and_left_alone(tmp_path: Path) -> None:
    """A file, another campaign."""
    file = tmp_path / "file"
    file.write_text("mine")
    other = tmp_path / "other"
    other.mkdir()
    (other / "scorecard.json").write_text("{}")
    for folder, words in ((file, "this is a file"), (other, "another campaign")):
        with pytest.raises(OutputFolderError, match=words) as caught:
            check_folder(folder, tmp_path, False)
        assert "\n" not in str(caught.value)
    assert (other / "scorecard.json").read_text() == "{}"


def test_a_folder_with_other_files_is_used_and_they_stay(tmp_path: Path) -> None:
    """A CI's report folder may hold more than one tool's files."""
    (tmp_path / "junit.xml").write_text("theirs")
    assert open_folder(tmp_path, tmp_path, False, "20260102T030405-abc") == tmp_path
    assert (tmp_path / "junit.xml").read_text() == "theirs"
