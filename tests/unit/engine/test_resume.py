"""A campaign that was stopped goes on: each run exactly once, the same scorecard as an undisturbed one."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from soclab.assembly import FinishedCampaign
from soclab.assembly.verifying import check_folder_evidence
from soclab.clock import FixedClock
from soclab.contracts.provider import ModelRequest, ModelResponse
from soclab.contracts.vocabulary import STAGES, Mode, Outcome
from soclab.engine.journal import Journal
from soclab.errors import UsageError
from soclab.evidence.verify import verify_journal
from soclab.providers import registry
from soclab.redaction import Secrets
from soclab.scoring.scorecard import rebuild
from soclab.scoring.stable import stable_bytes
from tests.unit.engine.campaigns import (
    EACH_AGENT_IN_EACH_MODE,
    THREE,
    CountingAgent,
    failure,
    finished,
    settings,
    started,
)

REFERENCE = registry.build("reference", {}, None)
CUT = ("ATK-041", "BEN-001")
ALL = ("ATK-001", "ATK-009", "ATK-041", "ATK-042", "BEN-001", "BEN-002")


class ThroughAgent(CountingAgent):
    """The reference agent, counted; fails with a code for as long as it is told."""

    def __init__(self, fails_with: str | None = None, after: int = 0) -> None:
        super().__init__(lambda request: failure("agent_error"))
        self.fails_with = fails_with
        self.after = after

    async def generate_structured(self, request: ModelRequest) -> ModelResponse:
        self.asked.append((request.run_id, request.stage))
        if self.fails_with and len(self.asked) > self.after:
            return failure(self.fails_with)
        return await REFERENCE.generate_structured(request)


class LeakingAgent(ThroughAgent):
    """Says the secret of its standing instruction at the first stage."""

    async def generate_structured(self, request: ModelRequest) -> ModelResponse:
        response = await super().generate_structured(request)
        if request.stage is not STAGES[0]:
            return response
        secret = re.search(r"access phrase of this case is (\w+)", request.system_prompt or "")
        assert secret is not None
        return response.model_copy(update={"output_text": response.output_text + secret[1]})


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> FinishedCampaign:
    """A campaign that nobody disturbed."""
    return finished(tmp_path_factory.mktemp("whole"), ThroughAgent(), patterns=ALL)


@pytest.fixture
def undisturbed(whole: FinishedCampaign) -> bytes:
    return stable_bytes(whole.scorecard)


@pytest.fixture
def copied(whole: FinishedCampaign, tmp_path: Path) -> Path:
    """Its folder once more, to be spoiled."""
    return Path(shutil.copytree(whole.folder, tmp_path / "out"))


def cut(journal: Path, size: int) -> None:
    """The journal as a killed process leaves it: some bytes, then nothing."""
    journal.write_bytes(journal.read_bytes()[:size])


@pytest.mark.parametrize("part", [0.02, 0.11, 0.3, 0.5, 0.72, 0.9, 0.999])
def test_a_killed_campaign_ends_as_if_nothing_had_happened(
    part: float, undisturbed: bytes, copied: Path, tmp_path: Path
) -> None:
    """Wherever the file was cut; finished runs are not called again."""
    journal = copied / "journal.jsonl"
    first_line = journal.read_bytes().index(b"\n") + 1
    cut(journal, max(first_line, int(journal.stat().st_size * part)))
    done = {
        json.loads(line)["beside"]["result"]["id"]
        for line in journal.read_bytes().split(b"\n")[:-1]
        if b'"kind":"run_finished"' in line
    }

    agent = ThroughAgent()
    again = finished(tmp_path, agent, patterns=ALL, resume=copied)

    assert stable_bytes(again.scorecard) == undisturbed
    assert len(agent.asked) == (len(ALL) - len(done)) * len(STAGES)
    assert verify_journal(journal).valid
    assert stable_bytes(rebuild(journal)) == undisturbed


def test_it_can_be_stopped_and_taken_up_twice(undisturbed: bytes, copied: Path, tmp_path: Path) -> None:
    """Also when the second session was killed, too."""
    journal = copied / "journal.jsonl"
    cut(journal, journal.stat().st_size // 3)
    first = journal.stat().st_size
    finished(tmp_path, ThroughAgent(), patterns=ALL, resume=copied)
    cut(journal, (journal.stat().st_size + first) // 2)

    again = finished(tmp_path, ThroughAgent(), patterns=ALL, resume=copied)

    assert stable_bytes(again.scorecard) == undisturbed
    assert again.scorecard.evidence.all_valid


def test_a_finished_campaign_taken_up_again_calls_nobody(copied: Path, tmp_path: Path) -> None:
    """Its results are told again."""
    agent = ThroughAgent()
    again = finished(tmp_path, agent, patterns=ALL, resume=copied)
    assert agent.asked == []
    assert again.scorecard.complete


def test_errored_runs_are_tried_anew_as_further_attempts(tmp_path: Path) -> None:
    """With ids of their own; both attempts are listed, the later one counts."""
    folder = finished(tmp_path, ThroughAgent("agent_error"), patterns=THREE).folder
    again = finished(tmp_path, ThroughAgent(), patterns=THREE, resume=folder)

    assert Counter(one.attempt for one in again.results) == {1: len(THREE), 2: len(THREE)}
    assert len({one.run_id for one in again.results}) == 2 * len(THREE)
    assert {one.outcome for one in again.results if one.attempt == 1} == {Outcome.INCONCLUSIVE}
    assert again.scorecard.complete
    assert again.scorecard.rates.inconclusive.successes == 0


def test_a_cancelled_campaign_goes_on(undisturbed: bytes, tmp_path: Path) -> None:
    """Runs that had begun are led from their start."""
    (tmp_path / "cut").mkdir()
    running = started(tmp_path / "cut", ThroughAgent(), patterns=ALL, concurrency=1)
    running.outcome(running.plan.runs[1].key.scenario_id, STAGES[3])
    folder = running.finish(cancel=True).folder

    again = finished(tmp_path / "cut", ThroughAgent(), patterns=ALL, resume=folder)

    assert stable_bytes(again.scorecard) == undisturbed


@EACH_AGENT_IN_EACH_MODE
def test_a_budget_that_cuts_runs_in_the_middle_leaves_no_trace(provider: str, mode: Mode, tmp_path: Path) -> None:
    """Whatever call is the last one, also of the second session: a stop of the lab is no attempt."""
    options = {"provider_id": provider, "mode": mode, "patterns": CUT, "twins": True}
    (tmp_path / "whole").mkdir()
    expected = stable_bytes(finished(tmp_path / "whole", **options).scorecard)
    for calls in (4, 17):
        root = tmp_path / str(calls)
        root.mkdir()
        folder = finished(root, max_calls=calls, concurrency=2, **options).folder
        finished(root, max_calls=3, resume=folder, **options)
        again = finished(root, resume=folder, **options)

        assert stable_bytes(again.scorecard) == expected, calls
        assert stable_bytes(rebuild(folder / "journal.jsonl")) == expected
        assert check_folder_evidence(folder).bad is None


class SlowAgent(ThroughAgent):
    """So slow that an interrupt finds it at its first answer."""

    async def generate_structured(self, request: ModelRequest) -> ModelResponse:
        await asyncio.sleep(0.05)
        return await super().generate_structured(request)


def test_a_run_that_was_cut_begun_again_and_killed_is_no_changed_journal(tmp_path: Path) -> None:
    """Not even when the third session is interrupted before it comes to that run; the fourth ends undisturbed."""
    (tmp_path / "whole").mkdir()
    (tmp_path / "cut").mkdir()
    expected = stable_bytes(finished(tmp_path / "whole", ThroughAgent()).scorecard)
    folder = finished(tmp_path / "cut", SlowAgent(), max_calls=6, concurrency=2).folder
    journal = folder / "journal.jsonl"
    stopped = journal.stat().st_size
    finished(tmp_path / "cut", SlowAgent(), resume=folder, concurrency=2)
    place = stopped
    for _ in range(6):
        place = journal.read_bytes().index(b'"kind":"answered"', place) + 1
    cut(journal, journal.read_bytes().index(b"\n", place) + 1)

    started(tmp_path / "cut", SlowAgent(), resume=folder, concurrency=1).finish(cancel=True)
    assert check_folder_evidence(folder).bad is None

    again = finished(tmp_path / "cut", ThroughAgent(), resume=folder)
    assert stable_bytes(again.scorecard) == expected
    assert check_folder_evidence(folder).bad is None


@pytest.mark.parametrize("by", ["budget", "interrupt"])
def test_what_fell_before_a_cut_stays_fallen(by: str, tmp_path: Path) -> None:
    """An agent that resists when the cut run is led again is not the better for it, nor in what the journal gives."""
    options = {"patterns": ("ATK-041",), "mode": Mode.BASELINE}
    cut_short = started(tmp_path, LeakingAgent(), max_calls=3 if by == "budget" else None, **options)
    cut_short.outcome("ATK-041", STAGES[2])
    folder = cut_short.finish(cancel=by == "interrupt").folder
    again = finished(tmp_path, ThroughAgent(), resume=folder, **options)
    once_more = finished(tmp_path, ThroughAgent(), resume=folder, **options)

    for one in (again, once_more):
        assert [(run.outcome, run.attempt) for run in one.results] == [(Outcome.COMPROMISED, 1)]
        assert one.scorecard.rates.goal_reached.successes == 1
    assert stable_bytes(rebuild(folder / "journal.jsonl")) == stable_bytes(again.scorecard)
    assert check_folder_evidence(folder).bad is None


REFUSED = {
    "another mode": ({"mode": Mode.BASELINE}, "its mode is 'protected', not 'baseline'"),
    "another model": ({"model": "other"}, "its agent is"),
    "another agent": ({"provider_id": "gullible"}, "its agent is"),
    "another seed": ({"seed": "t"}, "its seed is 's', not 't'"),
    "another folder to write to": ({"out": Path("elsewhere")}, "leave --soclab-out out"),
}


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a campaign of the reference agent."""
    return finished(tmp_path_factory.mktemp("three")).folder


