"""The request on its way out."""

from __future__ import annotations

import httpx

from soclab import __version__
from soclab.contracts.agent_v1 import CONTRACT_ID
from soclab.providers.http.connection import Delivery
from soclab.providers.http.reply_body import ACCEPTED_ENCODINGS
from soclab.providers.http.transport import DELIVERY
from soclab.redaction import Secret

__all__ = ["Outgoing"]

_FIXED = {
    "Content-Type": "application/json",
    "Accept": "application/json",
    "Accept-Encoding": ACCEPTED_ENCODINGS,
    "User-Agent": f"soclab/{__version__}",
    "X-Soclab-Contract": CONTRACT_ID,
}


class Outgoing:
    """Makes the requests of one agent. Its `repr` shows neither URL nor token."""

    def __init__(self, url: Secret, token: Secret | None, timeout_seconds: float) -> None:
        self._url = httpx.URL(url.reveal()).copy_with(fragment=None)
        self._token = token
        # Nothing in it but what transports of httpx's own want to see: the deadline of the call is the adapter's.
        self._timeout = httpx.Timeout(timeout_seconds).as_dict()

    def request(self, body: bytes, attempt: int, delivery: Delivery) -> httpx.Request:
        """
        Args:
            attempt: 1, or 2 for the retry.
            delivery: the transport writes down there what becomes of the request.
        """
        headers = _FIXED | {"X-Soclab-Attempt": str(attempt)}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token.reveal()}"
        extensions = {"timeout": self._timeout, DELIVERY: delivery}
        return httpx.Request("POST", self._url, headers=headers, content=body, extensions=extensions)
