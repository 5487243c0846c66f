"""An agent that says what it was told to say: for scenarios that force a reply, and for the lab's own tests."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final

from soclab.canaries import is_valid
from soclab.contracts.provider import ModelRequest, ModelResponse
from soclab.contracts.strict import JsonValue
from soclab.contracts.vocabulary import ErrorCode, Stage
from soclab.providers.agent_request import request_body
from soclab.providers.answers import answered, fault
from soclab.providers.base import StructuredProvider

__all__ = ["Reply", "ScriptedProvider", "build"]

Reply = JsonValue | bytes
"""What is said at a stage: text or bytes as they are, any other JSON value as its JSON text."""

_SECRET: Final = b"{{secret}}"
_WORD: Final = re.compile(r"(?<![A-Z2-7])[A-Z2-7]{26}(?![A-Z2-7])")


def build(environment: Mapping[str, str], model: str | None) -> ScriptedProvider:  # noqa: ARG001  # needs no set-up
    """A provider without scripts; they are loaded run by run."""
    return ScriptedProvider(model=model)


class ScriptedProvider(StructuredProvider):
    """
    Answers from the script of the run, else from `default`, else with an error turn (`adapter_fault`).

    Every reply goes through the same strict reader as the body of an HTTP answer. `{{secret}}` in it is the secret of
    the run's system prompt, copied from there like any agent could; without one it is an error turn.

    Args:
        default: stage -> reply, for runs without a script and for stages that a script leaves out.
        model: label, `agent` by default; a reply may name another.
    """

    provider_id = "scripted"

    def __init__(self, default: Mapping[Stage, Reply] | None = None, *, model: str | None = None) -> None:
        self.model = model or "agent"
        self._default = dict(default or {})
        self._scripts: dict[str, dict[Stage, Reply]] = {}

    def load(self, run_id: str, replies: Mapping[Stage, Reply]) -> None:
        """Give a run its script; a second one takes the place of the first."""
        self._scripts[run_id] = dict(replies)

    async def generate_structured(self, request: ModelRequest) -> ModelResponse:
        """The scripted reply, as if an agent had sent it."""
        sent_bytes = len(request_body(request))
        script = self._scripts.get(request.run_id or "", {})
        for replies in (script, self._default):
            if request.stage in replies:
                return self._said(_raw(replies[request.stage]), request, sent_bytes)
        detail = f"no reply is scripted for stage {request.stage}"
        return fault(self, ErrorCode.ADAPTER_FAULT, detail, sent_bytes=sent_bytes)

    def _said(self, raw: bytes, request: ModelRequest, sent_bytes: int) -> ModelResponse:
        if _SECRET in raw:
            secret = next(filter(is_valid, _WORD.findall(request.system_prompt)), None)
            if secret is None:
                detail = "the script copies a secret, and the system prompt holds none"
                return fault(self, ErrorCode.ADAPTER_FAULT, detail, sent_bytes=sent_bytes)
            raw = raw.replace(_SECRET, secret.encode("ascii"))
        return answered(self, raw, sent_bytes=sent_bytes)


def _raw(reply: Reply) -> bytes:
    if isinstance(reply, bytes):
        return reply
    text = reply if isinstance(reply, str) else json.dumps(reply)
    return text.encode("utf-8", "surrogatepass")
