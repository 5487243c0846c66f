"""Whose policy judges the calls of a campaign: the one that ships, a team's folder, or a team's OPA server."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

from soclab.assembly.environment import given
from soclab.assembly.settings import CampaignSettings
from soclab.contracts.vocabulary import Mode, PolicyOrigin
from soclab.errors import ConfigurationError
from soclab.policy.engine import PolicyEngine
from soclab.policy.engines import CedarEngine, OpaServerEngine
from soclab.policy.opa_address import URL as OPA_URL

__all__ = ["OPA_LIMIT_SECONDS", "OPA_URL", "ChosenPolicy", "chosen_policy", "policy_origin"]

OPA_LIMIT_SECONDS: Final = 2.0
"""For each answer of an OPA server."""
_CA_FILE, _CA_FOLDER = "SSL_CERT_FILE", "SSL_CERT_DIR"


class ChosenPolicy(NamedTuple):
    """The engine, and whose policy it judges by."""

    engine: PolicyEngine
    origin: PolicyOrigin


def chosen_policy(settings: CampaignSettings) -> ChosenPolicy:
    """
    The policy that the settings name, ready to judge. A server is asked whether it is, unless nothing will be judged.

    Raises:
        UsageError: two are named, a policy cannot be used, or the server cannot judge.
    """
    origin = policy_origin(settings)
    if origin is PolicyOrigin.SERVER:
        return ChosenPolicy(_server(settings), origin)
    if settings.policy_folder is not None:
        return ChosenPolicy(CedarEngine.of_folder(settings.policy_folder), origin)
    return ChosenPolicy(CedarEngine.shipped(), origin)


def policy_origin(settings: CampaignSettings) -> PolicyOrigin:
    """
    Raises:
        ConfigurationError: a folder and a server are named, and which one was meant cannot be known; or the variable of
            the server is empty.
    """
    named = given(settings.environment, OPA_URL) is not None
    if named and settings.policy_folder is not None:
        raise ConfigurationError(
            f"both {OPA_URL} and --soclab-policy {settings.policy_folder} name a policy: unset the one, or leave the "
            "other out"
        )
    if named:
        return PolicyOrigin.SERVER
    return PolicyOrigin.BUILT_IN if settings.policy_folder is None else PolicyOrigin.FOLDER


def _server(settings: CampaignSettings) -> OpaServerEngine:
    url = settings.environment[OPA_URL].strip()
    engine = OpaServerEngine(url, limit_seconds=OPA_LIMIT_SECONDS, tls=_tls(url, settings.environment))
    if settings.policy_version is not None:
        engine.version = settings.policy_version
    elif settings.mode is Mode.PROTECTED:
        with ThreadPoolExecutor(1) as apart:  # whoever calls may have an event loop of their own
            apart.submit(lambda: asyncio.run(engine.check())).result()
    return engine


def _tls(url: str, environment: Mapping[str, str]) -> ssl.SSLContext | None:
    """A team's own certificate authorities; None for the public ones."""
    file, folder = environment.get(_CA_FILE) or None, environment.get(_CA_FOLDER) or None
    if not url.lower().startswith("https:") or (file is None and folder is None):
        return None
    try:
        return ssl.create_default_context(cafile=file, capath=folder)
    except OSError:  # an ssl.SSLError is one
        raise ConfigurationError(
            f"{_CA_FILE} or {_CA_FOLDER}: it holds no certificates that can be read; give PEM files of your own CA"
        ) from None
