"""The words in a free text that may be a name or an address, whatever stands around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from soclab.entities.addresses import Span, span_of
from soclab.entities.confusables import skeleton
from soclab.entities.indicators import refang

__all__ = ["address_tokens", "name_tokens"]

_NAME = re.compile(r"[\w.-]+")
_ADDRESSES = (re.compile(r"[\w.:-]+"), re.compile(r"[\w.:/*-]+"))
_AROUND = ".-:/"
_MOST_DECODINGS = 4


def _readings(text: str) -> tuple[str, ...]:
    """What the text looks like, and what it looks like with percent-encoding undone."""
    plain = skeleton(refang(text))
    decoded = plain
    for _ in range(_MOST_DECODINGS):
        if "%" not in decoded:
            break
        decoded = skeleton(refang(unquote(decoded)))
    return (plain,) if decoded == plain else (plain, decoded)


def name_tokens(text: str) -> tuple[str, ...]:
    r"""
    The skeleton of every word of letters, digits, dots and hyphens, in order of appearance, each once.

    `\\NL-PAY-01\c$` has `nl-pay-01` and `c`; `root@host:22/a` has `root`, `host`, `22` and `a`.
    """
    found = (word.strip(_AROUND) for reading in _readings(text) for word in _NAME.findall(reading))
    return tuple(dict.fromkeys(word for word in found if word))


def address_tokens(text: str) -> Iterator[Span]:
    """The addresses, networks and ranges in a text, in their plain spellings."""
    patterns = (_NAME, *_ADDRESSES)
    words = (word for reading in _readings(text) for pattern in patterns for word in pattern.findall(reading))
    for word in dict.fromkeys(words):
        span = span_of(word.strip(_AROUND), loose=False) or span_of(word, loose=False)
        if span is not None:
            yield span
