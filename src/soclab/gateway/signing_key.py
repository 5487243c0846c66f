"""The key that signs grants. It stands in no record, no message and no `repr`."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
from typing import Final

from soclab.canonical_json import encode_bytes
from soclab.contracts.strict import JsonObject
from soclab.decoding.key_forms import key_forms
from soclab.errors import ConfigurationError
from soclab.identity import derive_id

__all__ = ["LEAST_BYTES", "SIGNING_KEY_VARIABLE", "SigningKey"]

SIGNING_KEY_VARIABLE: Final = "SOCLAB_GRANT_SIGNING_KEY"
LEAST_BYTES: Final = 32

_HEX: Final = re.compile(r"[0-9A-Fa-f]+")
_BASE64: Final = re.compile(r"[0-9A-Za-z+/_-]+={0,2}")
_HOW: Final = f"give {LEAST_BYTES} random bytes or more, in hexadecimal or base64"


class SigningKey:
    """
    Args:
        key: at least 32 bytes.
    """

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        if len(key) < LEAST_BYTES:
            raise ConfigurationError(f"{SIGNING_KEY_VARIABLE} holds {len(key)} bytes: {_HOW}")
        self._key = key

    def __repr__(self) -> str:
        return "SigningKey(...)"

    def __reduce__(self) -> str:
        raise TypeError("a signing key is not written anywhere")

    @classmethod
    def read(cls, text: str) -> SigningKey:
        """
        The key as a person writes it: hexadecimal where only hexadecimal digits stand there, else base64, standard or
        URL-safe, with or without padding.

        Raises:
            ConfigurationError: it is neither, too short, or one byte over and over; the line never shows it.
        """
        text = text.strip()
        if _HEX.fullmatch(text):
            if len(text) % 2:
                raise ConfigurationError(f"{SIGNING_KEY_VARIABLE} has an odd number of hexadecimal digits: {_HOW}")
            return cls._given(bytes.fromhex(text))
        plain = text.rstrip("=").replace("-", "+").replace("_", "/")
        try:
            if not _BASE64.fullmatch(text):
                raise binascii.Error
            return cls._given(base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True))
        except binascii.Error:
            raise ConfigurationError(f"{SIGNING_KEY_VARIABLE} is neither hexadecimal nor base64: {_HOW}") from None

    @classmethod
    def _given(cls, key: bytes) -> SigningKey:
        if len(key) >= LEAST_BYTES and len(set(key)) == 1:
            raise ConfigurationError(f"{SIGNING_KEY_VARIABLE} holds the same byte over and over: {_HOW}")
        return cls(key)

    @classmethod
    def derived(cls, secret: bytes, run_id: str) -> SigningKey:
        """The key of one run of a campaign that was given none: it follows from the campaign's secret."""
        return cls(hmac.new(secret, f"soclab grant key\x00{run_id}".encode(), hashlib.sha256).digest())

    def forms(self, text: str) -> tuple[str, ...]:
        """What may stand in no artefact: the key as it was written, and as its bytes may be written."""
        return key_forms(self._key, text.strip())

    def sign(self, value: JsonObject) -> str:
        """HMAC-SHA256 of the value's canonical JSON, lower-case hexadecimal."""
        return hmac.new(self._key, encode_bytes(value), hashlib.sha256).hexdigest()

    def id_of(self, *parts: str) -> str:
        """An id that only the holder of the key can know beforehand."""
        return derive_id(self._key, "grant", *parts)
