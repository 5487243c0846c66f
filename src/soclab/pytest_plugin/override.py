"""The user's own `soclab_agent` fixture: found before collection, checked when pytest has settled which one counts."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

from soclab.errors import ConfigurationError
from soclab.pytest_plugin.fixtures import MODULE

__all__ = ["check_agent_fixture", "find_override"]

_NAME: Final = "soclab_agent"
_ADVICE: Final = "define it in the conftest.py of the rootdir"


def find_override(config: pytest.Config) -> str | None:
    """
    Where the user's `soclab_agent` stands, as `conftest.py:12`; None when the options name the agent.

    Conftest files of the rootdir (and above it) are looked at, and plugins; a conftest further down counts for the
    tests beside it, not for the campaign.
    """
    places = [place for module in _modules(config) if (place := _place_in(module, config.rootpath))]
    return places[-1] if places else None


def check_agent_fixture(node: pytest.Item | pytest.Collector, expected: str | None) -> None:
    """
    Hold the fixture that pytest will use against the one that was announced.

    Raises:
        ConfigurationError: it is another one, or one that cannot be the agent of a whole campaign.
    """
    definition = _in_force(node)
    place = None if _is_ours(definition.func) else _place_of(definition.func, node.config.rootpath)
    if place != expected:
        built_in = "the built-in one"
        raise ConfigurationError(
            f"the fixture {_NAME} in force is {place or built_in}, not {expected or built_in}; {_ADVICE}"
        )
    if place is None:
        return
    if definition.scope != "session":
        raise ConfigurationError(
            f"{place}: {_NAME} has the scope {definition.scope!r}, so every item would make an agent of its own "
            "and call it anew; write @pytest.fixture(scope='session')"
        )
    if definition.params is not None:
        raise ConfigurationError(f"{place}: {_NAME} is parametrized; a campaign has one agent, so run one for each")


def _in_force(node: pytest.Item | pytest.Collector) -> pytest.FixtureDef[Any]:
    # pytest has no public question for "which fixture would this node get"; the fixture manager has answered it,
    # under this name and with these arguments, since 8.0.
    manager: Any = node.session._fixturemanager
    definition: pytest.FixtureDef[Any] = manager.getfixturedefs(_NAME, node)[-1]
    return definition


def _modules(config: pytest.Config) -> Iterator[ModuleType]:
    """Plugins first, then conftest files from the top down: the order in which they override one another."""
    plugins = [one for one in config.pluginmanager.get_plugins() if isinstance(one, ModuleType)]
    conftests: list[tuple[int, ModuleType]] = []
    for module in plugins:
        path = Path(getattr(module, "__file__", None) or "")
        if path.name != "conftest.py":
            yield module
        elif config.rootpath == path.parent or path.parent in config.rootpath.parents:
            conftests.append((len(path.parts), module))
    yield from (module for _, module in sorted(conftests, key=lambda one: one[0]))


def _place_in(module: ModuleType, root: Path) -> str | None:
    for value in list(vars(module).values()):
        if type(value).__name__ == "FixtureFunctionDefinition" and value.name == _NAME:
            function = inspect.unwrap(value)
            return None if _is_ours(function) else _place_of(function, root)
    return None


def _is_ours(function: Any) -> bool:
    return getattr(inspect.unwrap(function), "__module__", None) == MODULE


def _place_of(function: Any, root: Path) -> str:
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None:
        return repr(type(function).__name__)
    return f"{os.path.relpath(code.co_filename, root)}:{code.co_firstlineno}"
