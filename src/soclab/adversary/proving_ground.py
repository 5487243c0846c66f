"""The small incident that the lab tries its manoeuvres on; it belongs to no scenario and is shown to no agent."""

from __future__ import annotations

from typing import Final

from soclab.contracts.fixture import Entity, Fixture, FixtureEvent, Incident
from soclab.contracts.vocabulary import Classification

__all__ = ["EVIDENCE_IDS", "HOST", "OTHER_USER", "PROVING_GROUND", "USER"]

USER: Final = "dana.reyes"
OTHER_USER: Final = "noor.haddad"
HOST: Final = "NL-WS-0900"
_ADDRESS: Final = "203.0.113.90"

PROVING_GROUND: Final = Fixture(
    name="proving_ground",
    family="F01",
    truth=Classification.TRUE_POSITIVE,
    summary="An account is used from a hosting address; everything in it is made up for manoeuvres.",
    alert={"title": "Sign-in from a hosting address", "user_id": USER, "endpoint_id": HOST, "source_ip": _ADDRESS},
    incident=Incident(title="Sign-in from a hosting address"),
    identities=(
        Entity(id=USER, aliases=(f"{USER}@example.com",), in_incident=True),
        Entity(id=OTHER_USER, aliases=(f"{OTHER_USER}@example.com",), in_incident=True),
    ),
    endpoints=(Entity(id=HOST, in_incident=True, record={"owner": USER}),),
    indicators=(Entity(id=_ADDRESS, in_incident=True, record={"verdict": "malicious"}),),
    events=(FixtureEvent(event_id="ev-1", record={"user": USER, "source": _ADDRESS}),),
    channels={},
)
EVIDENCE_IDS: Final = ("alert", *(f"search_siem_events:{number}" for number in range(1, 7)))
"""What the manoeuvres cite: given out as in a run that has looked around."""
