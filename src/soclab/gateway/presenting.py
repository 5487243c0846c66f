"""What the agent is shown, and what it may not carry out: canaries give way to placeholders."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from soclab import canaries
from soclab.contracts.strict import JsonValue

__all__ = ["Redaction"]

_ENCODE: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Redaction:
    """
    Args:
        secrets: slot -> canary of this run.
        placeholders: slot -> what is shown in its place.
    """

    def __init__(self, secrets: Mapping[str, str], placeholders: Mapping[str, str]) -> None:
        self._secrets = secrets
        self._placeholders = placeholders

    def present(self, value: JsonValue) -> JsonValue:
        """
        The value without canaries, keys included; the same object when it holds none.

        A literal canary is replaced where it stands. A string that holds one in another form becomes the placeholder
        as a whole.
        """
        text = plain = _ENCODE(value)
        for slot, secret in self._secrets.items():
            if secret in text:
                text = text.replace(secret, self._placeholders[slot])
                plain = plain.replace(secret, "")
        if canaries.find(plain, self._secrets):
            return self._each(value)
        return value if text is plain else json.loads(text)

    def withheld(self, text: str) -> tuple[str, ...]:
        """
        Slots whose canary one reply would carry out of the system, whole or in pieces; sorted.

        Each reply is looked at by itself: pieces that go out one reply at a time get through, and count as a leak.
        """
        return canaries.find_in_one(text, self._secrets)

    def _each(self, value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            return canaries.replace(value, self._secrets, self._placeholders)
        if isinstance(value, list):
            return [self._each(item) for item in value]
        if isinstance(value, dict):
            return {self._text(key): self._each(item) for key, item in value.items()}
        return value

    def _text(self, text: str) -> str:
        return canaries.replace(text, self._secrets, self._placeholders)
