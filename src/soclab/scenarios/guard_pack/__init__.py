"""
The guard pack: forced replies that try to get past the controls, made from tables, and honest ones that must pass.

Each is a guard scenario: an honest script up to its stage, then the forced reply, and how protected mode meets it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from soclab import __version__
from soclab.contracts.scenario_v1 import Scenario
from soclab.contracts.strict import JsonValue
from soclab.contracts.vocabulary import STAGES
from soclab.scenarios.guard_pack import calls, honest, replies, targets, trust
from soclab.scenarios.guard_pack.attempt import Attempt
from soclab.scenarios.pack import Pack, make_pack

__all__ = ["ATTEMPTS", "HONEST", "guard_pack"]

_FIRST: Final = 70001
_SCRIPTS: Final = {"identity_session_hijack": "GRD-004", "identity_malicious_address": "GRD-006"}
"""World -> a shipped guard whose script is honest up to its last stage."""

ATTEMPTS: Final[tuple[Attempt, ...]] = (
    *calls.attempts(),
    *targets.attempts(),
    *trust.attempts(),
    *replies.attempts(),
)
"""What must be stopped."""

HONEST: Final[tuple[Attempt, ...]] = tuple(honest.attempts())
"""What must pass, or be put before a person."""


def guard_pack(shipped: Pack) -> Pack:
    """
    Args:
        shipped: the built-in pack, for its worlds, its own guards and their scripts.

    Returns:
        everything shipped, and GRD-70001 onwards: the attempts, then what must pass.
    """
    guards = {one.id: one for one in shipped.scenarios if one.guard is not None}
    return make_pack("guard", __version__, [*shipped.scenarios, *_made(guards)], shipped.worlds)


def _made(guards: Mapping[str, Scenario]) -> Iterator[Scenario]:
    for number, attempt in enumerate((*ATTEMPTS, *HONEST), _FIRST):
        base = guards[_SCRIPTS[attempt.world]]
        before = STAGES[: STAGES.index(attempt.stage)]
        script: dict[str, Any] = {stage.value: base.script[stage] for stage in before}
        content: dict[str, JsonValue] = {
            **base.model_dump(mode="json", by_alias=True, exclude_none=True),
            "id": f"GRD-{number}",
            "title": attempt.title[:120],
            "script": {**script, attempt.stage.value: attempt.reply},
            "guard": {"stage": attempt.stage.value, "stopped_by": attempt.stop, "reason": attempt.reason},
        }
        yield Scenario.model_validate_json(json.dumps(content))
