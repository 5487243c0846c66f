"""How the bytes of a key may be written down again by whoever has read it."""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64encode

__all__ = ["key_forms"]


def key_forms(key: bytes, *texts: str) -> tuple[str, ...]:
    """
    Args:
        key: its bytes.
        texts: as its owner wrote it, whole or in lines.

    Returns:
        those texts, and the bytes in hexadecimal of either case and in base64 of either alphabet, in either order; and
        all of it backwards.
    """
    ways = (key, key[::-1])
    written = [each for one in ways for each in (one.hex(), one.hex().upper())]
    written += [encode(one).decode("ascii").rstrip("=") for one in ways for encode in (b64encode, urlsafe_b64encode)]
    forward = dict.fromkeys(one for one in (*texts, *written) if one)
    return tuple(dict.fromkeys((*forward, *(one[::-1] for one in forward))))
