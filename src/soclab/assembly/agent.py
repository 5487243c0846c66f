"""The agent of a campaign: what the settings say of it, how it is found, and what of it may be written nowhere."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from soclab.assembly.settings import CampaignSettings
from soclab.contracts.provider import ModelProvider
from soclab.contracts.scorecard_v1 import ProviderInfo
from soclab.engine.plan import AGENT_MODEL_DEFAULT
from soclab.errors import ConfigurationError
from soclab.evidence.signing import KEY_VARIABLE, key_spellings
from soclab.gateway.signing_key import SIGNING_KEY_VARIABLE, SigningKey
from soclab.providers import registry
from soclab.providers.http.settings import TIMEOUT
from soclab.redaction import Secrets, clean

__all__ = [
    "TOKEN_VARIABLE",
    "agent_environment",
    "agent_info",
    "agent_secrets",
    "agent_warnings",
    "answers_freely",
    "load_agent",
    "same_agent",
    "stated_info",
]

TOKEN_VARIABLE = "SOCLAB_HTTP_AGENT_TOKEN"


def agent_info(settings: CampaignSettings) -> ProviderInfo:
    """
    Who is asked, as far as it is known before anybody is asked; `stated_info` completes it.

    Raises:
        UsageError: no agent or two are named, the provider is unknown or not configured, or the model's label is none.
    """
    if settings.model is not None and (not settings.model.strip() or clean(settings.model) != settings.model):
        raise ConfigurationError(
            f"--soclab-model {settings.model!a}: a label is one line of visible characters; "
            "write the name as the agent reports it"
        )
    model = settings.model or AGENT_MODEL_DEFAULT
    if settings.provider_id is not None and settings.agent_spec is not None:
        raise ConfigurationError("both a provider and an agent are named: give --soclab-provider or --soclab-agent")
    if settings.fixture_agent is not None:
        return _in_process("fixture", model, "soclab_agent")
    if settings.agent_spec is not None:
        return _in_process("agent", model, settings.agent_spec)
    if settings.provider_id is None:
        raise ConfigurationError(
            f"no agent is named: give --soclab-provider ({', '.join(registry.provider_ids())}) or --soclab-agent"
        )
    entry = registry.entry(settings.provider_id)
    provider = registry.build(entry.id, agent_environment(settings), settings.model)
    info = ProviderInfo(
        id=entry.id,
        model=model,
        label=f"{entry.id}:{model}",
        validation=entry.validation,
        isolation="http" if entry.isolation == "http" else "in_process",
    )
    return stated_info(info, settings, provider)


def agent_environment(settings: CampaignSettings) -> Mapping[str, str]:
    """What a registered provider is configured from; an option that says the same is stronger."""
    if settings.call_seconds is None:
        return settings.environment
    return {**settings.environment, TIMEOUT: f"{settings.call_seconds:g}"}


def stated_info(info: ProviderInfo, settings: CampaignSettings, provider: ModelProvider) -> ProviderInfo:
    """Who is asked: a provider that states its model has that label, unless the user gave one."""
    model: object = provider.model
    if settings.model is not None or not isinstance(model, str) or not model:
        return info
    return info.model_copy(update={"model": model, "label": f"{_without_model(info)}:{model}"})


def same_agent(was: ProviderInfo, settings: CampaignSettings, now: ProviderInfo) -> bool:
    """Whether a campaign's agent is the one that is named now; a model that is not known yet may be any."""
    if settings.model is None and settings.provider_id is None:
        return _without_model(was) == _without_model(now)
    return was.label == now.label


def _without_model(info: ProviderInfo) -> str:
    return info.label.removesuffix(f":{info.model}")


def agent_warnings(settings: CampaignSettings) -> tuple[str, ...]:
    """What of the agent's configuration works but should be looked at, one line each."""
    if settings.provider_id is None or settings.fixture_agent is not None:
        return ()
    return registry.check(registry.entry(settings.provider_id), agent_environment(settings))


def answers_freely(settings: CampaignSettings) -> bool:
    """Whether the agent's replies are its own; one whose replies are forced runs guard scenarios only."""
    if settings.provider_id is None or settings.fixture_agent is not None:
        return True
    return registry.entry(settings.provider_id).answers_freely


def _in_process(provider_id: str, model: str, label: str) -> ProviderInfo:
    return ProviderInfo(
        id=provider_id, model=model, label=f"{label}:{model}", validation="not stated", isolation="in_process"
    )


def agent_secrets(environment: Mapping[str, str]) -> Secrets:
    """The texts that may stand in no artefact."""
    key = environment.get(SIGNING_KEY_VARIABLE, "")
    return Secrets(
        [
            environment.get(TOKEN_VARIABLE, ""),
            *_forms_of(key),
            *key_spellings(environment.get(KEY_VARIABLE, "")),
        ]
    )


def _forms_of(key: str) -> tuple[str, ...]:
    try:
        return SigningKey.read(key).forms(key)
    except ConfigurationError:  # told where keys are checked; what stands there is shown no more for that
        return (key.strip(),)


def load_agent(spec: str, root: Path, secrets: Secrets) -> Any:
    """
    The object that `package.module:factory` names; a factory without parameters is called.

    Args:
        secrets: what may not stand in the line that says how it failed.

    Raises:
        UsageError: the spec has no such form, or the module or name is not there.
    """
    module_name, _, name = spec.partition(":")
    if not module_name or not name:
        raise ConfigurationError(f"--soclab-agent {spec!a}: write it as package.module:factory")
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    try:
        thing: Any = importlib.import_module(module_name)
        for part in name.split("."):
            thing = getattr(thing, part)
    except (Exception, SystemExit) as error:  # a user's module may fail in any way, or end; they need one line
        raise ConfigurationError(f"--soclab-agent {spec!a}: {_said(error, secrets)}") from error
    return _call_factory(spec, thing, secrets)


def _call_factory(spec: str, thing: Any, secrets: Secrets) -> Any:
    if not _is_factory(thing):
        return thing
    try:
        return thing()
    except (Exception, SystemExit) as error:  # as above
        raise ConfigurationError(f"--soclab-agent {spec!a}: calling it failed: {_said(error, secrets)}") from error


def _said(error: BaseException, secrets: Secrets) -> str:
    return f"{type(error).__name__}: {clean(secrets.mask(str(error)), 200)}"


def _is_factory(thing: Any) -> bool:
    """A callable that can be called with nothing makes the agent; one that takes a request is the agent."""
    if not callable(thing) or isinstance(thing, ModelProvider):
        return isinstance(thing, type)
    try:
        inspect.signature(thing).bind()
    except (TypeError, ValueError):
        return False
    return True
