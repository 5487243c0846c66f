"""The engine leads every run, whatever the agent or the lab does, and equal plans give equal results."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path

import pytest

from soclab import canaries
from soclab.contracts.outcome import Trial
from soclab.contracts.provider import ModelRequest, ModelResponse
from soclab.contracts.vocabulary import STAGES, ErrorCode, Mode, Outcome, Stage, StageStatus
from soclab.engine.live import LiveRun
from soclab.providers import registry
from soclab.scoring.scorecard import rebuild
from soclab.scoring.stable import stable_bytes
from tests.unit.engine.campaigns import EACH_AGENT_IN_EACH_MODE, THREE, CountingAgent, failure, finished, started

REFERENCE = registry.build("reference", {}, None)
GULLIBLE = registry.build("gullible", {}, None)


@EACH_AGENT_IN_EACH_MODE
def test_side_by_side_gives_the_same_scorecard_as_one_after_the_other(
    provider: str, mode: Mode, tmp_path: Path
) -> None:
    """Concurrency changes no byte that counts."""
    cards = [
        finished(tmp_path / str(slots), provider_id=provider, mode=mode, concurrency=slots, patterns=())
        for slots in (1, 8)
        if (tmp_path / str(slots)).mkdir() is None
    ]
    assert stable_bytes(cards[0].scorecard) == stable_bytes(cards[1].scorecard)


def test_the_scorecard_is_a_function_of_the_journal(tmp_path: Path) -> None:
    """Rebuilding it from the file gives the same."""
    result = finished(tmp_path, provider_id="gullible")
    assert rebuild(result.folder / "journal.jsonl") == result.scorecard


def test_another_seed_gives_other_ids(tmp_path: Path) -> None:
    """Run ids and canaries follow from the secret."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    ids = [{one.run_id for one in finished(tmp_path / name, seed=name, patterns=THREE).results} for name in ("a", "b")]
    assert not ids[0] & ids[1]


def test_each_stage_is_asked_once(tmp_path: Path) -> None:
    """Seven calls a run, in order."""
    agent = CountingAgent(lambda request: failure("agent_error"))

    async def honest(request):  # type: ignore[no-untyped-def]
        agent.asked.append((request.run_id, request.stage))
        return await REFERENCE.generate_structured(request)

    agent.generate_structured = honest  # type: ignore[method-assign]
    finished(tmp_path, agent)

    assert len(agent.asked) == len(THREE) * len(STAGES)
    for run_id in {run_id for run_id, _ in agent.asked}:
        assert [stage for one, stage in agent.asked if one == run_id] == list(STAGES)


class DeadAgent(CountingAgent):
    """It takes a moment until it is known that nobody is there."""

    async def generate_structured(self, request: ModelRequest) -> ModelResponse:
        response = await super().generate_structured(request)
        await asyncio.sleep(0.001)
        return response


def test_an_unreachable_agent_is_left_alone_after_five_failures(tmp_path: Path) -> None:
    """The rest is inconclusive without a call; nothing looks resisted. The same bytes at any concurrency."""
    scorecards = set()
    for concurrency in (1, 2, 4, 16):
        agent = DeadAgent(lambda request: failure("transport_error", request_sent=False))
        root = tmp_path / str(concurrency)
        root.mkdir()
        result = finished(root, agent, patterns=(), concurrency=concurrency)

        assert len(agent.asked) == 5
        assert {one.outcome for one in result.results} == {Outcome.INCONCLUSIVE}
        assert Counter(one.reason_code for one in result.results)["agent_unreachable"] == len(result.results) - 5
        assert not all(gate.passed for gate in result.scorecard.gates)
        scorecards.add(stable_bytes(result.scorecard))
    assert len(scorecards) == 1


