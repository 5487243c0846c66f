"""A team's own OPA server, asked over its Data API for every call. What it does not clearly allow is denied."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import httpx

from soclab.canonical_json import encode_bytes, sha256_hex
from soclab.contracts.policy import PolicyDecision, PolicyFacts, ToolFacts
from soclab.contracts.vocabulary import Risk
from soclab.errors import PolicyError
from soclab.policy.engine import NO_DECISION, UNAVAILABLE, UNKNOWN_VERSION, faulty
from soclab.policy.opa_address import URL, OpaAddress
from soclab.policy.opa_answer import NotADecision, read_answer, told_revision
from soclab.strict_json import InvalidJson, decode

__all__ = ["LIMIT_SECONDS", "OpaServerEngine"]

LIMIT_SECONDS: Final = 2.0
_MOST_BYTES: Final = 1 << 16
_MOST_POLICY_BYTES: Final = 1 << 24
_HEADERS: Final = (("Content-Type", "application/json"), ("Accept-Encoding", "identity"))
_PROBE: Final = PolicyFacts(
    tool=ToolFacts(name="get_identity_profile", known=True, reads=True, risk=Risk.NONE, reversible=True, closes=False)
)


class _Unusable(Exception):
    """Our own words for why there is no answer."""


class OpaServerEngine:
    """
    One question at a time, each over a connection of its own and with its time limit: on a kept one, an answer that a
    server or a proxy sent too much would be taken for the next. No redirect is followed, no proxy is used.

    Args:
        url: as `OpaAddress.of` takes it.
        limit_seconds: for each question, from its first byte to the last of the answer.
        tls: checks the server of an https URL; None for the public authorities.

    Raises:
        ConfigurationError: the URL cannot be used.
    """

    def __init__(self, url: str, *, limit_seconds: float = LIMIT_SECONDS, tls: ssl.SSLContext | None = None) -> None:
        self.version = UNKNOWN_VERSION
        self.reasons: Final[Mapping[str, str]] = MappingProxyType({})
        self._address = OpaAddress.of(url)
        self._limit_seconds = limit_seconds
        self._tls = tls
        self._turn = asyncio.Lock()
        self._connection: httpx.AsyncHTTPTransport | None = None

    async def check(self) -> None:
        """
        Whether the server is healthy and answers with decisions; learns the version of its policy.

        Raises:
            PolicyError: it is not; one line with the URL.
        """
        try:
            await self._ask("GET", self._address.health)
            answer = await self._probe()
        except _Unusable as error:
            raise self._error(str(error), "start the server") from None
        finally:
            await self.aclose()  # the campaign has an event loop of its own
        found = read_answer(answer)
        if found.fault:
            raise self._error(found.fault, "load a policy package into it")
        self.version = await self._version(answer)

    async def decide(self, facts: PolicyFacts) -> PolicyDecision:
        """The server's answer. No answer in time, another status than 200, or no decision: denied."""
        try:
            question = _question(facts)
        except ValueError:  # a text that is no Unicode
            return faulty(NO_DECISION, "the facts cannot be written as JSON")
        try:
            return read_answer(await self._ask("POST", self._address.decision, question))
        except _Unusable as error:
            return faulty(UNAVAILABLE, f"OPA: {error}")

    async def version_now(self) -> str:
        """Asked of the server anew."""
        try:
            return await self._version(await self._probe())
        except _Unusable:
            return UNKNOWN_VERSION

    async def aclose(self) -> None:
        """Close the connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.aclose()

    async def _probe(self) -> bytes:
        return await self._ask("POST", f"{self._address.decision}?provenance=true", _question(_PROBE))

    async def _version(self, answer: bytes) -> str:
        """Of the bundles' revisions, or of the policies' texts where the server lists them."""
        try:
            told = told_revision(answer) or await self._policies()
        except (NotADecision, InvalidJson, _Unusable):
            told = None
        finally:
            await self.aclose()
        return sha256_hex(encode_bytes(told)) if told else UNKNOWN_VERSION

    async def _policies(self) -> object:
        listed = decode(await self._ask("GET", self._address.policies, most_bytes=_MOST_POLICY_BYTES))
        policies = listed.get("result") if isinstance(listed, dict) else None
        found = policies if isinstance(policies, list) else []
        return sorted([str(one.get("id")), str(one.get("raw"))] for one in found if isinstance(one, dict))

    async def _ask(self, method: str, url: str, question: bytes | None = None, most_bytes: int = _MOST_BYTES) -> bytes:
        """
        The body of an answer with status 200.

        Raises:
            _Unusable: there is none.
        """
        async with self._turn:
            try:
                async with asyncio.timeout(self._limit_seconds):
                    return await self._exchange(
                        httpx.Request(method, url, headers=_HEADERS, content=question), most_bytes
                    )
            except TimeoutError:
                await self.aclose()
                raise _Unusable(f"no answer within {self._limit_seconds:g} s") from None

    async def _exchange(self, request: httpx.Request, most_bytes: int) -> bytes:
        """Once more when the connection broke: asking changes nothing."""
        try:
            return await self._once(request, most_bytes)
        except httpx.TransportError:
            await self.aclose()
        try:
            return await self._once(request, most_bytes)
        except httpx.TransportError as error:
            await self.aclose()
            raise _Unusable(f"cannot be reached or breaks off ({type(error).__name__})") from None

    async def _once(self, request: httpx.Request, most_bytes: int) -> bytes:
        connection = self._connection = self._connection or self._open()
        response = await connection.handle_async_request(request)
        try:
            if response.status_code != httpx.codes.OK:
                raise _Unusable(f"answers with status {response.status_code}")
            if response.headers.get("Content-Encoding", "identity") != "identity":
                raise _Unusable("answers compressed, which nobody asked for")
            body = bytearray()
            async for piece in response.aiter_raw():
                body += piece
                if len(body) > most_bytes:
                    raise _Unusable(f"answers with more than {most_bytes} bytes")
            return bytes(body)
        finally:
            await response.aclose()

    def _open(self) -> httpx.AsyncHTTPTransport:
        one = httpx.Limits(max_connections=1, max_keepalive_connections=0)  # what came too much answers no question
        checks = (self._tls or httpx.create_ssl_context(trust_env=False)) if self._address.is_secure else False
        return httpx.AsyncHTTPTransport(verify=checks, limits=one, trust_env=False)

    def _error(self, why: str, hint: str) -> PolicyError:
        where = self._address.decision
        return PolicyError(f"{URL}: {where}: {why}; {hint} (docs/policy.md says how), or unset {URL}")


def _question(facts: PolicyFacts) -> bytes:
    return b'{"input":' + facts.model_dump_json(exclude_none=True).encode() + b"}"
