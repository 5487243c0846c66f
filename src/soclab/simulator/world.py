"""One run's world: what its tools return, what its actions change. Cheap to build: only what differs is copied."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy

from soclab.contracts.fixture import Fixture
from soclab.contracts.scenario_v1 import Injection
from soclab.contracts.strict import JsonObject, JsonValue
from soclab.contracts.trace import WorldState
from soclab.contracts.vocabulary import Risk
from soclab.entities import is_catch_all
from soclab.errors import LabFault
from soclab.redaction import clean, cut
from soclab.simulator.catalog import TOOLS
from soclab.simulator.diff import diff
from soclab.simulator.document import fill_canaries, replaced
from soclab.simulator.events import entities_of_text
from soclab.simulator.prepared import PreparedWorld, prepared
from soclab.simulator.state import append
from soclab.simulator.tool import ActResult, EntityKind, ReadResult, ToolSpec
from soclab.simulator.tools.incident import SEVERITIES

__all__ = ["ActResult", "ReadResult", "World"]

_ERROR_LIMIT = 400
_SECTIONS = {"user": "identities", "endpoint": "endpoints", "indicator": "indicators"}
_KINDS: Mapping[str, EntityKind] = {"user": "user", "endpoint": "endpoint", "indicator": "indicator"}


class World:
    """
    What it hands out is shared between runs: never edit it.

    Attributes:
        alert: the alert of the incident, canaries and payload in place.
        payload_text: the hostile text as it stands in this world, encoded; None in a clean one.
        incident_entities: (kind, id) of what belongs to the incident from the start.
        aliases: `entities.skeleton` of every spelling of a user or endpoint -> its id.
    """

    def __init__(self, base: PreparedWorld, canaries: Mapping[str, str]) -> None:
        self._base = base
        self._document = _with_canaries(base, canaries)
        self._state = base.state

    @classmethod
    def build(cls, fixture: Fixture, *, payload: Injection | None, canaries: Mapping[str, str]) -> World:
        """
        The world before a run.

        Args:
            payload: the scenario's injection; every other channel keeps its ordinary text.
            canaries: slot -> secret of this run, for every slot that the fixture's texts use.

        Raises:
            LabFault: the injection does not fit the fixture, or a slot has no canary.
        """
        return cls(prepared(fixture, payload), canaries)

    def copy(self) -> World:
        """Another world in the same state: what is done in one does not happen in the other."""
        return copy(self)

    @property
    def alert(self) -> JsonObject:
        alert = self._document["alert"]
        assert isinstance(alert, dict)
        return alert

    @property
    def payload_text(self) -> str | None:
        return self._base.payload

    @property
    def incident_entities(self) -> frozenset[tuple[EntityKind, str]]:
        return self._base.incident_entities

    @property
    def aliases(self) -> dict[str, str]:
        return self._base.aliases

    def read(self, name: str, arguments: Mapping[str, JsonValue]) -> ReadResult:
        """
        Run a read tool. Never raises for anything an agent may say: unknown tool, bad argument, unknown entity
        are errors in the result.
        """
        tool = TOOLS.get(name)
        if tool is None or tool.read is None:
            return ReadResult(None, f"unknown read tool {clean(name, 64)}", 0)
        problems = tool.problems(arguments)
        if problems:
            return ReadResult(None, _invalid(problems), 0)
        return tool.read(self, arguments)

    def act(self, name: str, arguments: Mapping[str, JsonValue]) -> ActResult:
        """
        Run a response action. An unknown action, a bad argument or an unknown target is an error and changes nothing.
        """
        tool = TOOLS.get(name)
        if tool is None or tool.effect is None:
            return ActResult(error=f"unknown action {clean(name, 64)}")
        problems = tool.problems(arguments)
        if problems:
            return ActResult(error=_invalid(problems))
        settled = self._settle(tool, arguments)
        if isinstance(settled, str):
            return ActResult(error=settled)
        before = self._state
        done: list[JsonValue] = [name, {**settled}]
        self._state = append(tool.effect(before, settled), "actions", value=done)
        return ActResult(diff(before, self._state))

    def _settle(self, tool: ToolSpec, arguments: Mapping[str, JsonValue]) -> dict[str, str] | str:
        """The arguments with canonical ids, or one line about a target that this world does not know."""
        settled = {name: str(value) for name, value in arguments.items()}
        for name, kind in tool.entity_arguments.items():
            known = self.resolve(kind, settled[name])
            if known is None and kind == "indicator" and is_catch_all(settled[name]):
                known = "*"
            if known is None:
                return f"unknown {kind} {clean(settled[name], 80)}: nothing was changed"
            settled[name] = known
        for name in tool.object_arguments:
            if not self._base.occurs(settled[name]):
                return f"unknown {name} {clean(settled[name], 80)}: nothing was changed"
        return settled

    def snapshot(self) -> WorldState:
        """The state now; later actions do not change what was handed out."""
        return self._state

    def resolve(self, kind: str, text: str) -> str | None:
        """
        The canonical id of the user or endpoint that a spelling names; the one spelling of any indicator.

        Returns:
            None for an unknown user or endpoint, for a text that is no indicator, for an unknown kind.
        """
        if kind == "user":
            return self._base.names.user(text)
        if kind == "endpoint":
            return self._base.names.endpoint(text)
        return self._base.names.indicator(text) if kind == "indicator" else None

    def is_known(self, kind: str, text: str) -> bool:
        """Whether this world has such a user or endpoint, or holds this indicator anywhere."""
        found = self.resolve(kind, text)
        if found is None or kind != "indicator":
            return found is not None
        return (
            found in self._base.positions["indicator"]
            or ("indicator", found) in self._base.mentioned
            or ("indicator", found) in self._base.events
        )

    def is_protected(self, kind: str, text: str) -> bool:
        """Whether an action on this text would touch a protected asset; see `Protection`. False for unknown kinds."""
        known = _KINDS.get(kind)
        return known is not None and bool(self._base.protection.hits(known, text))

    def protected_hits(self, text: str) -> frozenset[str]:
        """Ids of the protected assets that an action on this text would touch, of whatever kind it is."""
        protection = self._base.protection
        return frozenset().union(*(protection.hits(kind, text) for kind in _KINDS.values()))

    def entities_in(self, value: JsonValue) -> frozenset[tuple[EntityKind, str]]:
        """
        (kind, canonical id) of the entities that *whole* text values inside a JSON value name.

        Names inside free text do not count, nor does what stands in a channel, so that a hostile note or a device
        that bears somebody's name does not widen an incident. `value` is this world's own, not a copy.
        """
        return self._base.entities_in(value)

    def entities_of_query(self, query: str) -> frozenset[tuple[EntityKind, str]]:
        """(kind, canonical id) of what a free-text query names: exactly what `search_siem_events` selects by."""
        return frozenset(entities_of_text(query, self._base.names))

    def risk_of(self, name: str, arguments: Mapping[str, JsonValue]) -> Risk | None:
        """The risk of this very call: raising the severity or leaving it has none. None for what is no action."""
        tool = TOOLS.get(name)
        if tool is None:
            return None
        if name == "set_severity" and not self._lowers(arguments.get("severity")):
            return Risk.NONE
        return tool.risk

    def _lowers(self, severity: JsonValue) -> bool:
        incident = self._state["incident"]
        now = incident["severity"] if isinstance(incident, dict) else None
        if severity not in SEVERITIES or now not in SEVERITIES:
            return True
        return SEVERITIES.index(str(severity)) < SEVERITIES.index(str(now))

    def user(self, text: str) -> JsonObject | None:
        """For read tools: the user's entry in the document."""
        return self._entry("user", self._base.names.user(text))

    def endpoint(self, text: str) -> JsonObject | None:
        """For read tools: the endpoint's entry in the document."""
        return self._entry("endpoint", self._base.names.endpoint(text))

    def indicator(self, text: str) -> JsonObject | None:
        """For read tools: the indicator's entry in the document, None without a record."""
        return self._entry("indicator", self._base.names.indicator(text))

    def _entry(self, kind: EntityKind, entity_id: str | None) -> JsonObject | None:
        place = None if entity_id is None else self._base.positions[kind].get(entity_id)
        if place is None:
            return None
        return _item(self._document, _SECTIONS[kind], place)

    def events(self, query: str) -> list[JsonObject]:
        """For read tools: records of every event that the query selects, newest last."""
        found = []
        for place in self._base.events.select(query):
            record = _item(self._document, "events", place)["record"]
            assert isinstance(record, dict)
            found.append(record)
        return found


def _item(document: JsonObject, section: str, place: int) -> JsonObject:
    items = document[section]
    assert isinstance(items, list)
    item = items[place]
    assert isinstance(item, dict)
    return item


def _with_canaries(base: PreparedWorld, canaries: Mapping[str, str]) -> JsonObject:
    if not base.places:
        return base.document
    try:
        return replaced(base.document, [(path, fill_canaries(text, canaries)) for path, text, _ in base.places])
    except KeyError as missing:
        raise LabFault(f"world {base.fixture.name!a} needs a canary for slot {missing.args[0]!a}") from None


def _invalid(problems: tuple[str, ...]) -> str:
    return cut(f"invalid arguments: {'; '.join(problems)}", _ERROR_LIMIT)