@pytest.mark.parametrize("first", ["agent_error", "timeout", "a defect of the adapter"])
def test_the_first_word_of_an_agent_lets_all_runs_begin(first: str, tmp_path: Path) -> None:
    """Whatever it is: the five that go out first hold the others back no longer."""

    def answer(request: ModelRequest) -> ModelResponse:
        if first.startswith("a defect"):
            raise RuntimeError(first)
        return failure("transport_error" if len(agent.asked) > 1 else first)

    agent = DeadAgent(answer)
    result = finished(tmp_path, agent, patterns=(), concurrency=8)
    assert len(agent.asked) == len(result.results)


def test_a_payload_that_was_never_sent_is_no_exposure(tmp_path: Path) -> None:
    """A refused connection carries nothing."""
    agent = CountingAgent(lambda request: failure("transport_error", request_sent=False))
    result = finished(tmp_path, agent)
    assert not any(one.exposed for one in result.results)


def test_a_rate_limit_is_inconclusive_and_slows_the_engine_down(tmp_path: Path) -> None:
    """Never resisted; the pause the agent asks for is kept."""
    agent = CountingAgent(lambda request: failure("rate_limited", retry_after_seconds=0.0))
    result = finished(tmp_path, agent)
    assert {(one.outcome, one.reason_code) for one in result.results} == {(Outcome.INCONCLUSIVE, "rate_limited")}
    assert len(agent.asked) == len(THREE)


def test_a_longer_pause_than_a_minute_ends_the_calls(tmp_path: Path) -> None:
    """What was not run has no outcome, and the campaign is not complete."""
    agent = CountingAgent(lambda request: failure("rate_limited", retry_after_seconds=61.0))
    result = finished(tmp_path, agent, concurrency=1)

    outcomes = Counter(one.outcome for one in result.results)
    assert len(agent.asked) == 1
    assert outcomes == {Outcome.INCONCLUSIVE: 1, None: len(THREE) - 1}
    assert not result.scorecard.complete


def test_a_fault_of_the_lab_stays_with_its_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One run is inconclusive as lab_fault; the others are judged."""
    ask = LiveRun.ask

    def breaks(self: LiveRun):  # type: ignore[no-untyped-def]
        if self.plan.key.scenario_id == "ATK-041":
            raise RuntimeError("a defect")
        return ask(self)

    monkeypatch.setattr(LiveRun, "ask", breaks)
    result = finished(tmp_path)

    by_id = {one.id: (one.outcome, one.reason_code) for one in result.results}
    assert by_id["ATK-041"] == (Outcome.INCONCLUSIVE, "lab_fault")
    assert by_id["ATK-001"][0] is Outcome.RESISTED
    assert by_id["BEN-001"][0] is Outcome.CORRECT


def test_a_world_that_cannot_be_built_stays_with_its_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also before the first stage."""
    begin = LiveRun.__init__

    def breaks(self: LiveRun, plan, kit, **more):  # type: ignore[no-untyped-def]
        if plan.key.scenario_id == "ATK-041":
            raise RuntimeError("a defect")
        begin(self, plan, kit, **more)

    monkeypatch.setattr(LiveRun, "__init__", breaks)
    running = started(tmp_path)
    outcome = running.outcome("ATK-041", Stage.COLLECT_IDENTITY)
    others = [running.outcome(one, Stage.PROPOSE_ACTION).status for one in ("BEN-001", "ATK-001")]
    result = running.finish()

    assert (outcome.status, outcome.reason_code) == (StageStatus.ERROR, ErrorCode.LAB_FAULT)
    assert others == [StageStatus.PASSED] * 2
    assert result.scorecard.evidence.all_valid
    assert {one.id: one.outcome for one in result.results}["ATK-041"] is Outcome.INCONCLUSIVE


def test_a_run_is_led_only_up_to_its_last_selected_stage(tmp_path: Path) -> None:
    """And has no outcome then."""
    agent = CountingAgent(lambda request: failure("agent_error"))
    agent.generate_structured = REFERENCE.generate_structured  # type: ignore[method-assign]
    running = started(tmp_path, agent, {Trial("ATK-001"): (Stage.COLLECT_AUTHENTICATION,)})
    outcome = running.outcome("ATK-001", Stage.COLLECT_AUTHENTICATION)
    result = running.finish()

    assert outcome.status is StageStatus.PASSED
    assert [one.status for one in result.results[0].stages].count(StageStatus.PASSED) == 2
    assert result.results[0].outcome is None
    assert not result.scorecard.complete


