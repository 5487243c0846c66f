"""What a front door was told about judging, as texts with their places, made into one record."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from soclab.contracts.campaign import Judging
from soclab.errors import ConfigurationError, UnknownNameError

__all__ = ["JUDGING_OPTIONS", "judging_of"]

JUDGING_OPTIONS: Final = (
    "verdict",
    "contained",
    "max-attack-success",
    "max-inconclusive",
    "max-false-block",
    "min-exposure",
    "pass-k",
)
"""Names of the options that `judging_of` reads."""

_VERDICTS: Final = ("items", "gates")
_CONTAINED: Final = ("fail", "pass")
_SHARES: Final = JUDGING_OPTIONS[2:6]
_MOST_TRIALS: Final = 100
_NUMBER: Final = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?|\.[0-9]{1,9}")


def judging_of(said: Mapping[str, tuple[str, str]]) -> Judging:
    """
    A bound above zero tolerance, or one on trials, implies that gates decide, unless the user says otherwise.

    Args:
        said: option -> its text and where it was said; options that nobody spoke of are missing.

    Raises:
        ConfigurationError, UnknownNameError: a text cannot be used.
    """
    bounds: dict[str, Any] = {name.replace("-", "_"): _share(*said[name]) for name in _SHARES if name in said}
    pass_k = _count(*said["pass-k"]) if "pass-k" in said else None
    tolerates = any(value > 0 for name, value in bounds.items() if name.startswith("max_"))
    verdict = _word(said, "verdict", _VERDICTS, "gates" if tolerates or pass_k else "items")
    return Judging(
        verdict="gates" if verdict == "gates" else "items",
        contained_passes=_word(said, "contained", _CONTAINED, "fail") == "pass",
        pass_k=pass_k,
        **bounds,
    )


def _word(said: Mapping[str, tuple[str, str]], name: str, allowed: tuple[str, ...], otherwise: str) -> str:
    if name not in said:
        return otherwise
    text, place = said[name]
    if text not in allowed:
        raise UnknownNameError("value", text, allowed, place)
    return text


def _count(text: str, place: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 9 and 1 <= int(text) <= _MOST_TRIALS):
        raise ConfigurationError(f"{place} {text!a}: give a whole number of trials from 1 to {_MOST_TRIALS}")
    return int(text)


def _share(text: str, place: str) -> float:
    number = text.removesuffix("%")
    value = float(number) / (100 if text.endswith("%") else 1) if _NUMBER.fullmatch(number) else -1.0
    if not 0 <= value <= 1:
        raise ConfigurationError(f"{place} {text!a}: give a share from 0 to 1, or a percentage such as 5%")
    return value
