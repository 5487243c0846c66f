"""Spellings of users and hosts. Which aliases belong to whom is the world's knowledge, not ours."""

from __future__ import annotations

from functools import lru_cache

from soclab.entities.addresses import span_of, spell
from soclab.entities.confusables import CACHED_LENGTH, fold

__all__ = ["canonical_host", "canonical_user", "host_spelling", "user_spelling"]


def user_spelling(text: str) -> str:
    r"""The text folded, doubled backslashes single; the domain of `DOMAIN\name` or `name@domain` is kept."""
    text = fold(text)
    while "\\\\" in text:
        text = text.replace("\\\\", "\\")
    return text


def _user(text: str) -> str:
    text = user_spelling(text)
    while True:
        name = text.rpartition("\\")[2].partition("@")[0].strip()
        if not name or name == text:
            return text
        text = name


def _host_spelling(text: str) -> str:
    while True:
        before = text
        text = fold(text).lstrip("\\").rstrip(".$")
        span = span_of(text, loose=False)
        if span is not None and span.low == span.high:
            return spell(span)
        if text == before:
            return text


def _host(text: str) -> str:
    text = host_spelling(text)
    while True:
        if span_of(text, loose=False) is not None:
            return host_spelling(text)
        name = host_spelling(text.rpartition("\\")[2].partition(".")[0])
        if not name or name == text:
            return text
        text = name


_cached_user = lru_cache(maxsize=4096)(_user)
_cached_host = lru_cache(maxsize=4096)(_host)
_cached_host_spelling = lru_cache(maxsize=4096)(_host_spelling)


def host_spelling(text: str) -> str:
    r"""The text folded, without a leading `\\`, a trailing dot or `$`; an address in its one spelling."""
    return _cached_host_spelling(text) if len(text) <= CACHED_LENGTH else _host_spelling(text)


def canonical_user(text: str) -> str:
    r"""
    The bare name: `NORTHLAKE\Maria.Ortega`, `maria.ortega@northlake.example.com` and `MARIA.ORTEGA ` are one.

    Foreign domains are cut off too, so this is for comparing, never for deciding whom a text means.
    """
    return _cached_user(text) if len(text) <= CACHED_LENGTH else _user(text)


def canonical_host(text: str) -> str:
    r"""The NetBIOS name in lower case: domain, trailing dot and `$` cut off; an address in its one spelling."""
    return _cached_host(text) if len(text) <= CACHED_LENGTH else _host(text)
