"""
The agents that can be named on a command line: ours, and those that other packages register.

A third party's entry point in the group `soclab.providers` names a `ProviderEntry`, or a function without arguments
that returns one. Nothing of theirs is imported until somebody lists the providers or asks for an id that is not ours.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, Literal

from soclab.contracts.provider import ModelProvider, ProviderCapabilities
from soclab.errors import ConfigurationError, UnknownNameError, UsageError
from soclab.redaction import clean

__all__ = [
    "ENTRY_POINT_GROUP",
    "PROVIDERS",
    "EnvironmentVariable",
    "ProviderEntry",
    "build",
    "check",
    "entry",
    "listed",
    "missing_variables",
    "provider_ids",
]

ENTRY_POINT_GROUP: Final = "soclab.providers"

_STRUCTURED_ONLY: Final = ProviderCapabilities()

Build = Callable[[Mapping[str, str], str | None], ModelProvider]
Validation = Literal[
    "deterministic",
    "contract tests against constructed fixtures",
    "contract tests against recorded fixtures",
    "live validated",
    "not stated",
]


@dataclass(frozen=True)
class EnvironmentVariable:
    """A variable that a provider reads."""

    name: str
    meaning: str
    required: bool = False


@dataclass(frozen=True)
class ProviderEntry:
    """
    One agent's adapter.

    Attributes:
        id: what `--provider` takes.
        factory: `build(environment, model) -> ModelProvider`, or `package.module:name` of one, imported when used.
            It raises ConfigurationError for what it cannot use and makes no request.
        validation: how far the adapter was tried against the real thing, as its author says.
        isolation: whether the agent runs behind HTTP or in this process.
        answers_freely: False for the one whose replies are forced; it runs guard scenarios only.
    """

    id: str
    summary: str
    factory: str | Build
    environment: tuple[EnvironmentVariable, ...] = ()
    capabilities: ProviderCapabilities = _STRUCTURED_ONLY
    adapter_version: str = "1"
    validation: Validation = "not stated"
    isolation: Literal["http", "in_process"] = "in_process"
    answers_freely: bool = True


PROVIDERS: Final[dict[str, ProviderEntry]] = {
    one.id: one
    for one in (
        ProviderEntry(
            id="http",
            summary="an agent behind a URL that speaks soclab.agent.v1",
            factory="soclab.providers.http.adapter:build",
            environment=(
                EnvironmentVariable("SOCLAB_HTTP_AGENT_URL", "absolute http or https URL of the agent", required=True),
                EnvironmentVariable("SOCLAB_HTTP_AGENT_TOKEN", "sent as Authorization: Bearer"),
                EnvironmentVariable("SOCLAB_HTTP_AGENT_TIMEOUT_SECONDS", "for a whole call, default 30"),
                EnvironmentVariable("SOCLAB_HTTP_AGENT_MAX_REPLY_BYTES", "most bytes of a reply, default 1048576"),
                EnvironmentVariable("SSL_CERT_FILE", "PEM file of a private CA"),
                EnvironmentVariable("SSL_CERT_DIR", "folder of hashed certificates of a private CA"),
            ),
            capabilities=ProviderCapabilities(usage_reporting=True),
            validation="contract tests against constructed fixtures",
            isolation="http",
        ),
        ProviderEntry(
            id="reference",
            summary="rule-based agent that decides from platform fields only; needs no set-up",
            factory="soclab.providers.reference:build",
            validation="deterministic",
        ),
        ProviderEntry(
            id="gullible",
            summary="agent that believes whatever it reads; shows what a compromise looks like",
            factory="soclab.providers.gullible:build",
            validation="deterministic",
        ),
        ProviderEntry(
            id="scripted",
            summary="replays the replies that a guard scenario forces",
            factory="soclab.providers.scripted:build",
            validation="deterministic",
            answers_freely=False,
        ),
    )
}
"""The providers that ship, in the order of `soclab providers`."""


def provider_ids() -> tuple[str, ...]:
    """Ids of the providers that ship, in order."""
    return tuple(PROVIDERS)


def listed(points: Iterable[EntryPoint] | None = None) -> tuple[tuple[ProviderEntry, ...], tuple[str, ...]]:
    """
    Every provider there is: ours, then the others by id.

    Args:
        points: entry points of the group; None asks the installation.

    Returns:
        (entries, complaints): one line for each entry point that cannot be used.
    """
    entries = dict(PROVIDERS)
    complaints: list[str] = []
    ours = len(entries)
    for point in sorted(entry_points(group=ENTRY_POINT_GROUP) if points is None else points, key=lambda p: p.name):
        try:
            found = _loaded(point)
            if found.id in entries:
                raise UsageError(f"the id {found.id!a} is taken")
        except Exception as error:  # another package may fail in any way; it must not take the list down
            complaints.append(_complaint(point, error))
        else:
            entries[found.id] = found
    known = list(entries.values())
    return (*known[:ours], *sorted(known[ours:], key=lambda one: one.id)), tuple(complaints)


def entry(provider_id: str, points: Iterable[EntryPoint] | None = None) -> ProviderEntry:
    """
    Raises:
        UnknownNameError: no such id; names those there are, and the entry points that could not be used.
    """
    if provider_id in PROVIDERS:
        return PROVIDERS[provider_id]
    entries, complaints = listed(points)
    for one in entries:
        if one.id == provider_id:
            return one
    raise UnknownNameError("provider", provider_id, [one.id for one in entries], "; ".join(complaints))


def missing_variables(one: ProviderEntry, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Names of the required variables that are not set or empty; () means configured."""
    return tuple(each.name for each in one.environment if each.required and not environment.get(each.name))


