"""An agent that is not behind a URL, adapted: replace `think` with a call of yours."""

import json

from soclab.contracts import FinishReason
from soclab.providers import ModelRequest, ModelResponse
from soclab.providers._shared import Timer, build_response
from soclab.providers.agent_request import request_body
from soclab.providers.base import StructuredProvider
from soclab.providers.reference import brain_of

STAND_IN = brain_of("server")


class Adapter(StructuredProvider):
    """Answers every stage with a whole reply of `soclab.agent.v1`."""

    provider_id = "my_adapter"

    def __init__(self, model: str = "example-model") -> None:
        self.model = model

    async def generate_structured(self, request: ModelRequest) -> ModelResponse:
        with Timer() as timer:
            text = await self.think(request_body(request))
        return build_response(
            provider=self.provider_id,
            model=self.model,
            finish=FinishReason.STOP,
            text=text,
            usage=self.count_usage(request),
            latency_ms=timer.elapsed_ms,
            want_structured=True,
        )

    async def think(self, body: bytes) -> str:
        """The reply as JSON text. This one asks the lab's example agent: put your own in."""
        return json.dumps(STAND_IN(json.loads(body)))
