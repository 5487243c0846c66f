"""
The campaign as a module that stands in no file: one function per scenario, parametrized over the stages.

They are real parametrized functions, so that fixtures, markers, `-k`, `--lf` and other plugins find what they know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import CodeType, ModuleType
from typing import Any, Final, NamedTuple

import pytest

from soclab.contracts.outcome import Trial
from soclab.contracts.vocabulary import STAGES, Stage
from soclab.pytest_plugin.arguments import NODE
from soclab.pytest_plugin.node_ids import Named

__all__ = [
    "AGENT",
    "CampaignModule",
    "ModeNode",
    "Place",
    "Tree",
    "Turn",
    "is_ours",
    "keep_stage_order",
    "know_location",
    "level_of",
    "place_of",
    "selection_of",
]

AGENT: Final = "soclab_agent"
"""The fixture every item asks for."""


class Place(NamedTuple):
    """What an item of the campaign is about."""

    trial: Trial
    stage: Stage


class Turn(NamedTuple):
    """The parameter of an item: a stage of one of the trials."""

    trial: int
    stage: Stage

    @property
    def id(self) -> str:
        """`collect_siem` in the first trial, `collect_siem-t2` in the second: the first keeps its ids."""
        return self.stage.value if self.trial == 1 else f"{self.stage.value}-t{self.trial}"


Show = Callable[[str, Place], None]
"""The body of an item; level, place."""

_PARAMETER: Final = "soclab_stage"
_GUARDS: Final = "GRD-"
_LOCATIONS: Final[pytest.StashKey[dict[Any, tuple[str, int | None]]]] = pytest.StashKey()
_RANK: Final = {stage: rank for rank, stage in enumerate(STAGES)}


@dataclass(frozen=True)
class Tree:
    """
    What to collect.

    Attributes:
        trials: how often each scenario is run.
        levels: names of the nodes between module and functions, one per mode; ("",) is no such level.
        titles: scenario id -> title, of every scenario the agent can run.
        named: scenarios and stages that the arguments name; () is all of them.
        skipped: scenario id -> why the agent cannot run it, of those that were asked for by id.
    """

    titles: Mapping[str, str]
    named: tuple[Named, ...] = ()
    skipped: Mapping[str, str] = field(default_factory=dict)
    levels: tuple[str, ...] = ("",)
    trials: int = 1

    def scenarios(self) -> Iterable[str]:
        """Ids to collect, in order."""
        if not self.named:
            return self.titles
        wanted = {one.scenario for one in self.named}
        if None in wanted:
            return self.titles
        return [one for one in self.titles if one in wanted]

    def wants(self, level: str, place: Place) -> bool:
        """Whether the arguments leave room for a stage."""
        return not self.named or any(
            one.level in (None, level)
            and one.scenario in (None, place.trial.scenario)
            and one.stage in (None, place.stage)
            and one.trial in (None, place.trial.number)
            for one in self.named
        )

    def functions(self, level: str, show: Show) -> dict[str, Callable[..., None]]:
        """Name -> what pytest collects: parametrized functions, methods where there is a level."""
        turns = [Turn(trial, stage) for trial in range(1, self.trials + 1) for stage in STAGES]
        parametrize = pytest.mark.parametrize(_PARAMETER, turns, ids=[turn.id for turn in turns])
        found = {
            scenario: parametrize(_stage_function(level, scenario, self.titles[scenario], show))
            for scenario in self.scenarios()
        }
        for scenario in found:
            if scenario.startswith(_GUARDS):
                found[scenario] = pytest.mark.soclab_guard(found[scenario])
        for scenario, reason in self.skipped.items():
            found[scenario] = pytest.mark.skip(reason=reason)(_named(scenario, reason, _nothing_to_run()))
        return found


class CampaignModule(pytest.Module):
    """
    The node `soclab`. Its path is the rootdir, so that the user's conftest hooks see its items.

    Make it with `under`.
    """

    tree: Tree
    show: Show

    @classmethod
    def under(cls, session: pytest.Session, tree: Tree, show: Show) -> CampaignModule:
        """
        The campaign's node, a child of the session.

        Args:
            show: the body of an item: says of a stage that it failed.
        """
        node = cls.from_parent(session, path=session.config.rootpath, name=NODE, nodeid=NODE)
        node.tree = tree
        node.show = show
        if session.config.pluginmanager.hasplugin("timeout"):
            node.add_marker(pytest.mark.timeout(0))  # its clock would measure how long a stage waited for its turn
        return node

    def _getobj(self) -> ModuleType:
        """The module object; pytest asks for it here, and would import a file otherwise."""
        module = ModuleType("soclab_campaign_items", "A soclab campaign.")
        vars(module)["pytestmark"] = [pytest.mark.soclab]
        if self.tree.levels == ("",):
            vars(module).update(self._functions(""))
        else:
            for level in self.tree.levels:
                vars(module)[level] = type(level, (), self._functions(level))
        return module

    def _functions(self, level: str) -> dict[str, Callable[..., None]]:
        """They say that they stand in a file named like the node, or pytest would print where this module stands."""
        found = self.tree.functions(level, self.show)
        place = str(self.path / NODE)
        placed: dict[CodeType, CodeType] = {}  # functions that are alike share theirs
        for one in found.values():
            code = one.__code__
            if code not in placed:
                placed[code] = code.replace(co_filename=place)
            one.__code__ = placed[code]
        return found

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        if self.tree.levels != ("",):
            module = self.obj
            return [ModeNode.from_parent(self, name=one, obj=getattr(module, one)) for one in self.tree.levels]
        return [one for one in super().collect() if _is_wanted(self.tree, one)]


class ModeNode(pytest.Class):
    """One of the modes of a campaign in both."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        module = self.parent
        assert isinstance(module, CampaignModule)
        return [one for one in super().collect() if _is_wanted(module.tree, one)]


