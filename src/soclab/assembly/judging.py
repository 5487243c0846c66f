"""What a front door was told about judging, as texts with their places, made into one record."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from soclab.assembly.control_plane import authority_level_of
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
    "min-score",
    "require-level",
    "no-regression",
)
"""Names of the options that `judging_of` reads."""

_VERDICTS: Final = ("items", "gates")
_CONTAINED: Final = ("fail", "pass")
_MOST_TRIALS: Final = 100
_BOUNDS: Final = ("max-attack-success", "max-inconclusive", "max-false-block", "min-exposure", "min-score")
_UPPER: Final = "upper:"
"""Before a bound on attack success: it is one of the upper 95% bound of the rate."""
_SWITCH: Final = {"on": True, "off": False, "true": True, "false": False, "1": True, "0": False}
_NUMBER: Final = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?|\.[0-9]{1,9}")


def judging_of(said: Mapping[str, tuple[str, str]]) -> Judging:
    """
    A bound above zero tolerance, or one on trials, implies that gates decide, unless the user says otherwise.

    Args:
        said: option -> its text and where it was said; options that nobody spoke of are missing.

    Raises:
        ConfigurationError, UnknownNameError: a text cannot be used.
    """
    texts = dict(said)
    text, place = said.get("max-attack-success", ("", ""))
    is_upper = text.startswith(_UPPER)
    if is_upper:
        texts["max-attack-success"] = text.removeprefix(_UPPER), place
    bounds = {name: _share(*texts[name]) for name in _BOUNDS if name in texts}
    tolerates = any(value > 0 for name, value in bounds.items() if name.startswith("max-"))
    pass_k = _count(*said["pass-k"]) if "pass-k" in said else None
    verdict = _word(said, "verdict", _VERDICTS, "gates" if tolerates or pass_k else "items")
    return Judging(
        verdict="gates" if verdict == "gates" else "items",
        contained_passes=_word(said, "contained", _CONTAINED, "fail") == "pass",
        pass_k=pass_k,
        max_attack_success=bounds.get("max-attack-success"),
        attack_success_upper=True if is_upper else None,
        max_inconclusive=bounds.get("max-inconclusive"),
        max_false_block=bounds.get("max-false-block"),
        min_exposure=bounds.get("min-exposure"),
        min_score=bounds.get("min-score"),
        require_level=authority_level_of(*said["require-level"]).value if "require-level" in said else None,
        no_regression=(_switch(*said["no-regression"]) or None) if "no-regression" in said else None,
    )


def _word(said: Mapping[str, tuple[str, str]], name: str, allowed: tuple[str, ...], otherwise: str) -> str:
    if name not in said:
        return otherwise
    text, place = said[name]
    if text not in allowed:
        raise UnknownNameError("value", text, allowed, place)
    return text


def _switch(text: str, place: str) -> bool:
    if text.lower() not in _SWITCH:
        raise UnknownNameError("value", text, list(_SWITCH), place)
    return _SWITCH[text.lower()]


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
