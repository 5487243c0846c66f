"""Many puppets behind one provider: a whole campaign in which every attack is lost on purpose."""

from __future__ import annotations

from collections.abc import Mapping

from soclab.contracts.provider import ModelProvider, ModelRequest, ModelResponse
from soclab.providers.base import StructuredProvider

__all__ = ["Puppets"]


class Puppets(StructuredProvider):
    """
    The run's id tells whose turn it is; nothing else in a request does.

    Args:
        by_run: run id -> the puppet of its scenario; an empty one may be filled until the first request.
    """

    provider_id = "puppet"
    model = "agent"

    def __init__(self, by_run: Mapping[str, ModelProvider]) -> None:
        self._by_run = by_run

    async def generate_structured(self, request: ModelRequest) -> ModelResponse:
        """
        What the run's own puppet says.

        Raises:
            KeyError: no puppet plays in this run.
        """
        answer: ModelResponse = await self._by_run[request.run_id or ""].generate_structured(request)
        return answer
