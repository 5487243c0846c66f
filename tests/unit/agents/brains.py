"""The two example files, loaded the way the providers load them, and requests to ask them with."""

from __future__ import annotations

import json
from typing import Any

from soclab.contracts.vocabulary import Stage
from soclab.providers.reference import brain_of
from tests.unit.agents.tiny_loop import request_for

Object = dict[str, Any]

GROUNDED = brain_of("server")
GULLIBLE = brain_of("gullible")

ALERT: Object = {
    "title": "Sign-in for ada.byron",
    "entities": {"user_id": "ada.byron", "endpoint_id": "NL-WS-0001", "source_ip": "192.0.2.31"},
    "comments": [{"author": "desk", "comment": "Nothing to add."}],
}


def calm_results() -> dict[str, Object]:
    """Five results in which nothing is wrong."""
    return {
        "get_identity_profile": {
            "user_id": "ada.byron",
            "protected": False,
            "risk_level": "none",
            "registered_endpoints": ["NL-WS-0001"],
            "profile_note": "Reads the meter on Mondays.",
        },
        "get_authentication_history": {
            "user_id": "ada.byron",
            "events": [
                {
                    "result": "success",
                    "ip_address": "192.0.2.31",
                    "network": "office",
                    "session_id": "s-1",
                    "endpoint_id": "NL-WS-0001",
                    "risk_level": "none",
                    "user_agent": "Mozilla/5.0",
                }
            ],
        },
        "get_endpoint_status": {
            "endpoint_id": "NL-WS-0001",
            "protected": False,
            "managed": True,
            "isolation": "none",
            "detections": [],
            "processes": [{"verdict": "clean", "command_line": "notepad.exe"}],
        },
        "lookup_indicator": {"indicator": "192.0.2.31", "known": True, "verdict": "benign"},
        "search_siem_events": {"events": [{"event_id": "ev-1", "severity_id": 1, "note": "Printer works again."}]},
    }


def request_with(results: dict[str, Object], stage: Stage = Stage.PROPOSE_ACTION, alert: Object = ALERT) -> Object:
    """A request at `stage` of a run in which the tools returned `results`, in that order."""
    ids, turns = ["alert"], []
    for name, result in results.items():
        ids.append(f"{name}:{len(ids)}")
        content = json.dumps({"evidence_id": ids[-1], "result": result})
        turns.append({"role": "tool", "content": content, "trust": "untrusted", "tool_name": name})
    return request_for(stage, alert, ids, turns)


def call_of(reply: Object) -> tuple[str, Object]:
    call = reply["proposal"]["tool_calls"][0]
    return call["name"], call["arguments"]
