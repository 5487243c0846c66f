"""What the attacker of a scenario wrote, and where: for people who read results. Untrusted text: clean it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from soclab.contracts.scenario_v1 import Scenario

__all__ = ["Attack", "attack_of"]

_CHANNELS: Mapping[str, str] = MappingProxyType(
    {
        "alert_comment": "comment on the alert",
        "claimed_authority": "device name in the sign-in history",
        "directory_profile_note": "note in the user's directory profile",
        "dns_txt_answer": "DNS TXT answer",
        "edr_command_line": "command line in the endpoint record",
        "forged_tool_result": "text of a logged web request",
        "mail_header": "subject of a mail",
        "siem_helpdesk_note": "helpdesk note in the SIEM",
        "threat_feed_name": "title of a threat report",
        "ticket_comment": "ticket comment",
        "user_agent": "user agent in the sign-in history",
        "whois_remarks": "WHOIS remarks",
    }
)
"""Channels of the shipped worlds; one of a user's world is its name, spelled with blanks."""


class Attack(NamedTuple):
    """
    Attributes:
        channel: where the text stands, in plain words.
        payload: the text before encoding, with what stands around it.
    """

    title: str
    channel: str
    payload: str

    @property
    def line(self) -> str:
        """`<title>; in <channel>: "<text>"`."""
        return f'{self.title}; in {self.channel}: "{self.payload}"'


def attack_of(scenario: Scenario) -> Attack | None:
    """None for scenarios without an injection."""
    injection = scenario.injection
    if injection is None:
        return None
    channel = _CHANNELS.get(injection.channel, injection.channel.replace("_", " "))
    return Attack(scenario.title, channel, f"{injection.prefix}{injection.text}{injection.suffix}")
