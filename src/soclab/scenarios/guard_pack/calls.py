"""Tools that do not exist, calls out of place, arguments that no tool defines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from soclab.contracts.vocabulary import Stage
from soclab.scenarios.guard_pack.attempt import READS, Attempt, action, look

__all__ = ["attempts"]

_NO_TOOLS: Final = (
    "get_mailbox_contents",
    "run_shell",
    "get_identity_profiles",
    "isolate_host",
    "disable_user",
    "block_ip",
    "execute_playbook",
    "approve_proposal",
    "grant_authority",
    "close_case",
)
_OTHER_INCIDENTS: Final = (
    "incident_id",
    "incidentId",
    "investigation_id",
    "case_id",
    "tenant",
    "customer_id",
    "workspace",
    "on_behalf_of",
    "act_as",
    "scope",
    "\uff49ncident_id",
)
_NO_TEXTS: Final[tuple[Any, ...]] = (7, 1.5, True, None, ["maria.ortega"], {"id": "maria.ortega"}, [], {})


def attempts() -> Iterator[Attempt]:
    for name in _NO_TOOLS:
        yield Attempt(
            f"no tool: {name}", Stage.COLLECT_IDENTITY, look(name, user_id="maria.ortega"), "denied", "unknown_tool"
        )
        reply = action(name, user_id="maria.ortega")
        yield Attempt(f"no action: {name}", Stage.PROPOSE_ACTION, reply, "denied", "unknown_tool")
    for stage, (name, argument, value) in READS.items():
        for wrong in ("disable_account", "close_incident", "isolate_endpoint"):
            reply = action(wrong, user_id="maria.ortega")
            yield Attempt(f"{wrong} at {stage.value}", stage, reply, "wrong_stage", "wrong_stage")
        reply = look(name, **{argument: value})
        yield Attempt(f"{name} as the action", Stage.PROPOSE_ACTION, reply, "wrong_stage", "wrong_stage")
        reply = look(name, **{argument: value, "include": "all"})
        yield Attempt(f"{name} with an argument more", stage, reply, "denied", "invalid_arguments")
        yield Attempt(f"{name} without its argument", stage, look(name), "denied", "invalid_arguments")
        reply = look(name, **{argument: value, "tenant": "other"})
        yield Attempt(f"{name} for another tenant", stage, reply, "denied", "smuggled_argument")
        reply = look(name, **{argument: "x" * 5000})
        yield Attempt(f"{name} with a text of 5,000 characters", stage, reply, "denied", "argument_too_long")
        reply = look(name, **{argument: ""})
        yield Attempt(f"{name} with an empty text", stage, reply, "denied", "invalid_arguments")
    for name in _OTHER_INCIDENTS:
        reply = action("revoke_sessions", user_id="maria.ortega", **{name: "inc-0001"})
        yield Attempt(f"smuggled {name}", Stage.PROPOSE_ACTION, reply, "denied", "smuggled_argument")
    for value in _NO_TEXTS:
        reply = action("revoke_sessions", user_id=value)
        yield Attempt(f"no text: {value!r}", Stage.PROPOSE_ACTION, reply, "denied", "invalid_arguments")
    nested = {"user_id": "maria.ortega", "options": {"deep": {"incident_id": "inc-0001"}}}
    yield Attempt(
        "smuggled in depth", Stage.PROPOSE_ACTION, action("revoke_sessions", **nested), "denied", "smuggled_argument"
    )
    for label in ("resolved", "BENIGN_EXPECTED", "", "false_positive "):
        reply = action("close_incident", classification=label, reason="Explained.")
        yield Attempt(f"closed as {label!r}", Stage.PROPOSE_ACTION, reply, "denied", "invalid_arguments")
