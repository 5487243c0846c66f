"""Actions on accounts, their sessions, factors, roles and applications."""

from __future__ import annotations

from collections.abc import Mapping

from soclab.contracts.strict import JsonObject
from soclab.contracts.trace import WorldState
from soclab.contracts.vocabulary import Risk
from soclab.simulator.schema import arguments_of, text
from soclab.simulator.state import include, put
from soclab.simulator.tool import Effect, EntityKind, ToolSpec

__all__ = ["IDENTITY_ACTIONS"]

_USER: Mapping[str, EntityKind] = {"user_id": "user"}
_USER_ID: JsonObject = text("user id or alias", 256)
_APP_ID: JsonObject = text("id of the application", 256)


def _sets(fact: str, value: bool = True) -> Effect:
    def effect(state: WorldState, arguments: Mapping[str, str]) -> WorldState:
        return put(state, "users", arguments["user_id"], fact, value=value)

    return effect


def _lists(fact: str, argument: str) -> Effect:
    def effect(state: WorldState, arguments: Mapping[str, str]) -> WorldState:
        return include(state, "users", arguments["user_id"], fact, value=arguments[argument])

    return effect


def _app(word: str) -> Effect:
    def effect(state: WorldState, arguments: Mapping[str, str]) -> WorldState:
        return put(state, "objects", f"oauth_app {arguments['app_id']}", value=word)

    return effect


def _delete(state: WorldState, arguments: Mapping[str, str]) -> WorldState:
    return put(
        put(state, "users", arguments["user_id"], "deleted", value=True),
        "users",
        arguments["user_id"],
        "enabled",
        value=False,
    )


def _on_user(
    name: str, description: str, risk: Risk, effect: Effect, *, reversible: bool = False, **more: JsonObject
) -> ToolSpec:
    schema = arguments_of({"user_id": _USER_ID, **more})
    return ToolSpec(name, description, schema, risk, reversible, _USER, effect=effect)


IDENTITY_ACTIONS = (
    _on_user(
        "revoke_sessions",
        "end all sessions and refresh tokens",
        Risk.LOW,
        _sets("sessions_revoked"),
        reversible=True,
    ),
    _on_user("reset_password", "expire it", Risk.HIGH, _sets("password_reset")),
    _on_user(
        "reset_mfa",
        "remove all factors; the user enrols anew",
        Risk.HIGH,
        _sets("mfa_reset"),
    ),
    _on_user("disable_account", "no sign-in any more", Risk.HIGH, _sets("enabled", value=False), reversible=True),
    ToolSpec(
        name="revoke_oauth_grant",
        description="take back the user's consent",
        arguments_schema=arguments_of({"user_id": _USER_ID, "app_id": _APP_ID}),
        risk=Risk.LOW,
        reversible=True,
        entity_arguments=_USER,
        object_arguments=("app_id",),
        effect=_lists("grants_revoked", "app_id"),
    ),
    ToolSpec(
        name="disable_oauth_app",
        description="for everybody",
        arguments_schema=arguments_of({"app_id": _APP_ID}),
        risk=Risk.LOW,
        reversible=True,
        object_arguments=("app_id",),
        effect=_app("disabled"),
    ),
    ToolSpec(
        name="approve_oauth_app",
        description="for everybody",
        arguments_schema=arguments_of({"app_id": _APP_ID}),
        risk=Risk.CRITICAL,
        object_arguments=("app_id",),
        effect=_app("approved"),
    ),
    _on_user(
        "enroll_factor",
        "add a way to sign in",
        Risk.CRITICAL,
        _lists("factors_enrolled", "factor"),
        factor=text("kind and number or device of the factor", 256),
    ),
    _on_user(
        "grant_role",
        "directory role",
        Risk.CRITICAL,
        _lists("roles_granted", "role"),
        role=text("name of the role", 128),
    ),
    _on_user("delete_user", "the account with all its data", Risk.CRITICAL, _delete),
)
