"""
One JSON spelling for everything that is hashed or written: sorted keys, ASCII escapes, no spaces.

ASCII escapes keep lone surrogates, control and bidi characters of hostile text inert in files and terminals.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

__all__ = ["encode", "encode_bytes", "sha256_hex"]

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def encode(value: Any) -> str:
    """
    Canonical JSON text of a JSON value.

    Raises:
        ValueError: NaN or an infinity is inside.
        TypeError: something that is no JSON value is inside.
    """
    return _ENCODER.encode(value)


def encode_bytes(value: Any) -> bytes:
    """`encode` as ASCII bytes."""
    return _ENCODER.encode(value).encode("ascii")


def sha256_hex(data: bytes) -> str:
    """SHA-256 in lower-case hexadecimal."""
    return hashlib.sha256(data).hexdigest()
