"""Ed25519 keys: the private one that signs evidence, the public one that checks it. Needs the extra `signing`."""

from __future__ import annotations

import hashlib
from base64 import b64decode, b64encode
from types import ModuleType
from typing import Any, Final

from soclab.decoding.key_forms import key_forms
from soclab.errors import ConfigurationError
from soclab.evidence.envelope import Envelope, pre_authentication, write_envelope
from soclab.redaction import Secret

__all__ = ["KEY_VARIABLE", "EvidenceChecker", "EvidenceSigner", "key_spellings"]

KEY_VARIABLE: Final = "SOCLAB_EVIDENCE_KEY"
_RAW_BYTES: Final = 32
_PKCS8_HEAD_BYTES: Final = 16
"""Stand before the key itself in an unencrypted PKCS #8 file of Ed25519."""
_PEM: Final = "-----BEGIN"


class EvidenceSigner:
    """
    Signs statements. Shows its key to nobody.

    Args:
        key: an unencrypted Ed25519 private key in PEM (PKCS #8), or its 32 bytes in base64.

    Raises:
        ConfigurationError: it is none, or the extra is not installed. The line does not show the key.
    """

    def __init__(self, key: Secret) -> None:
        library = _library(KEY_VARIABLE)
        try:
            self._key = _private(library, key)
        except Exception:  # its words may quote the key, and so may the chain of causes
            self._key = None
        if self._key is None:
            raise ConfigurationError(
                f"{KEY_VARIABLE}: is neither an unencrypted Ed25519 private key in PEM nor its 32 bytes in base64; "
                "make one with `openssl genpkey -algorithm ed25519`"
            )
        if len(set(self._key.private_bytes_raw())) == 1:
            raise ConfigurationError(
                f"{KEY_VARIABLE}: holds the same byte over and over, which anybody can guess; "
                "make one with `openssl genpkey -algorithm ed25519`"
            )

    @property
    def key_name(self) -> str:
        """SHA-256 of the public key."""
        return _name(self._key.public_key())

    def sign(self, payload: bytes) -> bytes:
        """The envelope's file for a statement; the same for the same statement."""
        return write_envelope(payload, self.key_name, self._key.sign(pre_authentication(payload)))


class EvidenceChecker:
    """
    Checks envelopes.

    Args:
        key: content of a file: an Ed25519 public key in PEM, or its 32 bytes in base64.
        where: what the key came from, for the message.

    Raises:
        ConfigurationError: it is none, or the extra is not installed.
    """

    def __init__(self, key: bytes, where: str) -> None:
        library = _library(where)
        try:
            self._key: Any = _public(library, key)
        except Exception:  # the library's errors are of many kinds
            self._key = None
        if self._key is None:
            raise ConfigurationError(
                f"{where}: is no Ed25519 public key in PEM, nor its 32 bytes in base64; "
                "`openssl pkey -in key.pem -pubout` gives the one of a private key"
            )

    def is_signed(self, envelope: Envelope) -> bool:
        """Whether any of its signatures is of this key."""
        return any(self._is_good(signature, envelope.payload) for _, signature in envelope.signatures)

    def is_named(self, envelope: Envelope) -> bool:
        """Whether any of its signatures says that it is of this key."""
        return any(name == _name(self._key) for name, _ in envelope.signatures)

    def _is_good(self, signature: bytes, payload: bytes) -> bool:
        from cryptography.exceptions import InvalidSignature

        try:
            self._key.verify(signature, pre_authentication(payload))
        except InvalidSignature:
            return False
        return True


def key_spellings(text: str) -> list[str]:
    """A private key's text, its pieces and its bytes, however they may be written: what may stand in no artefact."""
    lines = [line.strip() for line in text.split("\n") if line.strip() and not line.startswith("-----")]
    written = "".join(lines)
    texts = [one for one in dict.fromkeys((text.strip(), written, *lines)) if one]
    try:
        key = b64decode(written, validate=True)
    except ValueError:  # no key, which is told elsewhere
        return texts
    return list(key_forms(key[:_RAW_BYTES] if len(key) == _RAW_BYTES else key[_PKCS8_HEAD_BYTES:][:_RAW_BYTES], *texts))


def _library(where: str) -> ModuleType:
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise ConfigurationError(
            f"{where}: signatures need the extra `signing`; run `pip install 'soclab[signing]'`"
        ) from None
    return ed25519


def _private(ed25519: ModuleType, key: Secret) -> Any:
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    if not key.reveal().strip().startswith(_PEM):
        return ed25519.Ed25519PrivateKey.from_private_bytes(_raw(key.reveal()))
    loaded = load_pem_private_key(key.reveal().strip().encode("ascii"), None)
    return loaded if isinstance(loaded, ed25519.Ed25519PrivateKey) else None


def _public(ed25519: ModuleType, key: bytes) -> Any:
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    if not key.strip().startswith(_PEM.encode("ascii")):
        return ed25519.Ed25519PublicKey.from_public_bytes(_raw(key.decode("ascii")))
    loaded = load_pem_public_key(key.strip())
    return loaded if isinstance(loaded, ed25519.Ed25519PublicKey) else None


def _raw(text: str) -> bytes:
    """Raises ValueError when these are not 32 bytes in base64."""
    data = b64decode(text.strip(), validate=True)
    if len(data) != _RAW_BYTES or b64encode(data).decode("ascii") != text.strip():
        raise ValueError
    return data


def _name(public_key: Any) -> str:
    return hashlib.sha256(public_key.public_bytes_raw()).hexdigest()
