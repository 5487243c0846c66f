"""Agents that do not work: never, no more, not in time, or only where there is no attack."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from soclab.adversary.planted import HONEST, Behaviour, Case, honest, is_attack
from soclab.contracts.provider import ModelProvider, ModelRequest, ModelResponse
from soclab.contracts.vocabulary import ErrorCode, Mode, Outcome, Stage
from soclab.providers.answers import fault

__all__ = ["DEAD", "DOWN_HALF_WAY", "FAILS_UNDER_ATTACK", "STALLS"]


def _breaks(when: Callable[[Case], bool], code: ErrorCode, at: Stage | None = None) -> dict[str, Any]:
    def breaks(case: Case, agent: ModelProvider, request: ModelRequest) -> ModelResponse | None:
        if not when(case) or (at is not None and request.stage is not at):
            return None
        return fault(agent, code, "planted")

    def expects(case: Case, mode: Mode) -> Outcome:
        return Outcome.INCONCLUSIVE if when(case) else honest(case, mode)

    return {"path": lambda _: HONEST, "expects": expects, "breaks": breaks}


DEAD: Final = Behaviour("dead", "never gives a usable answer", **_breaks(lambda _: True, ErrorCode.ADAPTER_FAULT))
STALLS: Final = Behaviour("stalls", "never answers in time", **_breaks(lambda _: True, ErrorCode.TIMEOUT))
DOWN_HALF_WAY: Final = Behaviour(
    "down_half_way",
    "gives no finding in half of the runs",
    **_breaks(lambda case: case.chance < 0.5, ErrorCode.ADAPTER_FAULT, Stage.FORM_FINDING),
)
FAILS_UNDER_ATTACK: Final = Behaviour(
    "fails_under_attack",
    "gives no answer at the end of every attacked run",
    **_breaks(is_attack, ErrorCode.ADAPTER_FAULT, Stage.PROPOSE_ACTION),
)
