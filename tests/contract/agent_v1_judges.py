"""
The three judges of a reply: our validator, and two JSON Schema validators on the published response schema.

Each takes the text of a reply and says whether it is valid. The schema judges see the value that our decoder
made of the text, since JSON Schema is about values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import jsonschema_rs
from jsonschema.validators import extend

from soclab.contracts.agent_v1 import ReplyRejected, read_reply
from soclab.contracts.publish import PUBLISHED
from soclab.strict_json import decode

__all__ = ["EcmaValidator", "ecma_pattern", "judgements"]

_NOT_THE_SAME_IN_PYTHON = re.compile(r"\\[dDwWsSbBAZzpPuk]|\(\?|\.")


def ecma_pattern(pattern: str) -> re.Pattern[str]:
    """
    The pattern with the meaning ECMA-262 gives it: `$` is the end of the text, never the place before a newline.

    Knows the part of the language that the published schemas use, and refuses the rest.
    """
    assert not _NOT_THE_SAME_IN_PYTHON.search(pattern), f"teach ecma_pattern what {pattern} means"
    return re.compile(re.sub(r"(?<!\\)\$", r"\\Z", pattern))


def _pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[jsonschema.ValidationError]:
    if validator.is_type(instance, "string") and not ecma_pattern(pattern).search(instance):
        yield jsonschema.ValidationError(f"does not match {pattern}")


EcmaValidator = extend(jsonschema.Draft202012Validator, {"pattern": _pattern})

_SCHEMA = PUBLISHED["schemas/agent-v1/response.schema.json"]()
_FIRST = EcmaValidator(_SCHEMA)
_SECOND = jsonschema_rs.Draft202012Validator(_SCHEMA)


def judgements(text: str) -> dict[str, bool]:
    """What each judge says to the text of a reply; the text is JSON that the decoder accepts."""
    raw = text.encode()
    value = decode(raw)
    return {"validator": _read(raw), "jsonschema": _FIRST.is_valid(value), "jsonschema_rs": _SECOND.is_valid(value)}


def _read(raw: bytes) -> bool:
    try:
        read_reply(raw)
    except ReplyRejected:
        return False
    return True
