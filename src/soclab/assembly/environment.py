"""
Variables that hold a value of their own: keys, addresses, tokens. They stand for no option.

One rule for all of them: set and empty is wrong use. Somebody wanted a signature, a server, a token, and a secret that
a pipeline could not find looks just like that. An empty variable of an option says nothing (docs/pytest-options.md).
"""

from __future__ import annotations

from collections.abc import Mapping

from soclab.errors import ConfigurationError

__all__ = ["given"]


def given(environment: Mapping[str, str], name: str) -> str | None:
    """
    The value of a variable; None when it is not set.

    Raises:
        ConfigurationError: it is set, and empty or blank.
    """
    value = environment.get(name)
    if value is not None and not value.strip():
        raise ConfigurationError(f"{name}: it is set and empty; give a value, or unset it")
    return value
