"""Makes a provider of what a user has: a provider, a function, an ASGI app."""

from __future__ import annotations

import inspect
from typing import Any, Final

from soclab.contracts.provider import ModelProvider
from soclab.errors import UsageError
from soclab.providers.callable_provider import CallableProvider, is_async
from soclab.providers.http.adapter import HttpAgentProvider
from soclab.providers.http.client_library import httpx
from soclab.providers.http.settings import DEFAULT_TIMEOUT_SECONDS, HttpSettings
from soclab.providers.threaded import ThreadedProvider
from soclab.redaction import Secret, Secrets, clean

__all__ = ["provider_from"]

_ACCEPTED: Final = (
    "give a provider (an object with the attributes and methods of soclab.providers.ModelProvider), "
    "an ASGI app (scope, receive, send), or a function of one argument, sync or async"
)
_PROVIDER_PARTS: Final = (
    "provider_id",
    "model",
    "describe_capabilities",
    "count_usage",
    "generate_structured",
    "generate",
    "request_tool",
    "continue_after_tool",
    "stream",
)
_ASGI_PARAMETERS: Final = ["scope", "receive", "send"]
_APP_HOST: Final = "http://agent.example.com"
_NAME_LIMIT: Final = 80


def provider_from(
    thing: object,
    *,
    model: str | None = None,
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS,
    path: str = "/",
    secrets: Secrets | None = None,
) -> ModelProvider:
    """
    A provider, whatever the user gave.

    Args:
        thing: one of
            a provider: returned as it is, or led in threads when `generate_structured` is a plain `def`;
            an ASGI app: gets each request as `POST path`, without a lifespan;
            a callable: gets the request body as a dict and returns dict, str, bytes or ModelResponse.
        model: label of the agent, `agent` by default; a provider keeps its own.
        timeout_seconds: for one call of an app or a callable.
        secrets: texts that no error detail of a callable may hold.

    Raises:
        UsageError: it is none of these; the line says what is accepted.
    """
    if isinstance(thing, type) or not (callable(thing) or isinstance(thing, ModelProvider)):
        raise _refused(thing)
    if isinstance(thing, ModelProvider):
        return thing if is_async(thing.generate_structured) else ThreadedProvider(thing)
    if _is_asgi_app(thing):
        return _asgi_provider(thing, model, timeout_seconds, path)
    if hasattr(thing, "generate_structured") or not _takes_one_argument(thing):
        raise _refused(thing)
    return CallableProvider(thing, model=model, timeout_seconds=timeout_seconds, secrets=secrets)


def _asgi_provider(app: Any, model: str | None, timeout_seconds: float, path: str) -> ModelProvider:
    url = f"{_APP_HOST}{path if path.startswith('/') else f'/{path}'}"
    settings = HttpSettings(url=Secret(url), shown_url=url, timeout_seconds=timeout_seconds)
    return HttpAgentProvider(
        settings, model=model, transport=lambda: httpx.ASGITransport(app, raise_app_exceptions=False)
    )


def _is_asgi_app(thing: Any) -> bool:
    names = _required_positional(thing)
    return names == _ASGI_PARAMETERS or (len(names) == len(_ASGI_PARAMETERS) and is_async(thing))


def _required_positional(thing: Any) -> list[str]:
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return []
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [one.name for one in parameters if one.kind in kinds and one.default is inspect.Parameter.empty]


def _takes_one_argument(thing: Any) -> bool:
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):  # some built-in callables do not tell
        return True
    try:
        signature.bind({})
    except TypeError:
        return False
    return True


def _refused(thing: object) -> UsageError:
    named = thing if hasattr(thing, "__qualname__") else type(thing)
    name = clean(str(getattr(named, "__qualname__", "this")), _NAME_LIMIT)
    why = ""
    if isinstance(thing, type):
        why = " (it is a class: give an instance)"
    elif hasattr(thing, "generate_structured"):
        why = f" (it lacks {', '.join(part for part in _PROVIDER_PARTS if not hasattr(thing, part))})"
    return UsageError(f"{name} cannot be used as an agent{why}: {_ACCEPTED}")
