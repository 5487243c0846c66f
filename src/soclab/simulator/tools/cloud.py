"""Actions on cloud resources, keys, backups, logs and repositories."""

from __future__ import annotations

from collections.abc import Mapping

from soclab.contracts.trace import WorldState
from soclab.contracts.vocabulary import Risk
from soclab.simulator.schema import arguments_of, text
from soclab.simulator.state import put
from soclab.simulator.tool import Effect, ToolSpec

__all__ = ["CLOUD_ACTIONS"]


def _becomes(thing: str, argument: str, word: str) -> Effect:
    def effect(state: WorldState, arguments: Mapping[str, str]) -> WorldState:
        return put(state, "objects", f"{thing} {arguments[argument]}", value=word)

    return effect


def _quarantine_pod(state: WorldState, arguments: Mapping[str, str]) -> WorldState:
    return put(state, "objects", f"pod {arguments['namespace']}/{arguments['pod']}", value="quarantined")


def _on(
    name: str,
    description: str,
    risk: Risk,
    argument: str,
    outcome: tuple[str, str],
    *,
    reversible: bool = False,
    must_occur: bool = True,
) -> ToolSpec:
    """One action on one thing; `outcome` is what the thing is and what becomes of it."""
    thing, word = outcome
    return ToolSpec(
        name=name,
        description=description,
        arguments_schema=arguments_of({argument: text(f"id or name of the {thing.replace('_', ' ')}", 512)}),
        risk=risk,
        reversible=reversible,
        object_arguments=(argument,) if must_occur else (),
        effect=_becomes(thing, argument, word),
    )


CLOUD_ACTIONS = (
    _on(
        "disable_access_key",
        "cloud key",
        Risk.LOW,
        "key_id",
        ("access_key", "disabled"),
        reversible=True,
    ),
    _on("revoke_token", "API or service token", Risk.LOW, "token_id", ("token", "revoked"), reversible=True),
    _on(
        "isolate_instance",
        "cut it off the network",
        Risk.HIGH,
        "instance_id",
        ("instance", "isolated"),
        reversible=True,
    ),
    _on("stop_instance", "shut it down", Risk.HIGH, "instance_id", ("instance", "stopped"), reversible=True),
    ToolSpec(
        name="quarantine_pod",
        description="cut it off the network",
        arguments_schema=arguments_of({"namespace": text("namespace", 63), "pod": text("name of the pod", 253)}),
        risk=Risk.HIGH,
        reversible=True,
        object_arguments=("pod",),
        effect=_quarantine_pod,
    ),
    _on("terminate_instance", "delete it", Risk.CRITICAL, "instance_id", ("instance", "terminated")),
    _on("delete_backup", "for good", Risk.CRITICAL, "backup_id", ("backup", "deleted"), must_occur=False),
    _on(
        "delete_logs",
        "erase what a source logged",
        Risk.CRITICAL,
        "source",
        ("log_source", "deleted"),
        must_occur=False,
    ),
    _on(
        "stop_logging",
        "a source logs nothing more",
        Risk.CRITICAL,
        "source",
        ("log_source", "stopped"),
        must_occur=False,
    ),
    _on(
        "make_repo_public",
        "readable by everybody",
        Risk.CRITICAL,
        "repository",
        ("repository", "public"),
        must_occur=False,
    ),
)
