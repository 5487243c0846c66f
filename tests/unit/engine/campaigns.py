"""Campaigns in this process against small agents."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from soclab.assembly import CampaignSettings, FinishedCampaign, RunningCampaign, prepare
from soclab.clock import FixedClock
from soclab.contracts.outcome import Trial
from soclab.contracts.provider import FinishReason, ModelRequest, ModelResponse
from soclab.contracts.vocabulary import Mode, Stage
from soclab.providers.base import StructuredProvider

EACH_AGENT_IN_EACH_MODE = pytest.mark.parametrize(
    ("provider", "mode"),
    [
        ("reference", Mode.BASELINE),
        ("gullible", Mode.PROTECTED),
        pytest.param("reference", Mode.PROTECTED, marks=pytest.mark.slow),
        pytest.param("gullible", Mode.BASELINE, marks=pytest.mark.slow),
    ],
)
"""Arguments `provider` and `mode`; half of them in the slow sweep."""
THREE = ("ATK-001", "ATK-041", "BEN-001")
Answer = Callable[[ModelRequest], ModelResponse]


def settings(root: Path, **changes: Any) -> CampaignSettings:
    """A protected campaign of three scenarios against the reference agent, seed `s`."""
    first = CampaignSettings(environment={}, root=root, provider_id="reference", patterns=THREE, seed="s")
    return replace(first, **changes)


def started(
    root: Path,
    agent: object = None,
    selection: Mapping[Trial, Sequence[Stage]] | None = None,
    **changes: Any,
) -> RunningCampaign:
    """A running campaign; an agent of one's own stands for the fixture."""
    if agent is not None:
        changes = {"provider_id": None, "fixture_agent": "conftest.py:1", **changes}
    prepared = replace(prepare(settings(root, **changes)), clock=FixedClock())
    return prepared.start(agent, selection)


def finished(root: Path, agent: object = None, **changes: Any) -> FinishedCampaign:
    """A campaign led to its end."""
    running = started(root, agent, **changes)
    running.wait_all()
    return running.finish()


class CountingAgent(StructuredProvider):
    """Answers with a function of the request and counts what it was asked, at most how many at once."""

    provider_id = "counting"
    model = "agent"

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.asked: list[tuple[str | None, Stage | None]] = []
        self._lock = threading.Lock()

    async def generate_structured(self, request: ModelRequest) -> ModelResponse:
        with self._lock:
            self.asked.append((request.run_id, request.stage))
        return self.answer(request)


def failure(code: str, **more: Any) -> ModelResponse:
    """An error turn."""
    return ModelResponse(provider="counting", model="agent", finish_reason=FinishReason.ERROR, reason_code=code, **more)


def protected_and_baseline() -> tuple[Mode, Mode]:
    return Mode.PROTECTED, Mode.BASELINE