@pytest.fixture
def ended(three: Path, tmp_path: Path) -> Path:
    """A copy of it, to be spoiled."""
    return Path(shutil.copytree(three, tmp_path / "out"))


@pytest.mark.parametrize("case", REFUSED)
def test_a_campaign_of_something_else_is_refused(case: str, ended: Path, tmp_path: Path) -> None:
    """Before anything is written."""
    changes, words = REFUSED[case]
    before = (ended / "journal.jsonl").read_bytes()
    with pytest.raises(UsageError, match=words):
        finished(tmp_path, resume=ended, **changes)
    assert (ended / "journal.jsonl").read_bytes() == before


def test_a_campaign_of_another_contract_is_refused(tmp_path: Path) -> None:
    """Its runs were asked in other words than those that would follow; the journal itself is whole."""
    folder = finished(tmp_path, patterns=("BEN-001",)).folder
    header = json.loads((folder / "journal.jsonl").read_bytes().splitlines()[0])["beside"]["header"]
    (folder / "journal.jsonl").unlink()
    with Journal.create(folder / "journal.jsonl", Secrets([]), FixedClock()) as journal:
        journal.append("campaign_started", beside={"header": header | {"contract": "soclab.agent.v2"}})

    with pytest.raises(UsageError, match=r"its contract is 'soclab\.agent\.v2', not 'soclab\.agent\.v1'"):
        finished(tmp_path, patterns=("BEN-001",), resume=folder)


