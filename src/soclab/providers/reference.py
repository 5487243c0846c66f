"""
The agents of `examples/http_agent/` in this process: the same brain as behind HTTP, loaded from the same file.

`reference` is the rule-based agent of `server.py`, which decides from platform fields only. No set-up, no socket.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any

from soclab.contracts.provider import ModelProvider, ModelRequest, ModelResponse
from soclab.errors import LabFault
from soclab.providers._shared import Timer
from soclab.providers.agent_request import request_body
from soclab.providers.answers import answered
from soclab.providers.base import StructuredProvider
from soclab.published_files import published

__all__ = ["ExampleAgent", "build"]

_FOLDER = "http_agent"
_DEFAULT_MODEL = "agent"

_LOADING = threading.RLock()
"""A half-loaded file is in `sys.modules` already: whoever asks meanwhile has to wait."""

Brain = Callable[[dict[str, Any]], dict[str, Any]]


class ExampleAgent(StructuredProvider):
    """
    An example file's `answer` function, asked with the very request that an HTTP agent would get.

    Args:
        provider_id: the id in the registry.
        example: name of the file in `examples/http_agent/`, without `.py`.
        model: the label of the model, recorded on every turn.

    Usage is estimated. A brain that raises is an adapter's fault, as it is for every provider.
    """

    def __init__(self, provider_id: str, example: str, model: str | None) -> None:
        self.provider_id = provider_id
        self.model = model or _DEFAULT_MODEL
        self._answer = brain_of(example)

    async def generate_structured(self, request: ModelRequest) -> ModelResponse:
        """One answer to one stage; the reply passes the same strict reader as an HTTP body."""
        with Timer() as timer:
            body = request_body(request)
            raw = json.dumps(self._answer(json.loads(body))).encode()
        return answered(self, raw, sent_bytes=len(body), latency_ms=timer.elapsed_ms)


def brain_of(example: str) -> Brain:
    """
    The `answer` function of an example file; the file is loaded once per process, whichever thread comes first.

    Raises:
        LabFault: the installation has no such file.
    """
    label = f"_soclab_example_{example}"
    with _LOADING:
        if label not in sys.modules:
            _load(label, example)
        brain: Brain = sys.modules[label].answer
    return brain


def _load(label: str, example: str) -> None:
    path = published("examples") / _FOLDER / f"{example}.py"
    if not path.is_file():
        raise LabFault(f"example agent {path.name} is missing in {path.parent}: install soclab again")
    spec = importlib.util.spec_from_file_location(label, path)
    if spec is None or spec.loader is None:
        raise LabFault(f"example agent {path} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[label] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[label]
        raise


def build(environment: Mapping[str, str], model: str | None) -> ModelProvider:  # noqa: ARG001  # needs no set-up
    """The rule-based reference agent."""
    return ExampleAgent("reference", "server", model)
