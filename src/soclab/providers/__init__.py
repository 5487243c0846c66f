"""
The agents: what an adapter looks like, and what it may raise.

`soclab.providers.registry` lists the ones that ship; `docs/python-adapters.md` shows how to write one.
"""

from soclab.contracts.provider import ModelProvider, ModelRequest, ModelResponse
from soclab.errors import CapabilityUnsupportedError, MalformedResponseError, ProviderError

__all__ = [
    "ModelProvider",
    "ModelRequest",
    "ModelResponse",
    "ProviderError",
    "MalformedResponseError",
    "CapabilityUnsupportedError",
]
