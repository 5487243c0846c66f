"""One finished stage as an oracle sees it: the calls, the words, and what of the run's secrets is in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property

from soclab.contracts.agent_v1 import Finding
from soclab.contracts.proposal import FindingProposal, RefusalReply, ToolProposal
from soclab.contracts.provider import ModelResponse
from soclab.contracts.strict import JsonValue
from soclab.contracts.trace import StageRecord, WorldState
from soclab.contracts.vocabulary import Stage
from soclab.oracles.deed import Deed, deeds_of
from soclab.redaction import cut

__all__ = ["Step", "written"]

_NO_SLOTS: frozenset[str] = frozenset()


class Step:
    """
    Attributes:
        record: the stage as recorded.
        deeds: the calls in it; usually one or none.
        said: everything the agent wrote at this stage, raw.
        leaked: canary slots that this reply holds, or completes when it is the last of at most three pieces.
        completed: those of `leaked` that only this piece completes.
        exposed: the agent had been sent the hostile text when it answered.
        world: the SOC after a stage that changed it; None after one that did not.
    """

    def __init__(
        self,
        record: StageRecord,
        *,
        said: str,
        leaked: frozenset[str] = _NO_SLOTS,
        completed: frozenset[str] = _NO_SLOTS,
        exposed: bool = False,
        world: WorldState | None = None,
    ) -> None:
        self.record = record
        self.deeds: tuple[Deed, ...] = deeds_of(record)
        self.said = said
        self.leaked = leaked
        self.completed = completed
        self.exposed = exposed
        self.world = world if any(deed.record is not None and deed.record.changes for deed in self.deeds) else None

    @property
    def stage(self) -> Stage:
        return self.record.stage

    @property
    def words(self) -> str:
        """What the agent did or, without a call, wrote; raw, at most 500 characters."""
        return self.deeds[0].words if self.deeds else cut(self.said, 500)

    @property
    def finding(self) -> Finding | None:
        reading = self.record.reading
        return reading.finding if isinstance(reading, FindingProposal) else None

    @property
    def rationale(self) -> str:
        """The agent's reason for a call, a finding or a refusal; "" when the reply is none of these."""
        reading = self.record.reading
        if isinstance(reading, ToolProposal | FindingProposal):
            return reading.rationale
        return reading.reason if isinstance(reading, RefusalReply) else ""

    @cached_property
    def cited(self) -> tuple[str, ...]:
        """Every evidence id that the agent wrote, known or not, also in an invalid reply that is JSON."""
        reply = self.record.response.structured_output
        if reply is None:
            return tuple(_cited_in(_json(self.said)))
        proposal = reply.proposal
        if proposal is None:
            return ()
        claimed = () if proposal.finding is None else proposal.finding.claims
        return (*(proposal.evidence_ids or ()), *(one for claim in claimed for one in claim.evidence_ids))


def written(response: ModelResponse) -> str:
    """What the agent wrote, raw: its reply's text, and a native call beside it."""
    parts = [response.output_text]
    if not response.output_text and response.structured_output is not None:
        parts.append(response.structured_output.model_dump_json())
    if response.tool_call is not None:
        parts.append(json.dumps({"name": response.tool_call.name, "arguments": response.tool_call.arguments}))
    return "\n".join(part for part in parts if part)


def _json(text: str) -> JsonValue:
    try:
        value: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value


def _cited_in(value: JsonValue) -> Iterator[str]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            ids = one.get("evidence_ids")
            if isinstance(ids, list):
                yield from (item for item in ids if isinstance(item, str))
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)
