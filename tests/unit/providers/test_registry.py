"""The table of providers, and what other packages add to it."""

from __future__ import annotations

import importlib.util
from importlib.metadata import EntryPoint
from typing import Any

import pytest

from soclab.errors import ConfigurationError, UnknownNameError, UsageError
from soclab.providers import registry
from soclab.providers.http import settings
from soclab.providers.registry import EnvironmentVariable, ProviderEntry
from soclab.providers.scripted import ScriptedProvider

MINE = ProviderEntry(
    id="mine",
    summary="ours",
    factory=lambda environment, model: ScriptedProvider(model=model),
    environment=(EnvironmentVariable("MINE_KEY", "key", required=True), EnvironmentVariable("MINE_URL", "place")),
)
TAKEN = ProviderEntry(id="http", summary="x", factory="nowhere:build")
NOT_AN_ENTRY = 42


def entry_function() -> ProviderEntry:
    return MINE


def broken_function() -> ProviderEntry:
    raise RuntimeError("\x1b[31mboom\n")


def point(name: str, value: str) -> EntryPoint:
    return EntryPoint(name=name, value=value, group=registry.ENTRY_POINT_GROUP)


def here(attribute: str) -> EntryPoint:
    return point(attribute.lower(), f"{__name__}:{attribute}")


@pytest.fixture(autouse=True)
def importable(monkeypatch) -> None:
    """This module under its name, as an installed package would be."""
    import sys

    module = type(sys)(__name__)
    module.__dict__.update(globals())
    monkeypatch.setitem(sys.modules, __name__, module)


def test_the_shipped_providers_are_a_table() -> None:
    """
    Their order is that of `soclab providers`, and each key is its entry's id.
    """
    assert registry.provider_ids() == ("http", "reference", "gullible", "scripted")
    assert all(key == one.id for key, one in registry.PROVIDERS.items())


def test_the_http_entry_names_the_variables_that_its_settings_read() -> None:
    """
    The table and the settings do not drift apart.
    """
    read = {settings.URL, settings.TOKEN, settings.TIMEOUT, settings.MAX_REPLY_BYTES, settings.CA_FILE}

    assert {variable.name for variable in registry.PROVIDERS["http"].environment} == read | {settings.CA_FOLDER}


@pytest.mark.parametrize("one", registry.PROVIDERS.values(), ids=registry.PROVIDERS)
def test_a_shipped_provider_claims_what_it_does(one: ProviderEntry) -> None:
    """
    The capabilities in the table are those of the built provider.
    """
    if importlib.util.find_spec(str(one.factory).partition(":")[0]) is None:
        pytest.skip("not there")
    environment = {"SOCLAB_HTTP_AGENT_URL": "http://agent.example.com"}

    assert registry.build(one.id, environment).describe_capabilities() == one.capabilities


def test_missing_variables_are_named() -> None:
    """
    Only required variables that are not set, or set to nothing, are missing.
    """
    assert registry.missing_variables(MINE, {}) == ("MINE_KEY",)
    assert registry.missing_variables(MINE, {"MINE_KEY": ""}) == ("MINE_KEY",)
    assert registry.missing_variables(MINE, {"MINE_KEY": "x"}) == ()


def test_an_unconfigured_provider_is_one_line() -> None:
    """
    Building and checking say which variable to set.
    """
    for attempt in (
        lambda: registry.build("http", {}),
        lambda: registry.check(registry.entry("http"), {}),
    ):
        with pytest.raises(ConfigurationError, match="SOCLAB_HTTP_AGENT_URL"):
            attempt()


