"""What the environment says about an HTTP agent. Every complaint names the variable and shows no value."""

from __future__ import annotations

import math
import os
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from soclab.errors import ConfigurationError
from soclab.providers.http.client_library import httpx
from soclab.redaction import Secret, Secrets

__all__ = [
    "CA_FILE",
    "CA_FOLDER",
    "DEFAULT_MAX_REPLY_BYTES",
    "DEFAULT_TIMEOUT_SECONDS",
    "MAX_REPLY_BYTES",
    "TIMEOUT",
    "TOKEN",
    "URL",
    "HttpSettings",
]

URL = "SOCLAB_HTTP_AGENT_URL"
TOKEN = "SOCLAB_HTTP_AGENT_TOKEN"  # the name of the variable, no secret
TIMEOUT = "SOCLAB_HTTP_AGENT_TIMEOUT_SECONDS"
MAX_REPLY_BYTES = "SOCLAB_HTTP_AGENT_MAX_REPLY_BYTES"
CA_FILE = "SSL_CERT_FILE"
CA_FOLDER = "SSL_CERT_DIR"

DEFAULT_TIMEOUT_SECONDS = 30.0
DEFAULT_MAX_REPLY_BYTES = 1 << 20

_EXAMPLE = "for example http://127.0.0.1:8765/agent"
_SHORT_TOKEN = 8
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?\Z")
_WHOLE = re.compile(r"[0-9]{1,12}\Z")
_NOT_IN_URLS = re.compile(r"[\x00-\x20\x7f-\x9f\\]")
_NOT_IN_TOKENS = re.compile(r"[^\x20-\x7e]")


@dataclass(frozen=True)
class HttpSettings:
    """
    How to reach one agent. Its `repr` shows neither token nor query values.

    Attributes:
        url: whole, query values included.
        shown_url: for people, query values masked.
        timeout_seconds: for a whole call, retries included.
        max_reply_bytes: most bytes of a reply's body after decompression.
        from_variables: the agent's owner set environment variables, so that advice may name them.
        warnings: one line each, for people.
    """

    url: Secret
    shown_url: str
    token: Secret | None = None
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    max_reply_bytes: int = DEFAULT_MAX_REPLY_BYTES
    ca_file: str | None = None
    ca_folder: str | None = None
    from_variables: bool = False
    warnings: tuple[str, ...] = ()

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> HttpSettings:
        """
        Raises:
            ConfigurationError: a variable is missing or cannot be used; one line that names it.
        """
        url = environment.get(URL, "")
        parts = _url_parts(url)
        token = environment.get(TOKEN)
        return cls(
            url=Secret(url),
            shown_url=_shown(parts),
            token=_token(token),
            timeout_seconds=_timeout(environment.get(TIMEOUT)),
            max_reply_bytes=_max_reply_bytes(environment.get(MAX_REPLY_BYTES)),
            ca_file=environment.get(CA_FILE) or None,
            ca_folder=environment.get(CA_FOLDER) or None,
            from_variables=True,
            warnings=_warnings(token or ""),
        )

    @property
    def secrets(self) -> Secrets:
        """What no detail of an answer may hold."""
        return Secrets([self.token] if self.token else [])

    def ssl_context(self) -> ssl.SSLContext | None:
        """
        One context for all connections; None for a plain http URL. Certificates are always checked.

        Raises:
            ConfigurationError: the private CA cannot be read.
        """
        if not self.shown_url.lower().startswith("https:"):
            return None
        if self.ca_file is None and self.ca_folder is None:
            return httpx.create_ssl_context(trust_env=False)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        if self.ca_file is not None:
            _load(context, CA_FILE, cafile=self.ca_file)
        for folder in (self.ca_folder or "").split(os.pathsep):
            if folder:
                if not os.path.isdir(folder):
                    raise ConfigurationError(f"{CA_FOLDER}: it names no folder; give folders of hashed certificates")
                _load(context, CA_FOLDER, capath=folder)
        return context


def _url_parts(url: str) -> SplitResult:
    if not url:
        raise ConfigurationError(f"{URL} is not set: give the agent's URL, {_EXAMPLE}")
    if _NOT_IN_URLS.search(url):
        raise ConfigurationError(f"{URL}: it holds a blank, a control character or a backslash; give a plain URL")
    try:
        parts = urlsplit(url)
        port = parts.port
        httpx.URL(url)
    except (ValueError, httpx.InvalidURL):
        raise ConfigurationError(f"{URL}: host or port cannot be read; write it {_EXAMPLE}") from None
    if parts.scheme not in ("http", "https"):
        raise ConfigurationError(f"{URL}: it must begin with http:// or https://, {_EXAMPLE}")
    if "@" in parts.netloc:
        raise ConfigurationError(f"{URL}: no user or password may stand in it; give the token in {TOKEN}")
    if not parts.hostname:
        raise ConfigurationError(f"{URL}: it names no host; write it {_EXAMPLE}")
    if port == 0 or parts.netloc.endswith(":"):
        raise ConfigurationError(f"{URL}: the port must be 1 to 65535, or left out with its colon")
    return parts


def _shown(parts: SplitResult) -> str:
    """The URL with each query value as `***`; a query without `=` is a value as a whole. No fragment."""
    pairs = [f"{pair.split('=', 1)[0]}=***" if "=" in pair else "***" for pair in parts.query.split("&")]
    return parts._replace(query="&".join(pairs) if parts.query else "", fragment="").geturl()


def _token(token: str | None) -> Secret | None:
    if token is None:
        return None
    if not token.strip():
        raise ConfigurationError(f"{TOKEN}: it is set and empty; give the token, or unset it")
    if token != token.strip():
        raise ConfigurationError(f"{TOKEN}: it begins or ends with a blank; give the token alone")
    if _NOT_IN_TOKENS.search(token):
        raise ConfigurationError(f"{TOKEN}: it holds a control or non-ASCII character; give printable ASCII")
    return Secret(token)


def _timeout(text: str | None) -> float:
    if text is None:
        return DEFAULT_TIMEOUT_SECONDS
    seconds = float(text) if _NUMBER.match(text) else 0.0
    if not 0.0 < seconds < math.inf:
        raise ConfigurationError(f"{TIMEOUT}: it must be a number of seconds greater than zero, for example 30")
    return seconds


def _max_reply_bytes(text: str | None) -> int:
    if text is None:
        return DEFAULT_MAX_REPLY_BYTES
    size = int(text) if _WHOLE.match(text) else 0
    if size < 1:
        raise ConfigurationError(f"{MAX_REPLY_BYTES}: it must be a whole number greater than zero, for example 1048576")
    return size


def _warnings(token: str) -> tuple[str, ...]:
    if 0 < len(token) < _SHORT_TOKEN:
        return (f"{TOKEN} has fewer than {_SHORT_TOKEN} characters: it is masked in values only, give a longer one",)
    return ()


def _load(context: ssl.SSLContext, variable: str, *, cafile: str | None = None, capath: str | None = None) -> None:
    try:
        context.load_verify_locations(cafile=cafile, capath=capath)
    except (OSError, ssl.SSLError) as error:
        what = "it holds no certificate" if isinstance(error, ssl.SSLError) else "it cannot be read"
        raise ConfigurationError(f"{variable}: {what}; give PEM certificates of your own CA") from None
