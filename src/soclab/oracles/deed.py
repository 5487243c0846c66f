"""One call as an oracle sees it: what the agent asked for, and what became of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from soclab.contracts.gate import CallRecord
from soclab.contracts.proposal import Malformed, ToolProposal
from soclab.contracts.strict import JsonObject, JsonValue
from soclab.contracts.trace import StageRecord
from soclab.contracts.vocabulary import Decision, Risk, Stage, StoppedBy
from soclab.entities import read_indicator
from soclab.oracles.acts import PROSE, SENDING, Act, act_named, kind_of_argument, leaves
from soclab.oracles.names import EntityKind
from soclab.redaction import cut

__all__ = ["Deed", "Target", "deeds_of", "spell_call"]

_SPELLED_LIMIT = 300
_LIST_MARKS = re.compile(r"[\s,;|]+")
_MOST_PARTS = 100


class Target(NamedTuple):
    """An entity that a call names. `text` is the agent's spelling."""

    argument: str
    kind: EntityKind
    text: str


class Deed:
    """
    Attributes:
        act: what the lab's catalogue knows of this name; None for a name nobody offers.
        record: what the gate and the simulator made of it; None when it was read in an invalid reply.
        rationale: the agent's reason; "" when there is none.
        stopped_by: how it was kept from being run; None when it was run or nothing stopped it.
        took_effect: it was run without an error, and where it should change something, something changed.
    """

    def __init__(
        self, stage: Stage, name: str, arguments: JsonObject, record: CallRecord | None, rationale: str
    ) -> None:
        self.stage = stage
        self.name = name
        self.arguments = arguments
        self.record = record
        self.rationale = rationale
        self.act: Act | None = act_named(name)

    @property
    def is_read(self) -> bool:
        return self.act is not None and self.act.reads

    @property
    def risk(self) -> Risk | None:
        """Of a response action; a name nobody offers counts as high: the agent meant to do something."""
        if self.record is not None and self.record.risk is not None:
            return self.record.risk
        return Risk.HIGH if self.act is None else self.act.risk

    @property
    def changes_state(self) -> bool:
        return not self.is_read and self.risk is not Risk.NONE

    @property
    def stopped_by(self) -> StoppedBy | None:
        record = self.record
        if record is None:
            return None
        if record.wrong_stage:
            return StoppedBy.WRONG_STAGE
        if record.executed or record.ruling is None:
            return None
        return {Decision.DENY: StoppedBy.DENIED, Decision.HOLD: StoppedBy.HELD}.get(record.ruling.decision)

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reason codes of the controls that stopped it; () when none did."""
        ruling = None if self.record is None or self.record.executed else self.record.ruling
        return () if ruling is None else ruling.reasons

    @property
    def stop_reason(self) -> str | None:
        """The first reason code of the control that stopped it."""
        return next(iter(self.reasons), None)

    @property
    def took_effect(self) -> bool:
        record = self.record
        if record is None or not record.executed or record.error is not None:
            return False
        return bool(record.changes) or not self.changes_state

    @cached_property
    def targets(self) -> tuple[Target, ...]:
        """Every entity named in an argument that holds entities; lists, also those in one text, are taken apart."""
        return tuple(self._targets())

    def _targets(self) -> Iterator[Target]:
        for argument, value in self.arguments.items():
            kind = kind_of_argument(self.act, argument)
            if kind is not None:
                for text in _texts(value):
                    yield from (Target(argument, kind, part) for part in _parts(kind, text))

    @cached_property
    def smuggled(self) -> tuple[tuple[str, str], ...]:
        """(argument, text) of arguments that the catalogue does not know, lists taken apart; prose is left out."""
        if self.act is None or self.act.takes(self.arguments):
            return ()
        return tuple(
            (argument, part)
            for argument, value in self.arguments.items()
            if not self.act.takes((argument,)) and kind_of_argument(self.act, argument) is None
            if argument not in PROSE
            for text in _texts(value)
            for part in _parts("user", text)
        )

    @property
    def outgoing(self) -> tuple[str, ...]:
        """The texts among the arguments that leave the system when the call is run; () when it stays inside."""
        if self.name not in SENDING:
            return ()
        return tuple(text for text in _texts(list(self.arguments.values())) if leaves(self.name, text))

    @property
    def words(self) -> str:
        """The agent's own words: the call as it wrote it, and why."""
        call = spell_call(self.name, self.arguments)
        return cut(f"{call}: {self.rationale}", 500) if self.rationale else call


def deeds_of(record: StageRecord) -> tuple[Deed, ...]:
    """The calls of one stage: the submitted or misplaced one, or those that an invalid reply still shows."""
    reading = record.reading
    rationale = reading.rationale if isinstance(reading, ToolProposal) else ""
    if record.call is not None:
        call = record.call
        return (Deed(record.stage, call.name, call.arguments, call, rationale),)
    if isinstance(reading, ToolProposal):
        return (Deed(record.stage, reading.name, reading.arguments, None, rationale),)
    if isinstance(reading, Malformed) and reading.salvaged:
        return tuple(Deed(record.stage, one.name, one.arguments, None, "") for one in reading.salvaged)
    return ()


def spell_call(name: str, arguments: JsonObject, limit: int = _SPELLED_LIMIT) -> str:
    """`name(argument=value, ...)`, at most `limit` characters; untrusted text."""
    inside = ", ".join(f"{argument}={_spell(value)}" for argument, value in arguments.items())
    spelled = f"{name}({inside})"
    return spelled if len(spelled) <= limit else spelled[: limit - 4] + "...)"


def _spell(value: JsonValue) -> str:
    if isinstance(value, str):
        return value
    try:
        return str(value)
    except (RecursionError, ValueError):  # nested or long beyond what Python spells: not worth more words
        return "..."


def _parts(kind: EntityKind, text: str) -> list[str]:
    parts = [part for part in _LIST_MARKS.split(text) if part]
    is_list = 1 < len(parts) <= _MOST_PARTS and (kind != "indicator" or read_indicator(text).kind is None)
    return parts if is_list else [text]


def _texts(value: JsonValue) -> Iterator[str]:
    """Texts, and numbers as texts, in a value of any depth."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting.extend(reversed(one.values()))
        elif isinstance(one, list):
            waiting.extend(reversed(one))
        elif one is not None and not isinstance(one, bool):
            yield _spell(one)
