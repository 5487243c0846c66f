"""Where a team's OPA server is asked, from the URL that names it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, urlsplit

from soclab.errors import ConfigurationError

__all__ = ["URL", "OpaAddress"]

URL: Final = "SOCLAB_OPA_URL"
_EXAMPLE: Final = "for example http://127.0.0.1:8181"
_DATA: Final = "/v1/data/"
_DECISION: Final = f"{_DATA}soclab/decision"
_NOT_IN_URLS: Final = re.compile(r"[^\x21-\x7e]|\\")


@dataclass(frozen=True)
class OpaAddress:
    """
    Attributes:
        decision: URL of the rule that decides.
        health: of the server's health check, which also waits for its bundles.
        policies: of the list of its policies.
    """

    decision: str
    health: str
    policies: str

    @classmethod
    def of(cls, url: str) -> OpaAddress:
        """
        Args:
            url: of the server, whose rule is `data.soclab.decision` then, or of another rule of its Data API.

        Raises:
            ConfigurationError: it cannot be used; one line that names the variable.
        """
        parts = _parts(url)
        path = parts.path.rstrip("/")
        if path and not re.search(rf"{_DATA}[^/]", path):
            raise ConfigurationError(f"{URL}: its path must be a rule of the Data API, {_DATA}PACKAGE/RULE, or none")
        server, _, rule = path.partition(_DATA)
        base = parts._replace(path=server).geturl()
        return cls(
            decision=f"{base}{_DATA}{rule}" if rule else f"{base}{_DECISION}",
            health=f"{base}/health?bundles",
            policies=f"{base}/v1/policies",
        )

    @property
    def is_secure(self) -> bool:
        return self.decision.lower().startswith("https:")


def _parts(url: str) -> SplitResult:
    if _NOT_IN_URLS.search(url):
        raise ConfigurationError(f"{URL}: it holds a blank, a backslash or no plain ASCII; give a plain URL")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ConfigurationError(f"{URL}: host or port cannot be read; write it {_EXAMPLE}") from None
    if parts.scheme not in ("http", "https"):
        raise ConfigurationError(f"{URL}: it must begin with http:// or https://, {_EXAMPLE}")
    if "@" in parts.netloc:
        raise ConfigurationError(f"{URL}: no user or password may stand in it; give host, port and path only")
    if not parts.hostname or port == 0 or parts.netloc.endswith(":"):
        raise ConfigurationError(f"{URL}: it names no host or no port; write it {_EXAMPLE}")
    if parts.query or parts.fragment:
        raise ConfigurationError(f"{URL}: no query and no fragment may stand in it; give host, port and path only")
    return parts
