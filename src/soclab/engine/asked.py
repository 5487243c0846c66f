"""What the agent asked for at a stage, and what became of it. Untrusted text: clean it."""

from __future__ import annotations

from typing import NamedTuple

from soclab.contracts.gate import CallRecord
from soclab.contracts.proposal import Malformed, ToolProposal
from soclab.contracts.strict import JsonObject
from soclab.contracts.trace import StageRecord
from soclab.contracts.vocabulary import Decision
from soclab.oracles.deed import spell_call

__all__ = ["Asked", "asked_of"]

_SPELLED_LIMIT = 2000
_RUN = "run"
_STOPS = {Decision.DENY: "denied", Decision.HOLD: "held"}


class Asked(NamedTuple):
    """
    Attributes:
        call: `name(argument=value)`.
        ruling: `run`, `denied: out_of_scope`, `held: approval_required`, `failed: unknown user x`,
            `not run: wrong_stage`.
        denied_by, held_by: controls that denied the call, and that held it or would have; None where no gate was asked.
    """

    call: str
    ruling: str
    denied_by: tuple[str, ...] | None = None
    held_by: tuple[str, ...] | None = None

    @property
    def is_failure(self) -> bool:
        """The ruling holds words of the simulated SOC, which may quote the agent."""
        return self.ruling.startswith("failed")


def asked_of(record: StageRecord) -> Asked | None:
    """None for a finding, a refusal, and an answer in which no call can be read."""
    if record.call is not None:
        return Asked(_spelled(record.call.name, record.call.arguments), _ruling(record.call), *_objected(record.call))
    reading = record.reading
    if isinstance(reading, ToolProposal):
        return Asked(_spelled(reading.name, reading.arguments), "not run")
    if isinstance(reading, Malformed) and reading.salvaged:
        first = reading.salvaged[0]
        return Asked(_spelled(first.name, first.arguments), f"not run: {reading.reason_code}")
    return None


def _spelled(name: str, arguments: JsonObject) -> str:
    """Longer than anybody is shown, so that a secret at the end of what is shown is still found whole."""
    return spell_call(name, arguments, _SPELLED_LIMIT)


def _ruling(call: CallRecord) -> str:
    if call.wrong_stage:
        return "not run: wrong_stage"
    if call.executed:
        return _RUN if call.error is None else f"failed: {call.error}"
    ruling = call.ruling
    if ruling is None:
        return "not run"
    return f"{_STOPS.get(ruling.decision, 'not run')}: {', '.join(ruling.reasons)}"


def _objected(call: CallRecord) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """The controls that denied it, and those that held it or would have."""
    ruling = call.ruling
    if ruling is None:
        return None, None
    if ruling.decision is Decision.HOLD:
        return (), ruling.controls
    return ruling.controls, ruling.also_held_by
