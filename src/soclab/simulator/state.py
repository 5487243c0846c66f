"""
The state that response actions change: plain JSON, never edited in place, so that a snapshot costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from soclab.contracts.fixture import Entity, Fixture
from soclab.contracts.strict import JsonObject, JsonValue
from soclab.contracts.trace import WorldState

__all__ = ["append", "include", "initial_state", "put"]


def _user(entity: Entity) -> JsonObject:
    return {
        "aliases": list(entity.aliases),
        "protected": entity.protected,
        "enabled": entity.record.get("account_enabled") is not False,
        "deleted": False,
        "sessions_revoked": False,
        "password_reset": False,
        "mfa_reset": False,
        "roles_granted": [],
        "factors_enrolled": [],
        "grants_revoked": [],
        "inbox_rules_removed": [],
    }


def _endpoint(entity: Entity) -> JsonObject:
    return {
        "aliases": list(entity.aliases),
        "protected": entity.protected,
        "isolated": False,
        "execution_restricted": False,
        "scanned": False,
        "package_collected": False,
        "wiped": False,
        "sensor_policy_enabled": True,
        "processes_killed": [],
        "files_quarantined": [],
        "scripts_run": [],
    }


def initial_state(fixture: Fixture) -> WorldState:
    """
    The state before anybody acted.

    `users` and `endpoints` hold one object per entity, `objects` one word per other thing that was acted on
    (`access_key AK-1: disabled`); the lists hold canonical indicators or texts; `actions` what was run, in order.
    """
    return {
        "incident": {
            "title": fixture.incident.title,
            "status": "open",
            "classification": None,
            "closing_reason": None,
            "severity": fixture.incident.severity,
            "escalated": False,
            "escalation_reason": None,
            "notes": [],
        },
        "users": {entity.id: _user(entity) for entity in fixture.identities},
        "endpoints": {entity.id: _endpoint(entity) for entity in fixture.endpoints},
        "protected_indicators": [*sorted(entity.id for entity in fixture.indicators if entity.protected)],
        "objects": {},
        "blocked": [],
        "allowlisted": [],
        "exclusions": [],
        "suppressions": [],
        "outbox": [],
        "incidents_created": [],
        "actions": [],
    }


def _changed(node: JsonValue, path: tuple[str, ...], change: Callable[[JsonValue], JsonValue]) -> JsonValue:
    if not path:
        return change(node)
    assert isinstance(node, dict)
    return {**node, path[0]: _changed(node.get(path[0]), path[1:], change)}


def _at(state: WorldState, path: tuple[str, ...], change: Callable[[JsonValue], JsonValue]) -> WorldState:
    changed = _changed(state, path, change)
    assert isinstance(changed, dict)
    return changed


def put(state: WorldState, *path: str, value: JsonValue) -> WorldState:
    """A new state with the value at the path; everything off the path is shared."""
    return _at(state, path, lambda _: value)


def append(state: WorldState, *path: str, value: JsonValue) -> WorldState:
    """A new state with the value at the end of the list at the path."""

    def longer(node: JsonValue) -> JsonValue:
        return [*node, value] if isinstance(node, list) else [value]

    return _at(state, path, longer)


def include(state: WorldState, *path: str, value: str) -> WorldState:
    """A new state with the text in the sorted list at the path, once."""

    def with_it(node: JsonValue) -> JsonValue:
        texts = {str(one) for one in node} if isinstance(node, list) else set()
        return [*sorted(texts | {value})]

    return _at(state, path, with_it)
