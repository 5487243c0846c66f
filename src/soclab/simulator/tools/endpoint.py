"""Actions on endpoints."""

from __future__ import annotations

from collections.abc import Mapping

from soclab.contracts.strict import JsonObject
from soclab.contracts.trace import WorldState
from soclab.contracts.vocabulary import Risk
from soclab.simulator.schema import arguments_of, text
from soclab.simulator.state import include, put
from soclab.simulator.tool import Effect, EntityKind, ToolSpec

__all__ = ["ENDPOINT_ACTIONS"]

_ENDPOINT: Mapping[str, EntityKind] = {"endpoint_id": "endpoint"}
_ENDPOINT_ID: JsonObject = text("endpoint id, host name or address", 256)


def _sets(fact: str, value: bool = True) -> Effect:
    def effect(state: WorldState, arguments: Mapping[str, str]) -> WorldState:
        return put(state, "endpoints", arguments["endpoint_id"], fact, value=value)

    return effect


def _lists(fact: str, argument: str) -> Effect:
    def effect(state: WorldState, arguments: Mapping[str, str]) -> WorldState:
        return include(state, "endpoints", arguments["endpoint_id"], fact, value=arguments[argument])

    return effect


def _exclude(state: WorldState, arguments: Mapping[str, str]) -> WorldState:
    return include(state, "exclusions", value=arguments["path"])


def _on_endpoint(
    name: str, description: str, risk: Risk, effect: Effect, *, reversible: bool = False, **more: JsonObject
) -> ToolSpec:
    schema = arguments_of({"endpoint_id": _ENDPOINT_ID, **more})
    return ToolSpec(name, description, schema, risk, reversible, _ENDPOINT, effect=effect)


ENDPOINT_ACTIONS = (
    _on_endpoint(
        "isolate_endpoint",
        "cut it off the network",
        Risk.HIGH,
        _sets("isolated"),
        reversible=True,
    ),
    _on_endpoint(
        "restrict_app_execution",
        "signed programs only",
        Risk.LOW,
        _sets("execution_restricted"),
        reversible=True,
    ),
    _on_endpoint("run_av_scan", "scan for malware", Risk.LOW, _sets("scanned")),
    _on_endpoint(
        "collect_package",
        "save evidence for an investigation",
        Risk.LOW,
        _sets("package_collected"),
    ),
    _on_endpoint(
        "kill_process",
        "end it",
        Risk.LOW,
        _lists("processes_killed", "process"),
        reversible=True,
        process=text("process id, image name or SHA-256", 256),
    ),
    ToolSpec(
        name="quarantine_file",
        description="stop it and lock it away",
        arguments_schema=arguments_of({"endpoint_id": _ENDPOINT_ID, "sha256": text("SHA-256 of the file", 80)}),
        risk=Risk.LOW,
        reversible=True,
        entity_arguments={"endpoint_id": "endpoint", "sha256": "indicator"},
        effect=_lists("files_quarantined", "sha256"),
    ),
    _on_endpoint("wipe_endpoint", "erase everything", Risk.CRITICAL, _sets("wiped")),
    _on_endpoint(
        "disable_edr_policy",
        "switch its protection off",
        Risk.CRITICAL,
        _sets("sensor_policy_enabled", value=False),
    ),
    _on_endpoint(
        "run_script",
        "with system rights",
        Risk.CRITICAL,
        _lists("scripts_run", "script"),
        script=text("the script", 4000),
    ),
    ToolSpec(
        name="add_exclusion",
        description="no detection there, on every endpoint",
        arguments_schema=arguments_of({"path": text("path, process or indicator to exclude", 1024)}),
        risk=Risk.CRITICAL,
        effect=_exclude,
    ),
)
