"""
A pytest plugin without soclab: the tree of a campaign, with stages that do nothing.

The same module that stands in no file, the same functions parametrized over seven stages, one session
fixture. How many scenarios, says the environment variable `EMPTY_SCENARIOS`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from types import ModuleType

import pytest

STAGES = (
    "collect_identity",
    "collect_authentication",
    "collect_endpoint",
    "enrich_indicators",
    "collect_siem",
    "form_finding",
    "propose_action",
)


class EmptyCampaign(pytest.Module):
    def _getobj(self) -> ModuleType:
        module = ModuleType("empty_campaign_items")
        vars(module)["pytestmark"] = [pytest.mark.empty]
        parametrize = pytest.mark.parametrize("empty_stage", STAGES, ids=STAGES)
        for number in range(10_000, 10_000 + int(os.environ["EMPTY_SCENARIOS"])):
            vars(module)[f"BEN-{number}"] = parametrize(_stage_function(f"BEN-{number}"))
        return module


@pytest.fixture(scope="session")
def empty_agent() -> object:
    return object()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "empty: the items of the empty tree")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if isinstance(collector, pytest.Session):
        node = EmptyCampaign.from_parent(collector, path=collector.config.rootpath, name="empty", nodeid="empty")
        report.result.append(node)
    return report


def _stage_function(name: str) -> Callable[..., None]:
    def stage_of_scenario(empty_agent: object, empty_stage: str) -> None:
        pass

    stage_of_scenario.__name__ = stage_of_scenario.__qualname__ = name
    stage_of_scenario.__doc__ = "Sessions of the compromised user"
    stage_of_scenario.__module__ = "empty_campaign_items"
    vars(stage_of_scenario)["__test__"] = True
    return stage_of_scenario
