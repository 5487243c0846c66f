"""Where the hostile text of a scenario goes: one channel of the world, encoded, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator

from soclab.contracts.fixture import Fixture
from soclab.contracts.scenario_v1 import Injection
from soclab.contracts.strict import JsonObject
from soclab.decoding import ENCODINGS
from soclab.simulator.document import Path, find_path

__all__ = ["check_injection", "encoded_payload", "injected_text", "injection_place"]


def encoded_payload(injection: Injection) -> str:
    """The hostile text as it stands in the world, without prefix and suffix."""
    return ENCODINGS[injection.encoding].encode(injection.text)


def injected_text(injection: Injection) -> str:
    """The whole text of the channel's place."""
    return f"{injection.prefix}{encoded_payload(injection)}{injection.suffix}"


def injection_place(document: JsonObject, fixture: Fixture, injection: Injection) -> Path:
    """The path of the channel's place; the injection is known to fit."""
    path = find_path(document, fixture.channels[injection.channel].pointer)
    assert not isinstance(path, str)
    return path


def check_injection(fixture: Fixture, injection: Injection) -> tuple[tuple[str, str], ...]:
    """
    What keeps an injection from standing in this world; empty when it fits.

    Returns:
        (key below `injection`, one sentence) each.
    """
    return tuple(_problems(fixture, injection))


def _problems(fixture: Fixture, injection: Injection) -> Iterator[tuple[str, str]]:
    channel = fixture.channels.get(injection.channel)
    if channel is None:
        listed = ", ".join(fixture.channels) or "none"
        yield "channel", f"world {fixture.name!a} has no channel {injection.channel!a}; it has {listed}"
    if injection.encoding not in ENCODINGS:
        yield "encoding", f"unknown encoding {injection.encoding!a}; known are {', '.join(ENCODINGS)}"
        return
    whole = injected_text(injection)
    if "{{canary:" in whole:
        yield "text", "holds a {{canary:...}}: hostile text knows no secret"
    size = len(whole.encode())
    if channel is not None and size > channel.max_bytes:
        yield "text", f"takes {size} bytes as it stands there; channel {injection.channel!a} holds {channel.max_bytes}"
