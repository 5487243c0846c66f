"""The signature over what a campaign wrote."""

from __future__ import annotations

import tracemalloc
from base64 import b64encode
from pathlib import Path

from soclab.assembly.signatures import sign_folder
from soclab.evidence.envelope import ENVELOPE_NAME
from soclab.evidence.signing import EvidenceSigner
from soclab.redaction import Secret
from tests.unit.engine.campaigns import finished

LARGE_BYTES = 1 << 23
KEY = b64encode(bytes(range(32))).decode("ascii")


def test_a_journal_is_not_read_at_once(tmp_path: Path) -> None:
    """It may be larger than all that its campaign ever held; it is hashed in pieces, with and without a signer."""
    result = finished(tmp_path)
    with (result.folder / "journal.jsonl").open("ab") as journal:
        journal.truncate(LARGE_BYTES)
    for signer in (EvidenceSigner(Secret(KEY)), None):
        tracemalloc.start()
        try:
            sign_folder(result.folder, result.scorecard, signer)
            _, peak_bytes = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()

        assert peak_bytes < LARGE_BYTES / 4
        assert (result.folder / ENVELOPE_NAME).exists()
