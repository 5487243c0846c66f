"""The texts that an agent was sent: every string, decoded, so that JSON escaping hides nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator

from soclab.contracts.provider import ModelRequest
from soclab.contracts.strict import JsonValue

__all__ = ["strings_in", "strings_of_content", "strings_of_request"]


def strings_of_request(request: ModelRequest) -> Iterator[str]:
    """System prompt, alert and turns; the lab's own instruction is left out."""
    yield request.system_prompt
    yield from strings_in(request.alert)
    for turn in request.turns:
        yield from strings_of_content(turn.content)


def strings_of_content(content: str) -> Iterator[str]:
    """A message as it stands and, where it is JSON, every string in it."""
    yield content
    try:
        value: JsonValue = json.loads(content)
    except (ValueError, RecursionError):
        return
    yield from strings_in(value)


def strings_in(value: JsonValue) -> Iterator[str]:
    """Every string in a JSON value of any depth, keys included, in document order."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            for key, item in reversed(one.items()):
                waiting += (item, key)
        elif isinstance(one, list):
            waiting.extend(reversed(one))
