"""The body of a reply as it comes in: decompressed piece by piece, never beyond its cap."""

from __future__ import annotations

import zlib

from soclab.contracts.vocabulary import ErrorCode

__all__ = ["ACCEPTED_ENCODINGS", "ReplyBody"]

ACCEPTED_ENCODINGS = "gzip, deflate"
"""What can be unpacked piece by piece with the standard library, so that a bomb stops at the cap."""

_GZIP, _ZLIB, _RAW_DEFLATE = 16 + zlib.MAX_WBITS, zlib.MAX_WBITS, -zlib.MAX_WBITS
_CompressedBits = {"gzip": _GZIP, "x-gzip": _GZIP, "deflate": _ZLIB}


class ReplyBody:
    """
    Collects a body.

    Attributes:
        data: decompressed bytes so far; at most the cap.
        fault: (code, one line) once something is wrong with it; then nothing more is taken.
    """

    def __init__(self, most_bytes: int, content_encoding: str = "") -> None:
        """
        Args:
            content_encoding: the header's value; untrusted.
        """
        self.data = bytearray()
        self.fault: tuple[ErrorCode, str] | None = None
        self._most = most_bytes
        self._is_packed = False
        encoding = content_encoding.strip().lower()
        if encoding in _CompressedBits:
            self._bits = _CompressedBits[encoding]
            self._inflater = zlib.decompressobj(self._bits)
            self._is_packed = True
        elif encoding not in ("", "identity"):
            self.fail(ErrorCode.INVALID_JSON, "the body has a content encoding that was not asked for")

    def feed(self, chunk: bytes) -> bool:
        """Take in bytes as they came; False when no more are wanted."""
        if self.fault is None and chunk:
            if self._is_packed:
                self._inflate(chunk)
            else:
                self._keep(chunk)
        return self.fault is None

    def end(self) -> None:
        """The body is complete as far as HTTP knows."""
        if self._is_packed and self.fault is None and not self._inflater.eof and self.data:
            self.fail(ErrorCode.TRUNCATED, "the compressed body ended too early")

    def fail(self, code: ErrorCode, detail: str) -> None:
        """Note what is wrong; the first fault stays."""
        if self.fault is None:
            self.fault = (code, detail)

    def _keep(self, chunk: bytes) -> None:
        room = self._most - len(self.data)
        self.data += chunk[:room]
        if len(chunk) > room:
            self.fail(ErrorCode.REPLY_TOO_LARGE, f"the body has more than {self._most} bytes")

    def _inflate(self, chunk: bytes) -> None:
        while chunk and self.fault is None:
            if self._inflater.eof:  # gzip may have several members, one after the other
                self._inflater = zlib.decompressobj(self._bits)
            try:
                self._keep(self._inflater.decompress(chunk, self._most - len(self.data) + 1))
            except zlib.error:
                if self._bits == _ZLIB and not self.data:  # "deflate" without the zlib head, as many servers send it
                    self._bits = _RAW_DEFLATE
                    self._inflater = zlib.decompressobj(self._bits)
                    continue
                self.fail(ErrorCode.INVALID_JSON, "the body is not compressed as its header says")
                return
            chunk = self._inflater.unused_data if self._inflater.eof else self._inflater.unconsumed_tail
