"""Makes pytest tell what a user's own test ran into: a failure, a stage without an answer, or nothing to look at."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any, Final

import pytest

from soclab.pytest_plugin.results import StageError, StageFailed

if TYPE_CHECKING:
    from _pytest.outcomes import Skipped  # the class behind the public name, as in `results`
else:
    Skipped = pytest.skip.Exception

__all__ = ["StageNotAnswered", "register"]

_NAME: Final = "soclab-user-tests"


class StageNotAnswered(Skipped):
    """A stage that was not reached, or that the agent refused: the test that asked for it is skipped."""


def register(config: pytest.Config) -> None:
    """Once per session, with the first fixture that is asked for."""
    if not config.pluginmanager.hasplugin(_NAME):
        config.pluginmanager.register(_UserHooks(), _NAME)


class _UserHooks:
    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        raised = None if call.excinfo is None else call.excinfo.value
        if isinstance(raised, StageFailed) and (crash := getattr(report.longrepr, "reprcrash", None)) is not None:
            crash.message = str(raised).partition("\n")[0]
        if report.when == "call" and report.failed and _is_only(raised, StageError):
            report.when = "setup"  # the terminal and JUnit count a failed set-up as an error
        if isinstance(raised, StageNotAnswered) and report.skipped:
            path, line, _ = item.location
            place: Any = (path, (line or 0) + 1, f"Skipped: {raised.msg}")
            report.longrepr = place
        return report


def _is_only(raised: BaseException | None, kind: type[BaseException]) -> bool:
    """Whether it is of that kind, or a group of nothing else, as a task group of an async test raises it."""
    if isinstance(raised, BaseExceptionGroup):
        return raised.split(kind)[1] is None
    return isinstance(raised, kind)
