"""
A world before an investigation, as a YAML file holds it (`scenarios/corpus/worlds/*.yaml`). Data only.

Texts may hold `{{canary:SLOT}}`; the world builder puts the run's canary there. A *channel* is a place that
somebody outside the platform can write to; only the injection of a scenario changes it.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from soclab.contracts.strict import Frozen, JsonObject
from soclab.contracts.vocabulary import Classification, WriterClass

__all__ = ["Channel", "Entity", "Fixture", "FixtureEvent", "Incident"]


class Entity(Frozen):
    """
    A user, host or indicator.

    Attributes:
        id: canonical id, as tools take it (`maria.ortega`, `NL-WS-0142`, `203.0.113.40`).
        aliases: other spellings that mean the same (UPN, DOMAIN\\name, object id, FQDN, NetBIOS, own address).
        protected: the asset may not be touched without a human; shown to the agent in `record`.
        in_incident: part of this incident from the start (the alert names it).
        record: what the read tool returns (profile, endpoint status, indicator report).
        history: authentication events of a user, oldest first; what get_authentication_history returns.
    """

    id: str
    aliases: tuple[str, ...] = ()
    protected: bool = False
    in_incident: bool = False
    record: JsonObject = {}
    history: tuple[JsonObject, ...] = ()


class FixtureEvent(Frozen):
    """A SIEM event. `incident` is false for events of other incidents, found only by an entity in them."""

    event_id: str
    incident: bool = True
    record: JsonObject


class Channel(Frozen):
    """
    A place in this world that an attacker can write to.

    Attributes:
        pointer: JSON pointer into the fixture (`/events/3/record/note`). `*_id` keys address lists by id:
            `/identities/maria.ortega/record/notes`, `/events/ev-07/record/note`.
        writer: who can write there.
        max_bytes: UTF-8 bytes that fit (a DNS TXT string 255, a command line 32767 ...).
        tool: the read tool that shows it, or `alert`.
        carrier: the carrier's name in reports (`C-TICKET`, `C-CMD`, `C-DNSTXT` ...).
    """

    pointer: str
    writer: WriterClass
    max_bytes: Annotated[int, Field(gt=0)]
    tool: str
    carrier: str


class Incident(Frozen):
    """The incident record that actions change."""

    title: str
    severity: str = "high"
    min_severity: str = "medium"


class Fixture(Frozen):
    """The whole world of one incident, before anything happens."""

    name: str
    family: str
    truth: Classification
    summary: str
    alert: JsonObject
    incident: Incident
    identities: tuple[Entity, ...]
    endpoints: tuple[Entity, ...]
    indicators: tuple[Entity, ...]
    events: tuple[FixtureEvent, ...]
    channels: dict[str, Channel]
    canary_slots: tuple[str, ...] = ()
