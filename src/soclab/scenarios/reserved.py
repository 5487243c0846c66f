"""Scenarios point at nobody: addresses and hosts that may belong to somebody have no place in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from soclab.contracts.strict import JsonValue
from soclab.entities import find_indicators, is_catch_all, networks_cover, read_indicator
from soclab.redaction import clean

__all__ = ["foreign_places"]

_DOCUMENTATION: Final = ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")
_PRIVATE: Final = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")
_OWN_MACHINE: Final = ("127.0.0.0/8", "169.254.0.0/16", "::1", "fe80::/10")
_NOBODYS: Final = (*_DOCUMENTATION, *_PRIVATE, *_OWN_MACHINE)
_NAMES: Final = ("example.com", "example.net", "example.org", "example", "invalid", "test", "localhost", "internal")

Key = tuple[str | int, ...]


def foreign_places(value: JsonValue, key: Key = ()) -> Iterator[tuple[Key, str]]:
    """
    Every address or host in the texts of a value that may be somebody's: (key of the text, what to write instead).

    Args:
        key: where the value stands.
    """
    if isinstance(value, str):
        for found in find_indicators(value):
            what = _complaint(found)
            if what is not None:
                yield key, what
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from foreign_places(item, (*key, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from foreign_places(item, (*key, index))


def _complaint(found: str) -> str | None:
    indicator = read_indicator(found)
    place = indicator.host or found
    if indicator.kind == "hash" or not place:
        return None
    if indicator.span is not None or read_indicator(place).span is not None:
        if is_catch_all(found) or any(networks_cover(network, place) for network in _NOBODYS):
            return None
        networks = ", ".join(_DOCUMENTATION)
        return f"address {clean(place, 60)} may be somebody's; take one of {networks}, or a private one"
    if any(place == name or place.endswith(f".{name}") for name in _NAMES):
        return None
    return f"host {clean(place, 80)} may be somebody's; take a name under {', '.join(_NAMES[:3])}"
