"""
`journal.jsonl`: one line per event, written as things happen, chained.

A line is `{"at", "beside", "event", "kind", "prev", "run", "seq"}` in that order, ASCII only. `event` is what
evidence is made of (no times); `beside` holds times and latencies. Fields named `raw_*` hold the agent's or the
world's text as it was: only they may hold canaries. The agent's token is replaced before anything is written.
"""

from __future__ import annotations

import threading
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from soclab.canonical_json import encode
from soclab.clock import Clock
from soclab.errors import OutputFolderError
from soclab.evidence.ledger import GENESIS, line_hash
from soclab.evidence.verify import Verification
from soclab.redaction import Secrets

__all__ = ["JOURNAL_NAME", "Journal"]

JOURNAL_NAME = "journal.jsonl"


class Journal:
    """
    An open journal, written to at its end; use as a context manager or call `close`.

    Make one with `Journal.create` or `Journal.resume`.

    Attributes:
        broken: why nothing can be written any more, one line with what to do; None while it holds. What stands
            in the file then may end in a torn line, and nothing is ever written behind it.
    """

    def __init__(self, path: Path, file: FileIO, previous: str, seq: int, secrets: Secrets, clock: Clock) -> None:
        self.path = path
        self._file = file
        self._previous = previous
        self._seq = seq
        self._secrets = secrets
        self._clock = clock
        self._writer: int | None = None
        self.broken: str | None = None

    @classmethod
    def create(cls, path: Path, secrets: Secrets, clock: Clock) -> Journal:
        """
        A new journal.

        Raises:
            OutputFolderError: the file exists already or cannot be created.
        """
        return cls(path, _opened(path, "xb"), GENESIS, 0, secrets, clock)

    @classmethod
    def resume(cls, path: Path, seen: Verification, secrets: Secrets, clock: Clock) -> Journal:
        """
        A journal taken up again after its last whole line. A torn line behind that is ended, and named by its hash.

        Args:
            seen: of this file, as it is now.

        Raises:
            OutputFolderError: the file cannot be written.
        """
        torn = seen.torn_tail
        journal = cls(path, _opened(path, "ab"), seen.last_hash, seen.next_seq, secrets, clock)
        if torn:
            journal._file.write(b"\n")
        journal.append("campaign_resumed", beside={"torn_sha256": line_hash(torn) if torn else None})
        return journal

    def event_bytes(self, event: dict[str, Any]) -> bytes:
        """An event's canonical JSON, with the agent's token replaced: what both chains see."""
        return self._encoded(event).encode("ascii")

    def mask(self, text: str) -> str:
        """The text without the agent's token: for what is cut before it is written."""
        return self._secrets.mask(text)

    def append(
        self,
        kind: str,
        *,
        run_id: str | None = None,
        event: bytes | None = None,
        beside: dict[str, Any] | None = None,
    ) -> None:
        """
        Write one line and hand it to the operating system.

        After `hand_over` a line that cannot be written is missing, and only `broken` says so.

        Raises:
            RuntimeError: another thread has taken the journal over.
            OutputFolderError: the disk is full, or the file cannot be written for another reason.
        """
        if self._writer not in (None, threading.get_ident()):
            raise RuntimeError("the campaign has ended: its journal is another thread's")
        at = self._clock.now().isoformat(timespec="microseconds")
        aside = self._encoded(beside or {})
        body = event.decode("ascii") if event is not None else "null"
        run = f'"{run_id}"' if run_id is not None else "null"
        line = (
            f'{{"at":"{at}","beside":{aside},"event":{body},"kind":"{kind}",'
            f'"prev":"{self._previous}","run":{run},"seq":{self._seq}}}'
        ).encode("ascii")
        if self._written(line + b"\n"):
            self._previous = line_hash(line)
            self._seq += 1
        elif self._writer is None:
            raise OutputFolderError(self.broken)

    def _written(self, data: bytes) -> bool:
        """Whether all of it stands in the file; the first failure is the last attempt."""
        try:
            while self.broken is None and data:
                data = data[self._file.write(data) or 0 :]
        except OSError as error:
            self.broken = (
                f"cannot write {self.path}: {error.strerror or error}; make room, then go on with "
                f"--soclab-resume {self.path.parent}"
            )
        return self.broken is None

    def _encoded(self, value: dict[str, Any]) -> str:
        """Values are masked, never the encoded text: a token such as `1` would tear the line apart."""
        text = encode(value)
        return encode(self._secrets.mask_json(value)) if self._secrets.may_be_in(text) else text

    def hand_over(self) -> None:
        """The engine has ended. Only the calling thread may write now: one that was given up may come back."""
        self._writer = threading.get_ident()

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _opened(path: Path, mode: Literal["xb", "ab"]) -> FileIO:
    try:
        return path.open(mode, buffering=0)
    except OSError as error:
        raise OutputFolderError(
            f"cannot write {path}: {error.strerror or error}; choose another folder with --soclab-out"
        ) from error
