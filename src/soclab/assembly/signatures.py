"""Signs what a campaign wrote, and checks such a signature."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from soclab.contracts.evidence import Signature
from soclab.contracts.scorecard_v1 import Scorecard
from soclab.engine.journal import JOURNAL_NAME
from soclab.errors import ConfigurationError, OutputFolderError
from soclab.evidence.envelope import ENVELOPE_NAME, read_envelope, statement, subjects_of
from soclab.evidence.signing import EvidenceChecker, EvidenceSigner
from soclab.reports.writer import formats_of, write_file

__all__ = ["check_signature", "checker_of", "sign_folder"]

_LARGEST_KEY_BYTES = 1 << 16


def checker_of(path: Path) -> EvidenceChecker:
    """
    Raises:
        ConfigurationError: the file cannot be read or holds no public key.
    """
    where = f"--public-key {path}"
    try:
        with path.open("rb") as file:  # a device has no end; a longer one is no key
            return EvidenceChecker(file.read(_LARGEST_KEY_BYTES), where)
    except OSError as error:
        raise ConfigurationError(f"{where}: cannot be read: {error.strerror or error}; name a file") from error


def sign_folder(folder: Path, scorecard: Scorecard, signer: EvidenceSigner | None) -> None:
    """
    Write the signature beside the scorecard. Without a signer one that is of other files than these is taken away.

    Raises:
        OutputFolderError: the folder cannot be written.
    """
    path = folder / ENVELOPE_NAME
    try:
        if signer is None and not path.exists():
            return
        digests = {name: _digest_of(folder / name) for name in _subjects(scorecard)}
        if signer is None:
            if not _is_of(path.read_bytes(), digests):
                path.unlink()
            return
    except OSError as error:
        raise OutputFolderError(f"cannot sign {folder}: {error.strerror or error}; choose another folder") from error
    write_file(path, [signer.sign(statement(scorecard, digests))])


def _digest_of(path: Path) -> str:
    """SHA-256 of a file in hexadecimal, read in pieces: a journal may be larger than its whole campaign was."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _subjects(scorecard: Scorecard) -> tuple[str, ...]:
    """Every file that the campaign wrote, in whatever order they came to be."""
    return (JOURNAL_NAME, *formats_of(scorecard))


def _is_of(envelope: bytes, digests: Mapping[str, str]) -> bool:
    try:
        return subjects_of(read_envelope(envelope).payload) == digests
    except ValueError:
        return False


def check_signature(folder: Path, scorecard: Scorecard, checker: EvidenceChecker) -> tuple[Signature, str]:
    """
    What becomes of a folder's signature, and how that is known: one sentence, "" when it is good.

    Raises:
        OSError: a file cannot be read.
    """
    path = folder / ENVELOPE_NAME
    if not path.exists():
        return Signature.MISSING, "the campaign was not signed"
    try:
        envelope = read_envelope(path.read_bytes())
        subjects = subjects_of(envelope.payload)
    except ValueError as error:
        return Signature.MALFORMED, f"it holds {error}"
    if not checker.is_signed(envelope):
        if checker.is_named(envelope):
            return Signature.CHANGED, "its statement or its signature is not what this key signed"
        return Signature.WRONG_KEY, "it was not signed with this key"
    for name in _subjects(scorecard):
        if subjects.get(name) != _digest_of(folder / name):
            return Signature.CHANGED, f"{name} is not the file that was signed"
    return Signature.GOOD, ""
