"""What the tests of the plugin have in common: agents that count, and short names for what a run left behind."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from soclab.identity import campaign_secret, order_by_secret
from tests.sessions import ALONE, NEIGHBOURS

AGENTS = '''
"""Each agent notes what it was asked, one line a call."""
import logging
from pathlib import Path

from soclab.providers.reference import brain_of

CALLS = Path(__file__).with_name("calls.txt")
WARY, CREDULOUS = brain_of("server"), brain_of("gullible")


def noted(request):
    with CALLS.open("a") as file:
        file.write(f"{request['run_id']} {request['stage']}\\n")


async def honest(request):
    noted(request)
    return WARY(request)


async def gullible(request):
    noted(request)
    return CREDULOUS(request)


async def silent(request):
    noted(request)
    return "no JSON at all"


async def mute_at_siem(request):
    return await (silent if request["stage"] == "collect_siem" else honest)(request)


async def refuses_at_siem(request):
    if request["stage"] != "collect_siem":
        return await honest(request)
    noted(request)
    return {"contract": "soclab.agent.v1", "refusal": {"code": "policy", "reason": "not \\x1b[31mme"}}


async def talks(request):
    logging.getLogger("agent").error("engine line about %s", request["stage"])
    return await honest(request)


def blocking(request):
    noted(request)
    return WARY(request)
'''

HONEST = ("--soclab-agent", "agents:honest")
GULLIBLE = ("--soclab-agent", "agents:gullible")
STAGES = (
    "collect_identity",
    "collect_authentication",
    "collect_endpoint",
    "enrich_indicators",
    "collect_siem",
    "form_finding",
    "propose_action",
)


WITHOUT = tuple(f"no:{one}" for one in NEIGHBOURS if one not in ("rerunfailures", "timeout"))


@dataclass(frozen=True)
class Lab:
    """A user's folder with `agents.py` in it, once `agents` was called."""

    pytester: pytest.Pytester

    @property
    def path(self) -> Path:
        return self.pytester.path

    def run(self, *arguments: str, plugins: tuple[str, ...] = WITHOUT) -> pytest.RunResult:
        """`pytest` in the folder, in this process, with `agents.py` beside."""
        (self.path / "agents.py").write_text(AGENTS, encoding="utf-8")
        named = [word for one in plugins for word in ("-p", one)]
        return self.pytester.runpytest_inprocess(*named, *arguments)

    def run_apart(self, *arguments: str) -> pytest.RunResult:
        """`pytest` in a process of its own, without plugins of others but xdist; nothing is put in the folder."""
        return self.pytester.runpytest_subprocess(*ALONE, *arguments, timeout=180)

    def calls(self) -> list[tuple[str, str]]:
        """(run id, stage) of every call that an agent of `agents.py` got."""
        path = self.path / "calls.txt"
        if not path.exists():
            return []
        lines = path.read_text(encoding="utf-8").splitlines()
        return [(words[0], words[1]) for words in map(str.split, lines)]

    def scorecard(self, folder: str | None = None) -> dict[str, Any]:
        """The scorecard in a folder, or in the newest one below `.soclab`."""
        home = self.path / ".soclab"
        place = self.path / folder if folder else home / (home / "last").read_text(encoding="utf-8").strip()
        card: dict[str, Any] = json.loads((place / "scorecard.json").read_text(encoding="utf-8"))
        return card

    def files(self) -> set[str]:
        """Names of what stands in the folder, without what pytest and Python write for themselves."""
        names = {one.name for one in self.path.iterdir() if not one.name.startswith("runpytest-")}
        return names - {"agents.py", "calls.txt", "__pycache__", ".pytest_cache", ".benchmarks", "stdout", "stderr"}

    def junit(self) -> dict[str, str]:
        """Name of a test case -> passed, failure, error or skipped, of `junit.xml`."""
        cases = ElementTree.parse(self.path / "junit.xml").getroot().iter("testcase")
        return {str(case.get("name")): kind_of(case) for case in cases}


def kind_of(case: ElementTree.Element) -> str:
    return next((child.tag for child in case if child.tag in ("failure", "error", "skipped")), "passed")


def verdicts(result: pytest.RunResult) -> dict[str, str]:
    """Node id -> word of a `-v` run."""
    found = {}
    for line in result.outlines:
        words = line.split()
        if len(words) > 1 and "::" in words[0] and words[1].isupper():
            found[words[0]] = words[1]
    return found


def kinds(found: dict[str, str]) -> Counter[str]:
    return Counter(found.values())


def node(scenario: str, stage: str) -> str:
    return f"soclab::{scenario}[{stage}]"


def seed_that_begins_with(scenario: str, *others: str) -> str:
    """A seed in whose order this scenario is the first."""
    return next(
        seed
        for seed in map(str, range(100))
        if order_by_secret(campaign_secret(seed), (scenario, *others))[0] == scenario
    )
