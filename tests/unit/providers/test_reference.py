"""The example agents in this process are loaded once, whoever asks first."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from soclab.errors import LabFault
from soclab.providers import reference

SLOW = """
import test_reference_gate as gate
gate.loads.append(1)
gate.begun.set()
gate.may_end.wait(10)
def answer(request):
    return request
"""


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """An example file whose loading waits for the test; gives what it waits for."""
    (tmp_path / "http_agent").mkdir()
    (tmp_path / "http_agent" / "slow.py").write_text(SLOW, encoding="ascii")
    gate = type(sys)("test_reference_gate")
    gate.loads, gate.begun, gate.may_end = [], threading.Event(), threading.Event()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "test_reference_gate", gate)
    monkeypatch.setattr(reference, "published", lambda _: tmp_path)
    yield gate
    sys.modules.pop("_soclab_example_slow", None)


def test_a_thread_that_comes_while_the_file_is_loading_waits_for_it(example) -> None:
    """Nobody gets hold of half a file, and it is loaded once."""
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(reference.brain_of, "slow")
        assert example.begun.wait(10)
        second = threads.submit(reference.brain_of, "slow")
        with pytest.raises(TimeoutError):
            second.result(0.1)
        example.may_end.set()
        assert first.result(10) is second.result(10)
    assert example.loads == [1]


def test_a_file_that_is_not_there_is_a_fault_of_the_installation(example) -> None:
    """The line says what is missing."""
    with pytest.raises(LabFault, match=r"example agent nobody.py is missing"):
        reference.brain_of("nobody")
