"""The request on its way out."""

from __future__ import annotations

from typing import Final

from soclab import __version__
from soclab.contracts.agent_v1 import CONTRACT_ID
from soclab.providers.http.client_library import httpx
from soclab.providers.http.connection import Delivery
from soclab.providers.http.reply_body import ACCEPTED_ENCODINGS
from soclab.providers.http.transport import DELIVERY
from soclab.redaction import Secret

__all__ = ["Outgoing"]

_FIXED: Final = (
    (b"Content-Type", b"application/json"),
    (b"Accept", b"application/json"),
    (b"Accept-Encoding", ACCEPTED_ENCODINGS.encode("ascii")),
    (b"User-Agent", f"soclab/{__version__}".encode("ascii")),
    (b"X-Soclab-Contract", CONTRACT_ID.encode("ascii")),
)


class Outgoing:
    """Makes the requests of one agent. Its `repr` shows neither URL nor token."""

    def __init__(self, url: Secret, token: Secret | None, timeout_seconds: float) -> None:
        self._url = httpx.URL(url.reveal()).copy_with(fragment=None)
        self._head = ((b"Host", self._url.netloc), *_FIXED)
        self._token = token
        # Nothing in it but what transports of httpx's own want to see: the deadline of the call is the adapter's.
        self._timeout = httpx.Timeout(timeout_seconds).as_dict()

    def request(self, body: bytes, attempt: int, delivery: Delivery) -> httpx.Request:
        """
        Args:
            attempt: 1, or 2 for the retry.
            delivery: the transport writes down there what becomes of the request.
        """
        headers = [*self._head, (b"X-Soclab-Attempt", b"%d" % attempt)]
        if self._token is not None:
            headers.append((b"Authorization", f"Bearer {self._token.reveal()}".encode("ascii")))
        headers.append((b"Content-Length", b"%d" % len(body)))
        extensions = {"timeout": self._timeout, DELIVERY: delivery}
        # A body that is given as a stream leaves the header fields as they are; httpx works them out anew otherwise.
        stream = httpx.ByteStream(body)
        request = httpx.Request("POST", self._url, headers=headers, stream=stream, extensions=extensions)
        request.read()
        return request
