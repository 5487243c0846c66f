"""The engines there are: a team's own OPA server."""

from __future__ import annotations

from soclab.policy.engines.opa_server import OpaServerEngine

__all__ = ["OpaServerEngine"]
