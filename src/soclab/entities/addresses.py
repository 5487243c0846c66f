"""
Addresses and networks in one number space, so that every spelling of the same address is the same interval.

IPv4 stands at its IPv4-mapped place (`::ffff:0:0/96`) in the 128-bit space of IPv6: an address, its mapped form,
a network and a range are all an interval of integers.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

__all__ = ["Span", "cover", "embedded", "is_wide", "spell", "span_of"]

_MAPPED = 0xFFFF << 32
_MAPPED_END = _MAPPED + (1 << 32) - 1
_LONGEST = 128
_V4_AT_THE_END = (
    (0, 96),  # IPv4-compatible
    (0xFFFF << 48, 96),  # IPv4-translated, ::ffff:0:0:0/96
    (0x64FF9B << 96, 96),  # NAT64
    (0x64FF9B0001 << 80, 48),  # NAT64 of a local network
)
_6TO4 = 0x2002

_PART = r"(?:0x[0-9a-f]{1,8}|[0-9]{1,12})"
_V4 = re.compile(rf"{_PART}(?:\.{_PART}){{3}}", re.ASCII)
_V4_SHORT = re.compile(rf"{_PART}(?:\.{_PART}){{0,2}}", re.ASCII)
_V4_STARS = re.compile(r"(?:[0-9]{1,3}\.){1,3}\*(?:\.\*){0,2}", re.ASCII)
_LAST_PARTS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){0,2}", re.ASCII)
_PORT = re.compile(r":[0-9]{1,5}", re.ASCII)
_SMALLEST_BARE_NUMBER = 1 << 24


class Span(NamedTuple):
    """Every address from `low` to `high`, both included, in the 128-bit space."""

    low: int
    high: int


def _number(part: str, padded: bool) -> int | None:
    try:
        if part.startswith("0x"):
            return int(part, 16)
        if len(part) > 1 and part[0] == "0" and not padded:
            return int(part, 8)
        return int(part)
    except ValueError:
        return None


def _join(numbers: Sequence[int | None], widths: Sequence[int]) -> int | None:
    value = 0
    for number, width in zip(numbers, widths, strict=True):
        if number is None or number >> width:
            return None
        value = value << width | number
    return value


def _is_padded(parts: list[str]) -> bool:
    """`203.000.113.040` is decimal written in columns; `0313.0.0161.050` is octal."""
    if all(len(part) == 3 for part in parts):
        return True
    return any(part[0] == "0" and part[:2] != "0x" and ("8" in part or "9" in part) for part in parts)


def _v4(text: str, loose: bool) -> int | None:
    if _V4.fullmatch(text):
        parts = text.split(".")
        padded = _is_padded(parts)
        return _join([_number(part, padded) for part in parts], [8, 8, 8, 8])
    if not loose or not _V4_SHORT.fullmatch(text):
        return None
    parts = text.split(".")
    widths = [8] * (len(parts) - 1) + [8 * (5 - len(parts))]
    value = _join([_number(part, False) for part in parts], widths)
    is_bare_count = len(parts) == 1 and text[0] != "0" and value is not None and value < _SMALLEST_BARE_NUMBER
    return None if is_bare_count else value


def _v6(text: str) -> int | None:
    text = text.partition("%")[0]
    if text.count(":") < 2 or len(text) > 45:
        return None
    try:
        return int(ipaddress.IPv6Address(text))
    except ValueError:
        return None


def _address(text: str, loose: bool) -> int | None:
    """The number of one address, or None; brackets, a zone and a port around it are left out."""
    if text.startswith("["):
        inside, closed, after = text[1:].partition("]")
        if not closed or (after and not _PORT.fullmatch(after)):
            return None
        text = inside
    elif text.count(":") == 1:
        text, _, port = text.partition(":")
        if not _PORT.fullmatch(":" + port):
            return None
    if ":" in text:
        return _v6(text)
    number = _v4(text.removesuffix("."), loose)
    return None if number is None else _MAPPED | number


def _mask_length(text: str) -> int | None:
    """Prefix length written as a number (leading zeros allowed) or as an IPv4 net or host mask."""
    if text.isascii() and text.isdigit() and len(text) <= 6:
        return int(text)
    mask = _v4(text, loose=False)
    if mask is None:
        return None
    if mask & 0x80000000 == 0 and mask:
        mask ^= 0xFFFFFFFF
    ones = bin(mask).count("1")
    return ones if mask == (0xFFFFFFFF << (32 - ones)) & 0xFFFFFFFF else None


def _left_aligned(text: str) -> int | None:
    """`10/8` and `0/0`: the parts that are left out are zero on the right."""
    parts = text.split(".")
    if len(parts) > 3 or not all(part.isascii() and part.isdigit() and len(part) <= 3 for part in parts):
        return None
    value = _join([int(part) for part in parts] + [0] * (4 - len(parts)), [8, 8, 8, 8])
    return None if value is None else _MAPPED | value


def _network(text: str, loose: bool) -> Span | None:
    base, _, mask = text.partition("/")
    short = _left_aligned(base) if loose else None
    number = _address(base, loose) if short is None else short
    length = _mask_length(mask)
    if number is None or length is None:
        return None
    is_v4 = ":" not in base.strip("[]")
    free = (32 if is_v4 else 128) - length
    if free < 0:
        return None
    low = number >> free << free
    return Span(low, low + (1 << free) - 1)


def _stars(text: str) -> Span | None:
    known = [int(part) for part in text.split(".") if part != "*"]
    if len(known) + text.count("*") > 4:
        return None
    value = _join([*known, *[0] * (4 - len(known))], [8, 8, 8, 8])
    free = 8 * (4 - len(known))
    return None if value is None else Span(_MAPPED | value, _MAPPED | value + (1 << free) - 1)


def _range(text: str, loose: bool) -> Span | None:
    first, _, last = text.partition("-")
    first, last = first.strip(), last.strip()
    if _V4.fullmatch(first) and _LAST_PARTS.fullmatch(last):
        kept = first.split(".")[: 3 - last.count(".")]
        last = ".".join([*kept, last])
    low, high = _address(first, loose), _address(last, loose)
    return None if low is None or high is None or low > high else Span(low, high)


def span_of(text: str, *, loose: bool = True) -> Span | None:
    """
    The addresses that a text names: one address, a network, a range `a-b` or `203.0.113.4-9`, or `203.0.113.*`.

    Args:
        text: tidy, lower case, fanged; at most 128 characters are looked at.
        loose: also short and whole-number spellings (`3221225985`, `0xc0000201`, `192.513`, `10/8`), which in free
            text may be something else.

    Returns:
        None when the text is no address.
    """
    if not text or len(text) > _LONGEST or not (text[0] in "[:*" or text[0] in "0123456789abcdef"):
        return None
    number = _address(text, loose)
    if number is not None:
        return Span(number, number)
    if "/" in text:
        return _network(text, loose)
    if "*" in text and _V4_STARS.fullmatch(text):
        return _stars(text)
    return _range(text, loose) if "-" in text else None


def _spell_number(number: int) -> str:
    if _MAPPED <= number <= _MAPPED_END:
        return str(ipaddress.IPv4Address(number - _MAPPED))
    return str(ipaddress.IPv6Address(number))


def spell(span: Span) -> str:
    """The one spelling: address, else CIDR where the interval is one, else `low-high`."""
    size = span.high - span.low + 1
    if size == 1:
        return _spell_number(span.low)
    if size & (size - 1) == 0 and span.low % size == 0:
        bits = 32 if span.low >= _MAPPED and span.high <= _MAPPED_END else 128
        return f"{_spell_number(span.low)}/{bits - size.bit_length() + 1}"
    return f"{_spell_number(span.low)}-{_spell_number(span.high)}"


def cover(wide: Span, narrow: Span) -> bool:
    """Whether `wide` holds every address of `narrow`."""
    return wide.low <= narrow.low and narrow.high <= wide.high


def embedded(span: Span) -> Iterator[Span]:
    """The IPv4 addresses that IPv6 addresses carry: IPv4-compatible and -translated ones, NAT64, 6to4."""
    for prefix, length in _V4_AT_THE_END:
        low, high = max(span.low, prefix), min(span.high, prefix + (1 << (128 - length)) - 1)
        if low > high:
            continue
        if low >> 32 != high >> 32:
            yield Span(_MAPPED, _MAPPED_END)
        else:
            yield Span(_MAPPED | low & 0xFFFFFFFF, _MAPPED | high & 0xFFFFFFFF)
    low, high = max(span.low >> 80, _6TO4 << 32), min(span.high >> 80, (_6TO4 + 1 << 32) - 1)
    if low <= high:
        yield Span(_MAPPED | low & 0xFFFFFFFF, _MAPPED | high & 0xFFFFFFFF)


def is_wide(span: Span) -> bool:
    """Whether the interval is as big as a /7, in IPv6 or in the IPv4 part of it."""
    if span.high - span.low + 1 >= 1 << 121:
        return True
    shared = min(span.high, _MAPPED_END) - max(span.low, _MAPPED) + 1
    return shared >= 1 << 25