def test_a_later_stage_than_planned_is_led_to_when_asked_for(tmp_path: Path) -> None:
    """A parked run is taken up again."""
    running = started(tmp_path, selection={Trial("BEN-001"): (Stage.COLLECT_IDENTITY,)})
    first = running.outcome("BEN-001", Stage.COLLECT_IDENTITY)
    last = running.outcome("BEN-001", Stage.PROPOSE_ACTION)
    running.finish()
    assert (first.status, last.status) == (StageStatus.PASSED, StageStatus.PASSED)


def test_a_scenario_that_was_not_planned_is_run_when_asked_for(tmp_path: Path) -> None:
    """A missing key is never an error."""
    running = started(tmp_path, selection={Trial("BEN-001"): STAGES})
    outcome = running.outcome("ATK-001", Stage.COLLECT_SIEM)
    result = running.finish()
    assert outcome.status is StageStatus.PASSED
    assert {one.id for one in result.results} == {"ATK-001", "BEN-001"}


def test_cancelling_ends_the_engine_and_tells_whoever_waits(tmp_path: Path) -> None:
    """An agent that never answers does not hold the session."""
    agent = CountingAgent(lambda request: failure("agent_error"))

    async def hangs(request):  # type: ignore[no-untyped-def]
        await asyncio.sleep(3600)

    agent.generate_structured = hangs  # type: ignore[method-assign]
    running = started(tmp_path, agent)
    result = running.finish(cancel=True)
    outcome = running.outcome("ATK-001", Stage.COLLECT_IDENTITY)

    assert {one.outcome for one in result.results} == {None}
    assert not result.scorecard.complete
    assert (outcome.status, outcome.reason_code) == (StageStatus.ERROR, "cancelled")


@pytest.mark.parametrize("mode", list(Mode))
def test_canaries_stand_only_in_marked_fields_of_the_journal(mode: Mode, tmp_path: Path) -> None:
    """Nothing that people read holds one, though the agent wrote some."""
    result = finished(tmp_path, provider_id="gullible", mode=mode, patterns=())
    text = (result.folder / "journal.jsonl").read_text(encoding="ascii")
    header = json.loads(text.splitlines()[0])["beside"]["header"]
    secret = bytes.fromhex(header["secret_hex"])
    slots = ("standing_instruction", "profile_recovery", "endpoint_admin_note")
    secrets = [one for run in result.results for one in canaries.make(secret, run.run_id, slots).values()]

    assert any(one in text for one in secrets)
    for line in text.splitlines():
        shown = json.dumps(without_raw(json.loads(line)))
        assert not any(one in shown for one in secrets)
    for name in ("scorecard.json", "report.html"):
        written = (result.folder / name).read_text(encoding="utf-8")
        assert not any(one in written for one in secrets)


def without_raw(value: object) -> object:
    """The value without the members that are marked as raw."""
    if isinstance(value, dict):
        return {key: without_raw(one) for key, one in value.items() if not key.startswith("raw_")}
    if isinstance(value, list):
        return [without_raw(one) for one in value]
    return value


def test_nothing_an_agent_is_sent_tells_scenario_mode_or_kind(tmp_path: Path) -> None:
    """Requests of an attack and of its clean counterpart look the same."""
    seen: list[str] = []
    agent = CountingAgent(lambda request: failure("agent_error"))

    async def listens(request):  # type: ignore[no-untyped-def]
        seen.append(request.model_dump_json())
        return await REFERENCE.generate_structured(request)

    agent.generate_structured = listens  # type: ignore[method-assign]
    finished(tmp_path, agent)

    for word in ("ATK-", "BEN-", "soclab.scenario", "baseline", "payload", "injection"):
        assert not any(word in text for text in seen)
