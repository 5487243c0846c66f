"""Numbers that users give as text: what cannot be one is said in one line, with the bounds."""

from __future__ import annotations

import re
from typing import Final

from soclab.errors import ConfigurationError
from soclab.pytest_plugin.options import Given

__all__ = ["seconds", "whole"]

_DECIMAL: Final = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?|\.[0-9]{1,9}")
_DIGITS: Final = 12


def whole(said: Given | None, least: int, most: int) -> int | None:
    """
    A whole number within the bounds, None when nobody said one.

    Raises:
        ConfigurationError: it is something else.
    """
    if said is None:
        return None
    text = said.value
    if not (text.isascii() and text.isdecimal() and least <= int(text[:_DIGITS]) <= most):
        raise ConfigurationError(f"{said.source} {text!a}: give a whole number from {least} to {most}")
    return int(text)


def seconds(said: Given | None) -> float | None:
    """
    A time greater than zero, None when nobody said one.

    Raises:
        ConfigurationError: it is something else.
    """
    if said is None:
        return None
    if _DECIMAL.fullmatch(said.value) is None or float(said.value) <= 0:
        raise ConfigurationError(f"{said.source} {said.value!a}: give a number of seconds greater than zero")
    return float(said.value)
