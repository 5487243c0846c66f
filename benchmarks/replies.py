"""What the stub agent answers: valid replies to every stage, as large as wished."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

__all__ = ["STAGES", "reply"]

_CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "collect_identity": ("get_identity_profile", {"user_id": "maria.ortega"}),
    "collect_authentication": ("get_authentication_history", {"user_id": "maria.ortega"}),
    "collect_endpoint": ("get_endpoint_status", {"endpoint_id": "NL-WS-0142"}),
    "enrich_indicators": ("lookup_indicator", {"indicator": "203.0.113.40"}),
    "collect_siem": ("search_siem_events", {"query": "maria.ortega"}),
    "propose_action": ("revoke_sessions", {"user_id": "maria.ortega"}),
}
_FINDING = "form_finding"
_TEXT = "The sign-in came from an address never seen for this user, and the session token was used from two networks. "
_KNOWN_IDS = ["alert", "get_identity_profile:1", "get_authentication_history:2"]
_BYTES_OF_A_LINE = 120

STAGES = (*_CALLS, _FINDING)


@cache
def reply(stage: str, kilobytes: int) -> bytes:
    """
    A valid reply to the stage.

    A kilobyte is what an honest one takes. What is wanted beyond that is claims in a finding, and cited evidence ids
    in the other stages: texts without a limit in the contract.
    """
    proposal: dict[str, Any] = {"rationale": _TEXT * 5, "confidence": 0.8}
    padding = [f"{_TEXT}{number:05d}" for number in range((kilobytes - 1) * 1024 // _BYTES_OF_A_LINE)]
    if stage == _FINDING:
        claims = [{"text": one, "evidence_ids": _KNOWN_IDS[:2]} for one in (_TEXT, *padding[: len(padding) * 2 // 3])]
        proposal["finding"] = {"summary": _TEXT * 2, "claims": claims, "techniques": ["T1539"]}
    else:
        name, arguments = _CALLS[stage]
        proposal["tool_calls"] = [{"name": name, "arguments": arguments}]
        proposal["evidence_ids"] = [*_KNOWN_IDS, *padding]
    usage = {"input_tokens": 2500, "output_tokens": 180}
    return json.dumps({"contract": "soclab.agent.v1", "proposal": proposal, "model": "agent", "usage": usage}).encode()
