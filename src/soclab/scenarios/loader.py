"""
Reads a folder of scenario files into a pack.

Scenarios are `*.yaml` or `*.yml` anywhere below the folder, one a file; worlds are those below a `worlds` folder. A
user's folder may refer to built-in worlds.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from soclab import __version__
from soclab.contracts.fixture import Fixture
from soclab.contracts.scenario_v1 import Injection, Scenario
from soclab.contracts.strict import Frozen
from soclab.errors import ScenarioFileError
from soclab.redaction import clean
from soclab.scenarios.answers import unknown_actions, unknown_tools
from soclab.scenarios.goals import GOALS
from soclab.scenarios.pack import Pack, make_pack
from soclab.scenarios.reserved import foreign_places
from soclab.scenarios.validation import as_model, did_you_mean
from soclab.scenarios.yaml_file import YamlFile, read_yaml, shown_path

__all__ = ["FixtureCheck", "InjectionCheck", "load_pack"]

FixtureCheck = Callable[[Fixture], tuple[tuple[str, str], ...]]
"""(key, what is wrong) of a world; empty when it is fine."""

InjectionCheck = Callable[[Fixture, Injection], tuple[tuple[str, str], ...]]
"""(key below `injection`, what is wrong) of an injection in its world; empty when it fits."""

_CORPUS = Path(__file__).parent / "corpus"
_BUILT_IN = "built-in"
_WORLDS = "worlds"
_HOSTILE_TEXTS = ("text", "prefix", "suffix")
_TEXTS_OF_THE_CASE = ("injection", "goal", "expected", "losing_path")
_ENDINGS = (".yaml", ".yml")
_STANDING_SLOT = "standing_instruction"

_Model = TypeVar("_Model", bound=Frozen)


def load_pack(
    folder: Path | None = None,
    *,
    known_predicates: Mapping[str, object] | None = None,
    known_actions: Mapping[str, Collection[str]] | None = None,
    known_tools: Collection[str] | None = None,
    check_fixture: FixtureCheck | None = None,
    check_injection: InjectionCheck | None = None,
) -> Pack:
    """
    The built-in corpus, or the scenarios of a user's folder.

    Args:
        known_predicates: name -> predicate; its `parameters` model, when it has one, judges a goal's parameters.
            None: predicates are not checked.
        known_actions: name of a response action -> names of its arguments; None: not checked.
        known_tools: names of the read tools; None: not checked.
        check_fixture, check_injection: the simulator's checks of what it is to build; None: only that worlds and
            channels exist.

    Raises:
        ScenarioFileError: a file cannot be used; one line with file, line and key.
    """
    own = _CORPUS if folder is None else folder
    is_users = own.resolve() != _CORPUS.resolve()
    worlds, scenarios = _read(own)
    if check_fixture is not None:
        for file, fixture in worlds:
            for key, what in check_fixture(fixture):
                raise file.error(tuple(key.split(".")), what)
    named = _by_name(worlds, _built_in_worlds() if is_users else {})
    if not scenarios:
        raise ScenarioFileError(f"{shown_path(own)}: holds no scenario: put one *.yaml file for each into it")
    _check_ids(scenarios, _built_in_ids() if is_users else frozenset())
    for file, scenario in scenarios:
        fixture = _world_of(file, scenario, named)
        _check_injection(file, scenario, fixture, check_injection)
        _check_slots(file, scenario, fixture)
        if known_predicates is not None:
            _check_goal(file, scenario, known_predicates)
        if known_actions is not None:
            _refuse(file, unknown_actions(scenario, known_actions))
        if known_tools is not None:
            _refuse(file, unknown_tools(scenario, known_tools))
        _check_texts(file)
    kept = {scenario.world for _, scenario in scenarios} | {fixture.name for _, fixture in worlds}
    return make_pack(
        _BUILT_IN if not is_users else clean(own.resolve().name, 80),
        __version__,
        [scenario for _, scenario in scenarios],
        {name: named[name] for name in kept},
    )


@cache
def _built_in_worlds() -> dict[str, Fixture]:
    folder = _CORPUS / _WORLDS
    return {fixture.name: fixture for _, fixture in _models(Fixture, sorted(_files(folder)))}


@cache
def _built_in_ids() -> frozenset[str]:
    return frozenset(path.stem for path in _files(_CORPUS) if path.parent.name != _WORLDS)


def _read(folder: Path) -> tuple[list[tuple[YamlFile, Fixture]], list[tuple[YamlFile, Scenario]]]:
    if not folder.is_dir():
        raise ScenarioFileError(f"{shown_path(folder)}: is no folder; give a folder of scenario files")
    paths = sorted(_files(folder))
    worlds = [path for path in paths if _WORLDS in path.relative_to(folder).parts[:-1]]
    return _models(Fixture, worlds), _models(Scenario, [path for path in paths if path not in worlds])


def _files(folder: Path) -> Iterator[Path]:
    """YAML files below a folder; hidden ones and linked folders are left out."""
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if name.endswith(_ENDINGS) and not name.startswith("."):
                yield Path(place, name)


def _models(model: type[_Model], paths: list[Path]) -> list[tuple[YamlFile, _Model]]:
    files = [read_yaml(path) for path in paths]
    return [(file, as_model(model, file, file.value).to_keep()) for file in files]


def _by_name(own: list[tuple[YamlFile, Fixture]], built_in: Mapping[str, Fixture]) -> dict[str, Fixture]:
    named = dict(built_in)
    places: dict[str, Path] = {}
    for file, fixture in own:
        if fixture.name in built_in:
            raise file.error(("name",), f"{fixture.name!a} is a built-in world; take another name")
        if fixture.name in places:
            raise file.error(("name",), f"{fixture.name!a} stands in {shown_path(places[fixture.name])} too")
        named[fixture.name] = fixture
        places[fixture.name] = file.path
    return named


def _check_ids(scenarios: list[tuple[YamlFile, Scenario]], taken: Collection[str]) -> None:
    places: dict[str, Path] = {}
    for file, scenario in scenarios:
        if scenario.id in taken:
            what = (
                f"{scenario.id} is a built-in scenario, and an id never changes its meaning; take one from 900 upwards"
            )
            raise file.error(("id",), what)
        if scenario.id in places:
            raise file.error(("id",), f"{scenario.id} stands in {shown_path(places[scenario.id])} too")
        places[scenario.id] = file.path
        if file.path.stem != scenario.id:
            raise file.error(
                ("id",), f"{scenario.id} stands in {clean(file.path.name, 80)}; name the file {scenario.id}.yaml"
            )


def _world_of(file: YamlFile, scenario: Scenario, worlds: Mapping[str, Fixture]) -> Fixture:
    fixture = worlds.get(scenario.world)
    if fixture is None:
        hint = did_you_mean(scenario.world, worlds)
        listed = ", ".join(sorted(worlds)) or "none"
        raise file.error(("world",), f"unknown world {clean(scenario.world, 80)!a}{hint} Known: {listed}")
    return fixture


def _check_injection(
    file: YamlFile, scenario: Scenario, fixture: Fixture, check_injection: InjectionCheck | None
) -> None:
    injection = scenario.injection
    if injection is None:
        return
    if injection.channel not in fixture.channels:
        hint = did_you_mean(injection.channel, fixture.channels)
        listed = ", ".join(fixture.channels) or "none"
        what = f"world {fixture.name!a} has no channel {clean(injection.channel, 80)!a}{hint} It has: {listed}"
        raise file.error(("injection", "channel"), what)
    if check_injection is not None:
        for key, what in check_injection(fixture, injection):
            raise file.error(("injection", key), what)


def _check_slots(file: YamlFile, scenario: Scenario, fixture: Fixture) -> None:
    known = (_STANDING_SLOT, *fixture.canary_slots)
    for index, slot in enumerate(scenario.canary_slots):
        if slot not in known:
            what = f"unknown slot {clean(slot, 80)!a}{did_you_mean(slot, known)} Known: {', '.join(known)}"
            raise file.error(("canary_slots", index), what)


def _check_goal(file: YamlFile, scenario: Scenario, predicates: Mapping[str, object]) -> None:
    goal = scenario.goal
    if goal is None:
        return
    if goal.predicate not in predicates:
        hint = did_you_mean(goal.predicate, predicates)
        what = f"unknown predicate {clean(goal.predicate, 80)!a}{hint} Known: {', '.join(predicates)}"
        raise file.error(("goal", "predicate"), what)
    if goal.predicate not in GOALS.get(goal.id, ()):
        fitting = ", ".join(one for one, judged in GOALS.items() if goal.predicate in judged) or "none"
        raise file.error(("goal", "id"), f"{goal.id} is not what {goal.predicate!a} judges; that is {fitting}")
    model = getattr(predicates[goal.predicate], "parameters", None)
    if isinstance(model, type) and issubclass(model, BaseModel):
        as_model(model, file, goal.parameters, ("goal", "parameters"))


def _refuse(file: YamlFile, problems: Iterable[tuple[tuple[str | int, ...], str]]) -> None:
    for key, what in problems:
        raise file.error(key, what)


def _check_texts(file: YamlFile) -> None:
    """Hostile texts stand in ASCII, and no text of the case points at somebody."""
    value = file.value
    assert isinstance(value, dict)
    for part in () if file.text.isascii() else _HOSTILE_TEXTS:
        key = ("injection", part)
        for line, written in file.written(key):
            raw = next((char for char in written if not char.isascii()), None)
            if raw is not None:
                what = f"holds U+{ord(raw):04X} as it is; write it as an escape in double quotes: {ascii(raw)[1:-1]}"
                raise file.error(key, what, line)
    for name in _TEXTS_OF_THE_CASE:
        _refuse(file, foreign_places(value.get(name), (name,)))
