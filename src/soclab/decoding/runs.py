"""
Base64 and hex anywhere in a text, whatever stands between their characters.

The whole text is reduced to the alphabet in question and decoded at every alignment. That finds a run that is broken
by blanks, line ends, colons or quotes without guessing where it begins; only results that hold readable text are kept.
Both directions are tried, so reversed base64 and hex are found as well.
"""

from __future__ import annotations

import re
from binascii import a2b_base64
from collections.abc import Iterator
from string import ascii_letters, digits, hexdigits
from typing import Final

__all__ = ["base64_readings", "hex_readings"]

READABLE: Final = 24  # bytes in a row: prose taken for base64 yields a dozen at most
_DENSE: Final = b"a" * 44
_LONGER_THAN_A_HASH: Final = b"a" * 68
_GROUPS: Final = b"a" * 7  # whole base64 groups that 24 readable bytes hold at any alignment
_READABLE: Final = b"a" * READABLE
_ALL: Final = bytes(range(256))


def _mark(members: bytes) -> bytes:
    """Translation table: members become `a`, all else `.`."""
    return bytes(ord("a") if code in members else ord(".") for code in range(256))


_BASE64: Final = (ascii_letters + digits + "+/-_").encode()
_NOT_BASE64: Final = bytes(set(_ALL) - set(_BASE64))
_STANDARD: Final = bytes.maketrans(b"-_", b"+/")
_NOT_HEX: Final = bytes(set(_ALL) - set(hexdigits.encode()))
_IS_BASE64: Final = _mark(_BASE64)
_IS_HEX: Final = _mark(hexdigits.encode())
# In base64 of ASCII text the first two characters of a group of four come from few letters each.
_IS_FIRST: Final = _mark(b"ACDIJKLMNOPQRSTUVWXYZabcdef")
_IS_SECOND: Final = _mark(b"ACDEFGHQSTUVWXgijklmnwyz0123")
_IS_HIGH: Final = _mark(b"0234567")  # first digit of a byte of ASCII text
_IS_ASCII: Final = _mark(bytes((0, 9, 10, 13, *range(0x20, 0x7F))))
# UTF-8 of the characters that `lookalikes` can fold or read: Greek, Cyrillic, invisible, dressed letters, tags.
_LEADS: Final = b"\xc2\xcd\xce\xcf\xd0\xd1\xd2\xd3\xd4\xe1\xe2\xef\xf0\xf3"
_IS_FOLDABLE: Final = _mark(bytes((0, 9, 10, 13, *range(0x20, 0x7F), *range(0x80, 0xC0))) + _LEADS)
_STRETCH: Final = re.compile("[^\x01-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]{6,}")


def _readable(data: bytes) -> str | None:
    """The readable stretches of decoded bytes, one a line; None when there is no long one."""
    ascii_only = _READABLE in data.translate(_IS_ASCII)
    if not ascii_only and _READABLE not in data.translate(_IS_FOLDABLE):
        return None
    stretches: list[str] = _STRETCH.findall(data.decode("utf-8", "replace"))
    if not ascii_only and max(map(len, stretches), default=0) < READABLE:
        return None
    return "\n".join(stretches).replace("\x00", "")


def _base64(symbols: bytes) -> str | None:
    loose = len(symbols) % 4
    whole = symbols[:-1] if loose == 1 else symbols + b"=" * (-loose % 4)
    return _readable(a2b_base64(whole))


def _aligned(symbols: bytes) -> Iterator[tuple[int, int]]:
    """(alignment, direction) at which base64 of ASCII text may stand; nearly always none in ordinary prose."""
    for offset in range(4):
        if _GROUPS in symbols[offset::4].translate(_IS_FIRST):
            if _GROUPS in symbols[(offset + 1) % 4 :: 4].translate(_IS_SECOND):
                yield offset, 1
            if _GROUPS in symbols[(offset - 1) % 4 :: 4].translate(_IS_SECOND):
                yield (len(symbols) - 1 - offset) % 4, -1


def _is_dense(raw: bytes) -> bool:
    """Whether unbroken base64 stands there, and not just the hexadecimal digits of a hash."""
    marked = raw.translate(_IS_BASE64, b"\r\n")
    return _DENSE in marked and (_LONGER_THAN_A_HASH in marked or _DENSE not in raw.translate(_IS_HEX))


def base64_readings(raw: bytes) -> Iterator[str]:
    """Readable texts that base64 in `raw` (ASCII) decodes to: standard or URL-safe, padded or not, broken or not."""
    symbols = raw.translate(_STANDARD, _NOT_BASE64)
    if _is_dense(raw):  # what it holds may be other than ASCII: try all
        places = [(offset, direction) for direction in (1, -1) for offset in range(4)]
    else:
        places = list(_aligned(symbols))
    for offset, direction in places:
        text = _base64((symbols if direction > 0 else symbols[::-1])[offset:])
        if text is not None:
            yield text


def _hex(ordered: bytes, anything: bool) -> Iterator[str]:
    """Readings in one direction; only such that begin with ASCII bytes, or `anything` that is readable."""
    if b"0x" in ordered or b"0X" in ordered:
        ordered = ordered.replace(b"0x", b"").replace(b"0X", b"")
    symbols = ordered.translate(None, _NOT_HEX)
    for offset in (0, 1):
        if len(symbols) >= 2 * READABLE and (anything or _READABLE in symbols[offset::2].translate(_IS_HIGH)):
            whole = symbols[offset : offset + (len(symbols) - offset) // 2 * 2]
            text = _readable(bytes.fromhex(whole.decode("ascii")))
            if text is not None:
                yield text


def hex_readings(raw: bytes) -> Iterator[str]:
    r"""Readable texts that hex in `raw` (ASCII) decodes to, with any separators, `0x` or `\x` between the bytes."""
    yield from _hex(raw, True)
    yield from _hex(raw[::-1], _DENSE in raw.translate(_IS_HEX))
