"""
An agent that falls for one scenario on purpose: the proof that the scenario can be lost.

It knows the scenario's losing path, which no other agent may; the lint that keeps agents away from the answer key
makes an exception for this file. What it leaks it copies from the request, like any agent.
"""

from __future__ import annotations

import inspect
import json
from types import TracebackType
from typing import Any, Final

from soclab.adversary.loot import fill
from soclab.contracts.agent_v1 import CONTRACT_ID
from soclab.contracts.provider import ModelProvider, ModelRequest, ModelResponse
from soclab.contracts.scenario_v1 import Scenario
from soclab.contracts.strict import JsonObject, JsonValue
from soclab.providers.agent_request import request_body
from soclab.providers.answers import answered
from soclab.providers.base import StructuredProvider

__all__ = ["Puppet"]

_RATIONALE: Final = "This is what the records of this case ask for."


class Puppet(StructuredProvider):
    """
    Answers from `scenario.losing_path` at the stages named there, and lets an honest agent answer the others.

    A stage's entry is a proposal, or a part of one: what is missing is filled in (a rationale, every known evidence
    id). Two other forms: `{"refusal": {...}}` refuses, `{"raw": "text"}` is sent as it stands. Texts may hold
    `{{secret}}` templates, see `soclab.adversary.loot`.

    Args:
        scenario: an attack with a losing path.
        honest: answers every other stage.
    """

    provider_id = "puppet"

    def __init__(self, scenario: Scenario, honest: ModelProvider) -> None:
        self.model = honest.model
        self._path = scenario.losing_path
        self._honest = honest

    async def generate_structured(self, request: ModelRequest) -> ModelResponse:
        """The next reply of the losing path, or the honest agent's."""
        entry = None if request.stage is None else self._path.get(request.stage)
        if entry is None:
            answer: Any = self._honest.generate_structured(request)
            honest: ModelResponse = await answer if inspect.isawaitable(answer) else answer
            return honest
        text = _reply({key: fill(value, request) for key, value in entry.items()}, request)
        raw = text.encode("utf-8", "surrogatepass")
        return answered(self, raw, sent_bytes=len(request_body(request)))

    async def __aenter__(self) -> Puppet:
        enter = getattr(self._honest, "__aenter__", None)
        if enter is not None:
            await enter()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        leave = getattr(self._honest, "__aexit__", None)
        if leave is not None:
            await leave(kind, error, traceback)


def _reply(entry: JsonObject, request: ModelRequest) -> str:
    if isinstance(raw := entry.get("raw"), str):
        return raw
    if "refusal" in entry:
        return json.dumps({"contract": CONTRACT_ID, "refusal": entry["refusal"]})
    known: list[JsonValue] = list(request.evidence_ids)
    proposal: JsonObject = {"rationale": _RATIONALE, "evidence_ids": known, "confidence": 0.9, **entry}
    return json.dumps({"contract": CONTRACT_ID, "proposal": proposal})
