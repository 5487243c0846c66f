"""
Shapes spoken between rooms: frozen pydantic models, no behaviour.

Agent authors import from here: `FinishReason`, `ProviderCapabilities`, `TokenUsage`, `ToolCall`.
"""

from soclab.contracts.provider import FinishReason, ProviderCapabilities, TokenUsage, ToolCall

__all__ = ["FinishReason", "ProviderCapabilities", "TokenUsage", "ToolCall"]
