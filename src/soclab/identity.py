"""
The one door for ids and chance: everything is derived from the campaign's secret.

Ids that an agent sees are opaque: nothing in them tells the scenario, the mode, or attack from benign.
"""

from __future__ import annotations

import hashlib
import hmac
import random
import secrets
from base64 import b32encode
from collections.abc import Iterable, Iterator

__all__ = ["campaign_secret", "derive_id", "derive_token", "draws", "order_by_secret"]


def campaign_secret(seed: str | None) -> bytes:
    """
    32 bytes from which every id, canary and order of a campaign follows.

    Args:
        seed: the user's `--soclab-seed`; None draws fresh random bytes.
    """
    if seed is None:
        return secrets.token_bytes(32)
    return hashlib.sha256(b"soclab-seed\x00" + seed.encode("utf-8", "surrogatepass")).digest()


def _mac(secret: bytes, parts: Iterable[str]) -> bytes:
    message = b"\x00".join(part.encode("utf-8", "surrogatepass") for part in parts)
    return hmac.new(secret, message, hashlib.sha256).digest()


def derive_id(secret: bytes, kind: str, *parts: str) -> str:
    """A 32-digit lower-case hexadecimal id, unique to (secret, kind, parts)."""
    return _mac(secret, (kind, *parts)).hex()[:32]


def derive_token(secret: bytes, length: int, *parts: str) -> str:
    """Upper-case base32 characters (A-Z, 2-7), `length` of them (at most 51)."""
    whole = -(-length // 8) * 5  # bytes of the groups that are shown: encoding is slow, and is done for every slot
    return b32encode(_mac(secret, parts)[:whole]).decode("ascii")[:length]


def draws(seed: str, below: int) -> Iterator[int]:
    """An endless sequence of whole numbers from 0, the same for the same seed. For resampling, never for a secret."""
    share = random.Random(seed).random
    while True:
        yield int(share() * below)


def order_by_secret(secret: bytes, names: Iterable[str]) -> list[str]:
    """The names in the campaign's own order: shuffled, the same for the same secret."""
    return sorted(names, key=lambda name: (_mac(secret, ("order", name)), name))