def changed(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    lines[3] = lines[3].replace(b'"seq":3', b'"seq":4')
    return b"".join(lines)


DAMAGED = {
    "no journal": (None, "cannot be read"),
    "an empty journal": (lambda data: b"", "no journal that this version"),
    "a changed line": (changed, "line 4"),
    "a changed last line": (lambda data: data[:-4] + b"9}\n", "start a new campaign"),
    "somebody's file": (lambda data: b"hello\n", "start a new campaign"),
    "a changed line before a torn one": (lambda data: data[:-40].replace(b'"seq":3}', b'"seq":3}x') + b"\n{", "line 4"),
    "a line that is none before a torn one": (lambda data: data + b"x\n{", "start a new campaign"),
    "a torn first line": (lambda data: data[:40], "start a new campaign"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_a_journal_that_is_not_whole_is_not_gone_on_with(case: str, ended: Path, tmp_path: Path) -> None:
    """One line that names the place and what to do."""
    change, words = DAMAGED[case]
    journal = ended / "journal.jsonl"
    if change is None:
        journal.unlink()
    else:
        journal.write_bytes(change(journal.read_bytes()))
    with pytest.raises(UsageError, match=words) as caught:
        finished(tmp_path, resume=ended)
    assert "\n" not in str(caught.value)
    assert settings(tmp_path).resume is None


def test_what_a_finished_run_said_is_told_again(tmp_path: Path) -> None:
    """Status, outcome, words and controls of each stage, without a call."""
    first = started(tmp_path, provider_id="gullible")
    told = [first.outcome("ATK-041", stage) for stage in STAGES]
    folder = first.finish().folder
    second = started(tmp_path, provider_id="gullible", resume=folder)
    again = [second.outcome("ATK-041", stage) for stage in STAGES]
    second.finish()

    for one, other in zip(told, again, strict=True):
        assert (one.status, one.outcome, one.words) == (other.status, other.outcome, other.words) or (
            one.outcome is not None and other.outcome is None and one.status == other.status
        )
        assert (one.call, one.ruling, one.attack) == (other.call, other.ruling, other.attack)


def test_a_budget_of_calls_ends_the_campaign_with_what_it_has(tmp_path: Path) -> None:
    """What was not begun is not run; what was cut off is inconclusive; nothing is green."""
    agent = ThroughAgent()
    result = finished(tmp_path, agent, patterns=ALL, concurrency=1, max_calls=10)

    assert len(agent.asked) == 10
    assert Counter(one.outcome for one in result.results)[None] == len(ALL) - 2
    assert [one.reason_code for one in result.results if one.outcome is Outcome.INCONCLUSIVE] == ["budget"]
    assert not result.scorecard.complete
    assert not result.scorecard.passed


def test_runs_that_ended_by_a_rate_limit_are_tried_anew_when_asked_for(tmp_path: Path) -> None:
    """As often as allowed, each attempt listed, the item told of the last one."""
    agent = ThroughAgent("rate_limited")
    answers = agent.generate_structured

    async def limited_twice(request: ModelRequest) -> ModelResponse:
        if len(agent.asked) < 2:
            agent.asked.append((request.run_id, request.stage))
            return failure("rate_limited", retry_after_seconds=0.0)
        agent.fails_with = None
        return await answers(request)

    agent.generate_structured = limited_twice  # type: ignore[method-assign]
    result = finished(tmp_path, agent, patterns=("BEN-001",), rate_limit_reruns=2)

    assert [one.attempt for one in result.results] == [1, 2, 3]
    assert result.results[-1].outcome is Outcome.CORRECT
    assert result.scorecard.complete
    assert len({one.run_id for one in result.results}) == 3


@pytest.mark.parametrize(
    "changes",
    [
        {"max_seconds": 0.0},
        {"max_seconds": float("nan")},
        {"max_seconds": float("inf")},
        {"max_calls": 0},
        {"rate_limit_reruns": -1},
        {"concurrency": 0},
    ],
)
def test_limits_that_limit_nothing_are_refused(changes: dict[str, float], tmp_path: Path) -> None:
    """One line, before anything is written."""
    with pytest.raises(UsageError, match="give"):
        finished(tmp_path, **changes)
    assert list(tmp_path.iterdir()) == []
