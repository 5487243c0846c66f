"""Canaries and the placeholders that redaction shows in their place: both follow from the campaign's secret."""

from __future__ import annotations

import hashlib
from base64 import b32encode
from collections.abc import Iterable
from typing import Final

from soclab.identity import derive_token

__all__ = ["is_valid", "make", "placeholders"]

BODY: Final = 24
CHECKSUM: Final = 2
_ALPHABET: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")


def _checksum(body: str) -> str:
    digest = hashlib.sha256(b"soclab-canary\x00" + body.encode("ascii")).digest()
    return b32encode(digest).decode("ascii")[:CHECKSUM]


def make(secret: bytes, run_id: str, slots: Iterable[str]) -> dict[str, str]:
    """Slot -> canary of this run: 26 characters A-Z and 2-7, unlike for every run and slot."""
    bodies = {slot: derive_token(secret, BODY, "canary", run_id, slot) for slot in slots}
    return {slot: body + _checksum(body) for slot, body in bodies.items()}


def is_valid(canary: str) -> bool:
    """Whether it has the form and the checksum of a canary, of whatever run."""
    shaped = len(canary) == BODY + CHECKSUM and _ALPHABET.issuperset(canary)
    return shaped and canary[BODY:] == _checksum(canary[:BODY])


def placeholders(secret: bytes, run_id: str, slots: Iterable[str]) -> dict[str, str]:
    """Slot -> what redaction shows in a canary's place: `[redacted:7QK2]`, distinct within a run."""
    shown: dict[str, str] = {}
    taken: set[str] = set()
    for slot in slots:
        attempt = 0
        while (token := derive_token(secret, 4, "placeholder", run_id, slot, str(attempt))) in taken:
            attempt += 1
        taken.add(token)
        shown[slot] = f"[redacted:{token}]"
    return shown
