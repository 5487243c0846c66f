"""`soclab providers`: which agents can be named, and what they still need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import typer

from soclab.cli.doorway import doorway_of
from soclab.contracts.provider import ProviderCapabilities
from soclab.providers.registry import ProviderEntry, listed, missing_variables
from soclab.redaction import clean

__all__ = ["providers"]


def providers(context: typer.Context) -> None:
    """
    List the agents that can be named with --provider: whether each is configured, what it can do, how it was tried.
    """
    entries, complaints = listed()
    for entry in entries:
        for line in _lines(entry, doorway_of(context).environment):
            typer.echo(clean(line))
    for complaint in complaints:
        typer.echo(f"soclab: warning: {complaint}", err=True)


def _lines(entry: ProviderEntry, environment: Mapping[str, str]) -> Iterator[str]:
    missing = missing_variables(entry, environment)
    yield f"{entry.id:<12}{entry.summary}"
    yield f"{'':<12}{'not configured: set ' + ', '.join(missing) if missing else 'configured'}"
    yield f"{'':<12}{_capabilities(entry.capabilities)}; {'over HTTP' if entry.isolation == 'http' else 'in process'}"
    yield f"{'':<12}adapter version {entry.adapter_version}, {entry.validation}"
    for variable in entry.environment:
        state = "set" if environment.get(variable.name) else "required" if variable.required else "optional"
        yield f"{'':<14}{variable.name} ({state}): {variable.meaning}"


def _capabilities(able: ProviderCapabilities) -> str:
    named = [name.replace("_", " ") for name, value in able.model_dump().items() if value is True]
    return ", ".join(named) or "no capability"