_NODES: Final = (CampaignModule, ModeNode)


def _is_wanted(tree: Tree, node: pytest.Item | pytest.Collector) -> bool:
    place = place_of(node)
    return place is None or tree.wants(level_of(node), place)


def is_ours(node: pytest.Item | pytest.Collector) -> bool:
    """Whether the node is an item of the campaign."""
    return type(node.parent) in _NODES


def know_location(item: pytest.Item) -> None:
    """
    Give a campaign item the `location` that pytest would find by itself, without its walk through the file system.

    All stages of a scenario are one function: the first one asked says where it stands.
    """
    if "location" in vars(item) or not isinstance(item, pytest.Function):
        return
    where: dict[Any, tuple[str, int | None]] = item.session.stash.setdefault(_LOCATIONS, {})
    known = where.get(item.function)
    if known is None:
        where[item.function] = item.location[:2]
    else:
        vars(item)["location"] = (*known, item.getmodpath())


def level_of(node: pytest.Item | pytest.Collector) -> str:
    """The level of a campaign item; "" without one."""
    parent = node.parent
    return parent.name if type(parent) is ModeNode else ""


def place_of(node: pytest.Item | pytest.Collector) -> Place | None:
    """What a campaign item is about; None for every other node."""
    if type(node.parent) not in _NODES or not isinstance(node, pytest.Function):
        return None
    call: Any = getattr(node, "callspec", None)
    if call is None:
        return None
    turn: Turn = call.params[_PARAMETER]
    return Place(Trial(node.originalname, turn.trial), turn.stage)


def selection_of(items: Iterable[pytest.Item]) -> dict[Trial, tuple[Stage, ...]]:
    """Trial -> stages that have an item."""
    found: dict[Trial, list[Stage]] = {}
    for item in items:
        if (place := place_of(item)) is not None:
            found.setdefault(place.trial, []).append(place.stage)
    return {trial: tuple(stages) for trial, stages in found.items()}


def keep_stage_order(items: list[pytest.Item]) -> None:
    """
    Put the stages of each trial in order, in place, whatever has shuffled the items; modes one after the other.

    The campaign's items keep the positions they have among all others.
    """
    spots: dict[tuple[str, Trial], list[int]] = {}
    for index, item in enumerate(items):
        if (place := place_of(item)) is not None:
            spots.setdefault((level_of(item), place.trial), []).append(index)
    for indices in spots.values():
        _sort_at(items, indices, _rank)
    if len({level for level, _ in spots}) > 1:
        _sort_at(items, sorted(index for indices in spots.values() for index in indices), level_of)


def _sort_at(items: list[pytest.Item], indices: list[int], key: Callable[[pytest.Item], Any]) -> None:
    ordered = sorted((items[index] for index in indices), key=key)
    for index, item in zip(indices, ordered, strict=True):
        items[index] = item


def _rank(item: pytest.Item) -> int:
    place = place_of(item)
    return 0 if place is None else _RANK[place.stage]


def _stage_function(level: str, scenario: str, title: str, show: Show) -> Callable[..., None]:
    # The one fixture is the session's agent: a fixture per item would cost a quarter of what the item costs.
    def stage_of_scenario(soclab_agent: object, soclab_stage: Turn) -> None:  # noqa: ARG001  # set up, used by hooks
        show(level, Place(Trial(scenario, soclab_stage.trial), soclab_stage.stage))

    def stage_in_mode(self: object, soclab_agent: object, soclab_stage: Turn) -> None:  # noqa: ARG001  # as above
        show(level, Place(Trial(scenario, soclab_stage.trial), soclab_stage.stage))

    return _named(scenario, title, stage_in_mode if level else stage_of_scenario)


def _nothing_to_run() -> Callable[..., None]:
    """The body of an item that only says why its scenario cannot run."""
    return lambda *_: None


def _named(scenario: str, title: str, function: Callable[..., None]) -> Callable[..., None]:
    """`__test__` makes it an item whatever the user's `python_functions` says."""
    function.__name__ = function.__qualname__ = scenario
    function.__doc__ = title
    function.__module__ = "soclab_campaign_items"
    vars(function)["__test__"] = True
    return function
