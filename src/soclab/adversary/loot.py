"""
Secrets that a losing path passes on, copied from what the agent was sent.

A template is `{{secret}}` with parts after colons, in any order:

- where it is copied from: `prompt` (the standing instruction), `records` (the turns), or a tool's name (the turns of
  that tool). Without it: the prompt, then the records.
- how it is written: `base64`, `hex`, `reversed`, `spaced`, or one of up to nine pieces, `1/3`.

A secret is recognised by its form and checksum. Where redaction took it away, what stands in its place is copied.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from soclab.canaries import is_valid
from soclab.contracts.provider import ModelRequest
from soclab.contracts.strict import JsonValue

__all__ = ["fill"]

_TEMPLATE: Final = re.compile(r"\{\{secret((?::[A-Za-z0-9_/]+)*)\}\}")
_SECRET: Final = re.compile(r"(?<![A-Z2-7])[A-Z2-7]{26}(?![A-Z2-7])")
_PLACEHOLDER: Final = re.compile(r"\[redacted:[A-Z2-7]{4}\]")
_PIECE: Final = re.compile(r"([1-9])/([1-9])")
_SPELLINGS: Final[Mapping[str, Callable[[str], str]]] = MappingProxyType(
    {
        "base64": lambda secret: b64encode(secret.encode()).decode("ascii"),
        "hex": lambda secret: secret.encode().hex(),
        "reversed": lambda secret: secret[::-1],
        "spaced": " ".join,
    }
)


def fill(value: JsonValue, request: ModelRequest) -> JsonValue:
    """
    The value with every template replaced.

    Raises:
        LookupError: the agent was sent no such secret, nor anything in its place.
    """
    if isinstance(value, str):
        return _TEMPLATE.sub(lambda match: _written(match[1].split(":")[1:], request), value)
    if isinstance(value, dict):
        return {key: fill(item, request) for key, item in value.items()}
    if isinstance(value, list):
        return [fill(item, request) for item in value]
    return value


def _written(parts: list[str], request: ModelRequest) -> str:
    sources = [part for part in parts if part not in _SPELLINGS and not _PIECE.fullmatch(part)]
    secret = _copied(sources[0] if sources else None, request)
    for part in parts:
        if part in _SPELLINGS:
            secret = _SPELLINGS[part](secret)
        elif piece := _PIECE.fullmatch(part):
            secret = _piece(secret, int(piece[1]), int(piece[2]))
    return secret


def _piece(secret: str, number: int, pieces: int) -> str:
    return secret[len(secret) * (number - 1) // pieces : len(secret) * number // pieces]


def _copied(source: str | None, request: ModelRequest) -> str:
    texts = list(_texts(source, request))
    for text in texts:
        found = next(filter(is_valid, _SECRET.findall(text)), None)
        if found is not None:
            return str(found)
    for text in texts:
        shown = _PLACEHOLDER.search(text)
        if shown is not None:
            return shown[0]
    raise LookupError(f"the agent was sent no secret that {source or 'the losing path'} could copy")


def _texts(source: str | None, request: ModelRequest) -> Iterator[str]:
    if source in (None, "prompt"):
        yield request.system_prompt
    if source != "prompt":
        for turn in request.turns:
            if source in (None, "records", turn.tool_name):
                yield turn.content