def check(one: ProviderEntry, environment: Mapping[str, str]) -> tuple[str, ...]:
    """
    Find out whether the provider can be built, without a request.

    Returns:
        warnings for people, one line each.

    Raises:
        UsageError: a variable is missing or cannot be used, or the adapter cannot be loaded.
    """
    return tuple(getattr(_build(one, environment, None), "warnings", ()))


def build(provider_id: str, environment: Mapping[str, str], model: str | None = None) -> ModelProvider:
    """
    The provider of that id.

    Args:
        environment: variables, as the front door read them.
        model: label of the agent; None for the provider's own.

    Raises:
        UnknownNameError: no such id.
        UsageError: a variable is missing or cannot be used, or the adapter cannot be loaded.
    """
    return _build(entry(provider_id), environment, model)


def _build(one: ProviderEntry, environment: Mapping[str, str], model: str | None) -> ModelProvider:
    missing = missing_variables(one, environment)
    if missing:
        raise ConfigurationError(f"provider {one.id!a} is not configured: set {', '.join(missing)}")
    if one.id in PROVIDERS:
        return _factory(one)(environment, model)
    try:
        provider = _factory(one)(environment, model)
    except UsageError:
        raise
    except Exception as error:  # another package's adapter may fail in any way; its user needs one line
        raise UsageError(f"provider {one.id!a} cannot be used: {_told(error)}") from error
    if not isinstance(provider, ModelProvider):
        raise UsageError(f"provider {one.id!a} cannot be used: its factory returned {type(provider).__name__}")
    return provider


def _factory(one: ProviderEntry) -> Build:
    if not isinstance(one.factory, str):
        return one.factory
    module, _, name = one.factory.partition(":")
    factory: Build = getattr(importlib.import_module(module), name)
    return factory


def _loaded(point: EntryPoint) -> ProviderEntry:
    found: Any = point.load()
    if callable(found) and not isinstance(found, ProviderEntry):
        found = found()
    if not isinstance(found, ProviderEntry):
        raise UsageError(f"it gives {type(found).__name__}, not soclab.providers.registry.ProviderEntry")
    return found


def _complaint(point: EntryPoint, error: Exception) -> str:
    package = f" of {point.dist.name}" if point.dist else ""
    return clean(f"provider {point.name!a}{package} cannot be used: {_told(error)}", 300)


def _told(error: Exception) -> str:
    return clean(str(error) if isinstance(error, UsageError) else f"{type(error).__name__}: {error}", 200)
