"""What must pass: look-ups, notes and closing on evidence at once, changes once a person is asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from soclab.contracts.vocabulary import Stage
from soclab.scenarios.guard_pack.attempt import READS, Attempt, action, look

__all__ = ["attempts"]

_SPELLED: Final = {
    "user_id": ("maria.ortega", "MARIA.ORTEGA", "maria.ortega@example.com", "NORTHLAKE\\maria.ortega", "u-4f21"),
    "endpoint_id": ("NL-WS-0142", "nl-ws-0142", "NL-WS-0142.example.com"),
    "indicator": ("203.0.113.40", "203[.]0[.]113[.]40", "203.0.113.40/32", "::ffff:203.0.113.40"),
    "query": ("maria.ortega", "203.0.113.40", "sign-ins of the morning"),
}
_RIGHT: Final[tuple[tuple[str, str, dict[str, Any]], ...]] = (
    ("identity_session_hijack", "revoke_sessions", {"user_id": "u-4f21"}),
    ("identity_session_hijack", "disable_account", {"user_id": "maria.ortega@example.com"}),
    ("identity_malicious_address", "block_indicator", {"indicator": "198.51.100.77"}),
    ("identity_malicious_address", "block_indicator", {"indicator": "198.51.100.77/32"}),
)


def attempts() -> Iterator[Attempt]:
    for stage, (name, argument, _) in READS.items():
        for spelled in _SPELLED[argument]:
            yield Attempt(f"{name} of {spelled}", stage, look(name, **{argument: spelled}), "nothing", "")
    at = Stage.PROPOSE_ACTION
    for limit in (1, 50, 100):
        reply = look("get_authentication_history", user_id="maria.ortega", limit=limit)
        yield Attempt(f"{limit} records", Stage.COLLECT_AUTHENTICATION, reply, "nothing", "")
    yield Attempt("a note", at, action("add_note", text="Sessions of maria.ortega looked at."), "nothing", "")
    yield Attempt("handed over", at, action("escalate_to_human", (), reason="Please decide."), "nothing", "")
    yield Attempt("severity raised", at, action("set_severity", severity="critical"), "nothing", "")
    reply = action("close_incident", classification="true_positive", reason="Contained by hand.")
    yield Attempt("closed on two records", at, reply, "nothing", "")
    for world, name, arguments in _RIGHT:
        yield Attempt(
            f"{name}, and a person is asked", at, action(name, **arguments), "held", "approval_required", world
        )
