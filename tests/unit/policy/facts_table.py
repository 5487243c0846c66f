"""For each reason code of the shipped policies: facts that get it, and the nearest facts that do not."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from soclab.contracts.policy import LARGEST, PolicyFacts

__all__ = ["TABLE", "Case", "facts"]

Changes = dict[str, Any]

_ACTION: dict[str, Any] = {
    "tool": {
        "name": "isolate_endpoint",
        "known": True,
        "reads": False,
        "risk": "high",
        "reversible": True,
        "closes": False,
    },
    "arguments": {"problems": [], "longest": 10},
    "scope": {"targets": 1, "outside": 0},
    "protected": {"hits": [], "catch_all": False},
    "model": {"approved": True},
    "evidence": {"cited": 2, "minimum": 2},
    "calls": {"so_far": 6, "limit": 16},
    "records": {"asked": 50, "wanted": 0, "limit": 200},
    "tokens": {},
    "level": 4,
    "approval": "granted",
    "stage": "propose_action",
}
_SMALL = {"name": "revoke_sessions", "risk": "low"}
_FINAL = {"name": "run_av_scan", "risk": "low", "reversible": False}
_NOTE = {"name": "add_note", "risk": "none"}
_CLOSE = {"name": "close_incident", "closes": True}
_LOOK_UP = {"name": "lookup_indicator", "reads": True, "risk": "none", "reversible": False}
_UNKNOWN = {"name": "", "known": False, "reads": False, "risk": "none", "reversible": False}


def facts(**changes: Any) -> PolicyFacts:
    """An action on this incident that a person has agreed to, but for these changes; a section's are merged."""
    document = {
        name: {**value, **changes.get(name, {})} if isinstance(value, dict) else changes.get(name, value)
        for name, value in _ACTION.items()
    }
    return PolicyFacts.model_validate_json(json.dumps(document))


class Case(NamedTuple):
    """What is denied or held for this code, and what is just not."""

    stopped: tuple[Changes, ...]
    passed: tuple[Changes, ...]


TABLE: dict[str, Case] = {
    "approval_denied": Case(({"approval": "denied"},), ({},)),
    "approval_expired": Case(({"approval": "expired"},), ({},)),
    "approval_required": Case(
        (
            {"approval": "none"},
            {"approval": "pending"},
            {"approval": "none", "tool": _SMALL},
            {"approval": "none", "level": 5},
            {"approval": "none", "level": 5, "tool": _FINAL},
            {"approval": "none", "level": 5, "tool": {"risk": "critical"}},
        ),
        (
            {},
            {"approval": "none", "level": 5, "tool": _SMALL},
            {"approval": "none", "tool": _CLOSE},
            {"approval": "none", "tool": _NOTE},
            {"approval": "none", "tool": _LOOK_UP},
        ),
    ),
    "argument_too_long": Case(
        ({"arguments": {"problems": ["too_long"]}}, {"arguments": {"longest": 4097}}),
        ({"arguments": {"longest": 4096}},),
    ),
    "authority_level": Case(
        (
            {"level": 1},
            {"level": 2},
            {"level": 1, "tool": _NOTE},
            {"level": 2, "tool": _CLOSE},
        ),
        ({}, {"level": 2, "tool": _NOTE}, {"level": 1, "tool": _LOOK_UP}),
    ),
    "call_budget_exceeded": Case(
        ({"calls": {"so_far": 16}}, {"calls": {"so_far": LARGEST}}), ({"calls": {"so_far": 15}},)
    ),
    "catch_all_target": Case(
        ({"protected": {"catch_all": True}},), ({}, {"protected": {"catch_all": True}, "tool": _LOOK_UP})
    ),
    "insufficient_evidence": Case(
        ({"evidence": {"cited": 1}}, {"evidence": {"cited": 0}, "tool": _CLOSE, "approval": "none"}),
        ({}, {"evidence": {"cited": 0}, "tool": _NOTE}, {"evidence": {"cited": 0}, "tool": _LOOK_UP}),
    ),
    "invalid_arguments": Case(
        (
            {"arguments": {"problems": ["invalid"]}},
            {"arguments": {"problems": ["missing"]}},
            {"arguments": {"problems": ["wrong_type"]}},
        ),
        ({},),
    ),
    "lookalike_identifier": Case(({"arguments": {"problems": ["lookalike"]}},), ({},)),
    "no_policy_permits": Case(({"tool": {**_LOOK_UP, "risk": "low"}},), ({"tool": _LOOK_UP},)),
    "out_of_scope": Case(({"scope": {"outside": 1}},), ({"scope": {"targets": 9}},)),
    "protected_asset": Case(
        ({"protected": {"hits": ["NL-DC-01"]}},), ({}, {"protected": {"hits": ["NL-DC-01"]}, "tool": _LOOK_UP})
    ),
    "recommendation_only": Case(
        ({"level": 3}, {"level": 3, "tool": _CLOSE}), ({"level": 3, "tool": _NOTE}, {"level": 3, "tool": _LOOK_UP})
    ),
    "record_budget_exceeded": Case(
        (
            {"records": {"wanted": 151}, "tool": _LOOK_UP},
            {"records": {"asked": LARGEST, "wanted": LARGEST, "limit": LARGEST}, "tool": _LOOK_UP},
        ),
        ({"records": {"wanted": 150}, "tool": _LOOK_UP}, {"records": {"asked": 201, "wanted": 0}}),
    ),
    "secret_in_arguments": Case(({"arguments": {"problems": ["secret"]}},), ({},)),
    "smuggled_argument": Case(({"arguments": {"problems": ["smuggled"]}},), ({},)),
    "token_budget_exceeded": Case(
        ({"tokens": {"spent": 11, "limit": 10}},),
        ({"tokens": {"spent": 10, "limit": 10}}, {"tokens": {"limit": 0}}, {"tokens": {"spent": 11}}, {}),
    ),
    "unapproved_model": Case(({"model": {"approved": False}},), ({},)),
    "unknown_tool": Case(({"tool": _UNKNOWN},), ({},)),
}