def test_a_check_finds_bad_values_and_gives_warnings() -> None:
    """
    A check goes as far as building goes, and hands out the warnings.
    """
    http, good = registry.entry("http"), {"SOCLAB_HTTP_AGENT_URL": "http://agent.example.com"}

    assert len(registry.check(http, good | {"SOCLAB_HTTP_AGENT_TOKEN": "short"})) == 1
    assert registry.check(http, good) == ()
    with pytest.raises(ConfigurationError, match="SOCLAB_HTTP_AGENT_TIMEOUT_SECONDS"):
        registry.check(http, good | {"SOCLAB_HTTP_AGENT_TIMEOUT_SECONDS": "0"})


def test_an_unknown_id_lists_the_known_ones() -> None:
    """
    A wrong id is refused with the allowed ids and the nearest one.
    """
    with pytest.raises(UnknownNameError) as caught:
        registry.entry("htpp", points=[here("MINE")])

    assert "did you mean 'http'" in str(caught.value)
    assert "mine" in str(caught.value)


@pytest.mark.parametrize("attribute", ["MINE", "entry_function"])
def test_another_package_adds_a_provider(attribute: str) -> None:
    """
    An entry point names an entry or a function that gives one; it stands after ours.
    """
    entries, complaints = registry.listed([here(attribute)])

    assert [one.id for one in entries] == [*registry.PROVIDERS, "mine"]
    assert complaints == ()
    assert registry.entry("mine", [here(attribute)]) is MINE


BROKEN: dict[str, tuple[EntryPoint, str]] = {
    "no module": (point("gone", "no_such_package.adapter:ENTRY"), "ModuleNotFoundError"),
    "no attribute": (here("NOWHERE"), "AttributeError"),
    "no entry": (here("NOT_AN_ENTRY"), "it gives int"),
    "raises": (here("broken_function"), r"RuntimeError: \x1b[31mboom\x0a"),
    "taken": (here("TAKEN"), "the id 'http' is taken"),
    "no reference": (point("odd", "###"), ""),
}


@pytest.mark.parametrize(("broken", "words"), BROKEN.values(), ids=BROKEN)
def test_a_broken_entry_point_is_one_line(broken: EntryPoint, words: str) -> None:
    """
    A package that cannot be loaded is a complaint; everything else is still there.
    """
    entries, complaints = registry.listed([broken, here("MINE")])

    assert [one.id for one in entries] == [*registry.PROVIDERS, "mine"]
    assert len(complaints) == 1
    assert complaints[0].startswith(f"provider {broken.name!r} cannot be used: ")
    assert words in complaints[0]
    assert complaints[0].isprintable()


def test_our_ids_need_no_entry_points() -> None:
    """
    Asking for one of ours imports nothing of others.
    """
    assert registry.entry("scripted", points=[BROKEN["raises"][0]]) is registry.PROVIDERS["scripted"]


@pytest.mark.parametrize(
    ("factory", "words"),
    [
        (lambda environment, model: 42, "its factory returned int"),
        (lambda environment, model: 1 / 0, "ZeroDivisionError"),
        ("no_such_package:build", "ModuleNotFoundError"),
    ],
)
def test_a_broken_factory_is_one_line(factory: Any, words: str) -> None:
    """
    An adapter of another package that cannot be built is the user's one line.
    """
    with pytest.raises(UsageError, match="provider 'theirs' cannot be used") as caught:
        registry.check(ProviderEntry(id="theirs", summary="", factory=factory), {})

    assert words in str(caught.value)


def test_what_a_factory_says_about_its_configuration_stands() -> None:
    """
    A ConfigurationError of an adapter passes unchanged.
    """

    def factory(environment: Any, model: Any) -> Any:
        raise ConfigurationError("MINE_URL: no")

    with pytest.raises(ConfigurationError, match=r"^MINE_URL: no$"):
        registry.check(ProviderEntry(id="theirs", summary="", factory=factory), {})


def test_nothing_is_claimed_for_an_adapter_whose_author_claims_nothing() -> None:
    """
    A third party's entry without a label says so; ours all state one.
    """
    assert MINE.validation == "not stated"
    assert "not stated" not in {one.validation for one in registry.PROVIDERS.values()}
