"""The garbage collector rests while a campaign is loaded and collected, and no longer."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from soclab.pytest_plugin import garbage
from tests.plugin.lab import HONEST, Lab

OWN_TEST = """
    import gc

    def test_collector():
        assert gc.isenabled() is {enabled}
"""
SPY = """
    import gc

    def pytest_itemcollected(item):
        assert gc.isenabled() is False
"""


class Node:
    itself: object = None


@pytest.fixture(autouse=True)
def _collector() -> Iterator[None]:
    yield
    gc.enable()


def test_it_works_again_when_the_first_test_runs(lab: Lab) -> None:
    """Off while items are collected, on while they run, and on after the session."""
    lab.pytester.makeconftest(SPY)
    lab.pytester.makepyfile(test_mine=OWN_TEST.format(enabled=True))
    result = lab.run(*HONEST, "test_mine.py", "soclab::ATK-001[collect_identity]")

    result.assert_outcomes(passed=2, skipped=1)  # the gate has nothing to say of a part
    assert gc.isenabled()


def test_what_is_garbage_is_gone_before_the_rest_is_put_aside(pytestconfig: pytest.Config) -> None:
    """What is put aside is never looked through again, and collecting leaves a node in a circle for each scenario."""
    gc.disable()
    node = Node()
    node.itself = node
    left = weakref.ref(node)
    del node
    garbage.wake(pytestconfig, stays=True)
    gc.unfreeze()

    assert left() is None


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        (["--soclab-mode", "nonsense"], pytest.ExitCode.USAGE_ERROR),
        (["no_such_file.py"], pytest.ExitCode.USAGE_ERROR),
        (["test_broken.py"], pytest.ExitCode.INTERRUPTED),
        (["--collect-only", "soclab"], pytest.ExitCode.OK),
    ],
)
def test_it_works_again_however_the_session_ends(lab: Lab, wrong: list[str], status: pytest.ExitCode) -> None:
    """Wrong use, a file that cannot be collected, and a session that only collects."""
    lab.pytester.makepyfile(test_broken="1 / 0")
    result = lab.run(*HONEST, *wrong)

    assert result.ret == status
    assert gc.isenabled()


def test_one_that_the_user_has_switched_off_stays_off(lab: Lab) -> None:
    """It is switched on by whoever switched it off."""
    lab.pytester.makepyfile(test_mine=OWN_TEST.format(enabled=False))
    gc.disable()
    result = lab.run(*HONEST, "test_mine.py")

    result.assert_outcomes(passed=1)
    assert not gc.isenabled()
