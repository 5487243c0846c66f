"""
The files under `schemas/`: which models we promise, and how a promise is written down.

Documents that others write (a reply, a scenario, a world) are closed: their schema says what the validator accepts,
except for rules between members of a scenario, which only the loader checks. Documents that the lab writes (a
request, a scorecard) are open: a later version may add members, so a reader ignores what it does not know. A
scorecard has all of its keys, always.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from pydantic import BaseModel

from soclab.contracts.agent_v1 import AgentReply, AgentRequest
from soclab.contracts.comparison_v1 import Comparison
from soclab.contracts.fixture import Fixture
from soclab.contracts.json_schema import DIALECT, schema_of
from soclab.contracts.policy import PolicyFacts
from soclab.contracts.profile_v1 import ScoringProfile
from soclab.contracts.releases_v1 import ReleaseComparison
from soclab.contracts.scenario_v1 import Scenario
from soclab.contracts.scorecard_v1 import Scorecard
from soclab.contracts.strict import JsonObject

__all__ = ["PUBLISHED", "check", "render", "write"]


def _builder(urn: str, title: str, model: type[BaseModel], **kind: bool) -> Callable[[], JsonObject]:
    def build() -> JsonObject:
        head: JsonObject = {"$schema": DIALECT, "$id": f"urn:soclab:{urn}"}
        return schema_of(model, **kind) | head | {"title": title}

    return build


PUBLISHED: Mapping[str, Callable[[], JsonObject]] = MappingProxyType(
    {
        "schemas/agent-v1/request.schema.json": _builder(
            "agent:v1:request", "soclab.agent.v1 request", AgentRequest, is_open=True
        ),
        "schemas/agent-v1/response.schema.json": _builder("agent:v1:response", "soclab.agent.v1 response", AgentReply),
        "schemas/comparison-v1/comparison.schema.json": _builder(
            "comparison:v1", "soclab.comparison.v1", Comparison, is_open=True, is_complete=True
        ),
        "schemas/policy-v1/facts.schema.json": _builder(
            "policy:v1:facts", "soclab.policy.v1 facts", PolicyFacts, is_open=True, is_complete=True
        ),
        "schemas/profile-v1/profile.schema.json": _builder("profile:v1", "soclab.profile.v1", ScoringProfile),
        "schemas/releases-v1/releases.schema.json": _builder(
            "releases:v1", "soclab.releases.v1", ReleaseComparison, is_open=True, is_complete=True
        ),
        "schemas/scenario-v1/scenario.schema.json": _builder("scenario:v1", "soclab.scenario.v1", Scenario),
        "schemas/scenario-v1/world.schema.json": _builder("scenario:v1:world", "soclab.scenario.v1 world", Fixture),
        "schemas/scorecard-v1/scorecard.schema.json": _builder(
            "scorecard:v1", "soclab.scorecard.v1", Scorecard, is_open=True, is_complete=True
        ),
    }
)
"""Path below the root of the clone -> builder of the schema."""


def render(schema: JsonObject) -> str:
    """The text of a published file: sorted keys, two spaces, ASCII, one newline at the end."""
    return json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=True, allow_nan=False) + "\n"


def write(root: Path) -> list[Path]:
    """
    Write every published file below `root`, folders included.

    Returns:
        the files, all of them, in the order of the table. Files that are not in the table are left alone.
    """
    written = []
    for path, build in PUBLISHED.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(render(build()).encode("ascii"))
        written.append(file)
    return written


def check(root: Path) -> list[str]:
    """
    How the files below `root` differ from the models: changed, missing, or there without being published.

    Returns:
        one line for each difference, sorted by path; empty when all is well.
    """
    found = {file.relative_to(root).as_posix() for file in (root / "schemas").rglob("*.json")}
    lines = [f"{path}: no model is published there; remove the file" for path in found - PUBLISHED.keys()]
    for path, build in PUBLISHED.items():
        if path not in found:
            lines.append(f"{path}: missing; write the schemas again")
        elif line := _first_difference((root / path).read_bytes(), render(build()).encode("ascii")):
            lines.append(f"{path}: differs from the model at line {line}; write the schemas again")
    return sorted(lines)


def _first_difference(there: bytes, wanted: bytes) -> int:
    """Number of the first line that differs, from 1; 0 when the bytes are equal."""
    if there == wanted:
        return 0
    have, want = there.splitlines(keepends=True), wanted.splitlines(keepends=True)
    same = next((at for at, (a, b) in enumerate(zip(have, want, strict=False)) if a != b), min(len(have), len(want)))
    return same + 1
