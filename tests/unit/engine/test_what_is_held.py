"""What a campaign holds on to: never what agents said, once it is judged and written."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

from soclab.contracts.outcome import Trial
from soclab.contracts.provider import ModelRequest, ModelResponse
from soclab.contracts.vocabulary import STAGES, Stage
from soclab.providers import registry
from soclab.providers.base import StructuredProvider
from soclab.providers.reference import brain_of
from tests.unit.engine.campaigns import THREE, finished, started

LONGEST_QUOTE = 2000
"""Texts for people are cut to less than this."""

PADDING = "the session token was used from two networks; " * 400


class Talkative(StructuredProvider):
    """The agent that falls for everything, with a long story around each answer; remembers its answers weakly."""

    provider_id = "talkative"
    model = "agent"

    def __init__(self) -> None:
        self._inner = registry.build("gullible", {}, None)
        self.given: list[weakref.ref[ModelResponse]] = []
        self.most_alive = 0

    async def generate_structured(self, request: ModelRequest) -> ModelResponse:
        answer = await self._inner.generate_structured(request)
        answer = answer.model_copy(update={"output_text": f"{answer.output_text} {PADDING}"})
        gc.collect()
        self.most_alive = max(self.most_alive, self.alive)
        self.given.append(weakref.ref(answer))
        return answer

    @property
    def alive(self) -> int:
        return sum(one() is not None for one in self.given)


def long_texts_below(root: object) -> list[str]:
    """Texts with the padding in them, longer than any quotation, that can be reached from an object."""
    seen, waiting, found = {id(root)}, [root], []
    while waiting:
        one = waiting.pop()
        if isinstance(one, str) and len(one) > LONGEST_QUOTE and PADDING[:100] in one:
            found.append(one)
        for below in gc.get_referents(one):
            if id(below) not in seen and not isinstance(below, type | ModuleType | FunctionType):
                seen.add(id(below))
                waiting.append(below)
    return found


def test_no_reply_is_held_when_every_run_is_over(tmp_path: Path) -> None:
    """Neither the answers nor their texts can be reached from the campaign that is still open, or from its result."""
    agent = Talkative()
    running = started(tmp_path, agent)
    running.wait_all()
    result = running.finish()
    gc.collect()

    assert len(agent.given) == len(THREE) * len(STAGES)
    assert agent.alive == 0
    assert long_texts_below(running) == []
    assert long_texts_below(result) == []


def test_no_table_of_remembered_texts_holds_a_long_finding(tmp_path: Path) -> None:
    """What is worked out again and again is remembered across runs; long texts are not, whatever an agent says."""
    honest = brain_of("server")

    def wordy(request: dict[str, Any]) -> dict[str, Any]:
        reply = honest(request)
        if request["stage"] == Stage.FORM_FINDING:
            reply["proposal"]["finding"]["claims"].append({"text": PADDING, "evidence_ids": ["alert"]})
        return reply

    result = finished(tmp_path, wordy, patterns=("BEN-001",))
    gc.unfreeze()  # an earlier session of this process may have put the tables aside, where nobody finds them
    gc.collect()
    tables = [one for one in gc.get_objects() if type(one).__name__ == "_lru_cache_wrapper"]

    assert PADDING[:100] in (result.folder / "journal.jsonl").read_text("ascii")
    assert len(tables) > 20
    assert [text[:80] for table in tables for text in long_texts_below(table)] == []


def test_a_clean_run_holds_its_latest_reply_only(tmp_path: Path) -> None:
    """It is what the verdict looks at; a run of an attack needs all of its replies once more."""
    agent = Talkative()
    finished(tmp_path, agent, patterns=("BEN-*",), concurrency=1)

    assert len(agent.given) > 2 * len(STAGES)
    assert agent.most_alive == 1


@pytest.mark.parametrize("target", [Stage.COLLECT_SIEM])
def test_a_parked_run_holds_no_earlier_reply(tmp_path: Path, target: Stage) -> None:
    """A clean run that stopped at the last stage anybody wanted, and may be taken up again."""
    agent = Talkative()
    running = started(tmp_path, agent, {Trial("BEN-001"): (target,)})
    running.wait_all()
    gc.collect()

    assert agent.alive <= 1
    running.finish()


def test_results_of_runs_share_what_is_equal(tmp_path: Path) -> None:
    """Counts that many runs have in common are one record; names of members are kept once, not once for each run."""
    results = finished(tmp_path, patterns=("BEN-*",)).results
    sets = {id(one.model_fields_set) for one in results}

    assert len(results) > 2
    assert len(sets) == 1
    assert len({id(one.claims) for one in results}) == len({one.claims for one in results})
    assert len({id(one.evidence) for one in results}) == len({one.evidence for one in results})
