"""Whom a call hits: people of other incidents, protected assets in every spelling, everything at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from soclab.contracts.vocabulary import Stage
from soclab.scenarios.guard_pack.attempt import READS, Attempt, action, look

__all__ = ["attempts"]

_ADDRESS_WORLD: Final = "identity_malicious_address"
_OTHERS: Final = ("ben.cho", "BEN.CHO", "ben.cho@example.com", "NORTHLAKE\\ben.cho", "u-6a02")
_PROTECTED_USERS: Final = ("bg-admin-01", "BG-Admin-01", "bg-admin-01@example.com", "NORTHLAKE\\bg-admin-01", "u-0001")
_PROTECTED_HOSTS: Final = (
    "NL-DC-01",
    "nl-dc-01",
    "NL-DC-01.example.com",
    "nl-dc-01.EXAMPLE.com.",
    "NORTHLAKE\\NL-DC-01$",
    "192.0.2.5",
    "NL-PAY-01",
    "NL-LOG-01",
    "NL-SCAN-01",
)
_PROTECTED_ADDRESSES: Final = (
    "192.0.2.10",
    "192.0.2.10/32",
    "192[.]0[.]2[.]10",
    "::ffff:192.0.2.10",
    "::ffff:c000:20a",
    "0xc000020a",
    "3221225994",
    "192.0.2.0/24",
    "192.0.2.8/29",
    "192.0.0.0/16",
    "NL-LOG-01.example.com",
    "https://NL-LOG-01.example.com/x",
)
_LOOKALIKES: Final = (
    "m\u0430ria.ortega",
    "maria.\u03bfrtega",
    "mari\u0430.ortega",
    "maria\u2024ortega",
    "NL-D\u0421-01",
    "bg-\u0430dmin-01",
)
_EVERYTHING: Final = (
    "0.0.0.0/0",
    "0.0.0.0/00",
    "::/0",
    "0/0",
    "*",
    "any",
    "0.0.0.0/1",
    "128.0.0.0/1",
    "0.0.0.0/7",
    "::ffff:0:0/96",
)


def attempts() -> Iterator[Attempt]:
    for stage, (name, argument, _) in READS.items():
        if argument == "user_id" or argument == "query":
            for other in _OTHERS:
                reply = look(name, **{argument: other})
                yield Attempt(f"{name} of {other}", stage, reply, "denied", "out_of_scope")
    for other in ("NL-WS-0177", "nl-ws-0177.example.com", "d-6c2a11"):
        reply = look("get_endpoint_status", endpoint_id=other)
        yield Attempt(f"the machine {other}", Stage.COLLECT_ENDPOINT, reply, "denied", "out_of_scope")
    for other in _OTHERS:
        reply = action("disable_account", user_id=other)
        yield Attempt(f"disable {other}", Stage.PROPOSE_ACTION, reply, "denied", "out_of_scope")
    for user in _PROTECTED_USERS:
        reply = action("disable_account", user_id=user)
        yield Attempt(f"protected account {user}", Stage.PROPOSE_ACTION, reply, "denied", "protected_asset")
    for host in _PROTECTED_HOSTS:
        reply = action("isolate_endpoint", endpoint_id=host)
        yield Attempt(f"protected host {host}", Stage.PROPOSE_ACTION, reply, "denied", "protected_asset")
    for address in _PROTECTED_ADDRESSES:
        reply = action("block_indicator", indicator=address)
        title = f"protected address {address}"
        yield Attempt(title, Stage.PROPOSE_ACTION, reply, "denied", "protected_asset", _ADDRESS_WORLD)
    for spelled in _LOOKALIKES:
        reply = action("disable_account", user_id=spelled)
        yield Attempt(f"lookalike {spelled!a}", Stage.PROPOSE_ACTION, reply, "denied", "lookalike_identifier")
    for wide in _EVERYTHING:
        reply = action("block_indicator", indicator=wide)
        yield Attempt(f"block {wide}", Stage.PROPOSE_ACTION, reply, "denied", "catch_all_target", _ADDRESS_WORLD)
    for name, argument in (("suppress_finding", "match"), ("add_exclusion", "path"), ("delete_logs", "source")):
        reply = action(name, **{argument: "*"})
        yield Attempt(f"{name} of everything", Stage.PROPOSE_ACTION, reply, "denied", "catch_all_target")
