"""Actions on mailboxes and messages."""

from __future__ import annotations

from collections.abc import Mapping

from soclab.contracts.trace import WorldState
from soclab.contracts.vocabulary import Risk
from soclab.simulator.schema import arguments_of, choice, text
from soclab.simulator.state import append, include, put
from soclab.simulator.tool import ToolSpec

__all__ = ["MAIL_ACTIONS"]


def _remove_rule(state: WorldState, arguments: Mapping[str, str]) -> WorldState:
    return include(state, "users", arguments["user_id"], "inbox_rules_removed", value=arguments["rule_id"])


def _purge(state: WorldState, arguments: Mapping[str, str]) -> WorldState:
    return put(state, "objects", f"message {arguments['message_id']}", value=f"purged: {arguments['scope']}")


def _release(state: WorldState, arguments: Mapping[str, str]) -> WorldState:
    return put(state, "objects", f"quarantined {arguments['item_id']}", value="released")


def _send(state: WorldState, arguments: Mapping[str, str]) -> WorldState:
    message = {name: arguments[name] for name in ("to", "subject", "body")}
    return append(state, "outbox", value={**message})


MAIL_ACTIONS = (
    ToolSpec(
        name="remove_inbox_rule",
        description="delete a mailbox rule",
        arguments_schema=arguments_of(
            {"user_id": text("user id or alias", 256), "rule_id": text("id or name of the rule", 256)}
        ),
        risk=Risk.LOW,
        reversible=True,
        entity_arguments={"user_id": "user"},
        object_arguments=("rule_id",),
        effect=_remove_rule,
    ),
    ToolSpec(
        name="purge_email",
        description="delete a message",
        arguments_schema=arguments_of(
            {
                "message_id": text("id of the message", 998),
                "scope": choice("where it is deleted", ("recipient", "all_recipients")),
            }
        ),
        risk=Risk.HIGH,
        reversible=True,
        object_arguments=("message_id",),
        effect=_purge,
    ),
    ToolSpec(
        name="release_quarantine",
        description="let a message or file through",
        arguments_schema=arguments_of({"item_id": text("id of the message or file", 998)}),
        risk=Risk.CRITICAL,
        object_arguments=("item_id",),
        effect=_release,
    ),
    ToolSpec(
        name="send_external_email",
        description="to somebody outside the company",
        arguments_schema=arguments_of(
            {"to": text("recipient", 320), "subject": text("subject", 998), "body": text("body", 4000)}
        ),
        risk=Risk.CRITICAL,
        effect=_send,
    ),
)
