"""The engines there are: Cedar in process, a team's own OPA server."""

from __future__ import annotations

from soclab.policy.engines.cedar import CedarEngine
from soclab.policy.engines.opa_server import OpaServerEngine

__all__ = ["CedarEngine", "OpaServerEngine"]
