"""Records are made ready when they are first used: each can be, whoever uses it first."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

import soclab
from soclab.contracts.strict import Frozen

THREADS = 8


def kinds_below(kind: type[Frozen]) -> Iterator[type[Frozen]]:
    for one in kind.__subclasses__():
        yield one
        yield from kinds_below(one)


def every_record() -> dict[str, type[Frozen]]:
    """Of every module of the lab; whatever tests have made is left out."""
    for module in pkgutil.walk_packages(soclab.__path__, "soclab."):
        if not module.name.startswith("soclab.published"):
            importlib.import_module(module.name)
    return {f"{one.__module__}.{one.__qualname__}": one for one in kinds_below(Frozen) if "soclab." in one.__module__}


RECORDS = every_record()


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_every_record_can_be_made_ready(name: str) -> None:
    """A wrong annotation shows here, and not in the campaign that first uses the record."""
    assert RECORDS[name].model_rebuild(force=True) is True


def test_many_threads_may_be_the_first_to_use_a_record() -> None:
    """Each gets its record, whoever makes the class ready."""
    for _ in range(20):

        class Part(Frozen):
            number: int

        class Whole(Frozen):
            parts: tuple[Part, ...]
            name: str = ""

        at_once = Barrier(THREADS)

        def made(number: int, whole: type[Whole] = Whole, at_once: Barrier = at_once) -> str:
            at_once.wait()
            return whole.model_validate({"parts": ({"number": number},)}).model_dump_json()

        with ThreadPoolExecutor(THREADS) as threads:
            found = list(threads.map(made, range(THREADS)))
        assert found == [f'{{"parts":[{{"number":{number}}}],"name":""}}' for number in range(THREADS)]
