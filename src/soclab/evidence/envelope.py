"""
The signed statement about a campaign's files: an in-toto statement in a DSSE envelope (`evidence.dsse.json`).

Both are published formats, so that other tools can check them. Nothing here knows a key.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from soclab.canonical_json import encode_bytes
from soclab.contracts.scorecard_v1 import Scorecard

__all__ = [
    "ENVELOPE_NAME",
    "Envelope",
    "pre_authentication",
    "read_envelope",
    "statement",
    "subjects_of",
    "write_envelope",
]

ENVELOPE_NAME: Final = "evidence.dsse.json"
_PAYLOAD_TYPE: Final = "application/vnd.in-toto+json"
_STATEMENT_TYPE: Final = "https://in-toto.io/Statement/v1"
_PREDICATE_TYPE: Final = "urn:soclab:evidence:v1"


@dataclass(frozen=True)
class Envelope:
    """
    Attributes:
        payload: the statement's bytes, as they were signed.
        signatures: (name of the key, signature); the name is a hint and proves nothing.
    """

    payload: bytes
    signatures: tuple[tuple[str, bytes], ...]


def statement(scorecard: Scorecard, digests: Mapping[str, str]) -> bytes:
    """
    What is signed: canonical JSON.

    Args:
        digests: file name -> SHA-256 of its bytes, in hexadecimal.
    """
    evidence = scorecard.evidence
    return encode_bytes(
        {
            "_type": _STATEMENT_TYPE,
            "subject": [{"name": name, "digest": {"sha256": digest}} for name, digest in sorted(digests.items())],
            "predicateType": _PREDICATE_TYPE,
            "predicate": {
                "campaign_id": scorecard.campaign_id,
                "mode": scorecard.mode.value,
                "pack_sha256": scorecard.pack.sha256,
                "policy_version": scorecard.policy_version,
                "soclab_version": scorecard.soclab_version,
                "journal_lines": evidence.journal_lines,
                "journal_root": evidence.journal_root,
                "all_valid": evidence.all_valid,
                "roots": evidence.roots,
            },
        }
    )


def subjects_of(payload: bytes) -> dict[str, str]:
    """
    File name -> SHA-256, as a statement of ours says them.

    Raises:
        ValueError: it is no such statement.
    """
    try:
        said = json.loads(payload)
        is_ours = said["_type"] == _STATEMENT_TYPE and said["predicateType"] == _PREDICATE_TYPE
        found = {str(one["name"]): str(one["digest"]["sha256"]) for one in said["subject"]}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError("no in-toto statement") from error
    if not is_ours or not found:
        raise ValueError("a statement of another type")
    return found


def pre_authentication(payload: bytes) -> bytes:
    """The bytes that a DSSE signature covers."""
    kind = _PAYLOAD_TYPE.encode("ascii")
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


def write_envelope(payload: bytes, key_name: str, signature: bytes) -> bytes:
    """The envelope's file, canonical JSON."""
    signed = {"keyid": key_name, "sig": b64encode(signature).decode("ascii")}
    payload_text = b64encode(payload).decode("ascii")
    return encode_bytes({"payload": payload_text, "payloadType": _PAYLOAD_TYPE, "signatures": [signed]}) + b"\n"


def read_envelope(data: bytes) -> Envelope:
    """
    Raises:
        ValueError: it is no DSSE envelope with an in-toto payload.
    """
    try:
        said: Any = json.loads(data)
        if said["payloadType"] != _PAYLOAD_TYPE:
            raise ValueError("a payload of another type")
        signatures = tuple((str(one.get("keyid", "")), _bytes(one["sig"])) for one in said["signatures"])
        return Envelope(_bytes(said["payload"]), signatures)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError("no DSSE envelope") from error


def _bytes(text: str) -> bytes:
    return b64decode(text, validate=True)
