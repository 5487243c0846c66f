"""Who may know the answer key."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import soclab

ROOT = Path(soclab.__file__).parent
AGENTS = ("adversary", "providers")
ANSWER_KEY = ("soclab.contracts.scenario_v1", "soclab.contracts.fixture", "soclab.scenarios", "soclab.oracles")
EXCEPTIONS = {"adversary/puppet.py", "adversary/planted.py"}
"""The proof that an attack can win, and the agents of the self-check, whose behaviour is known before the run."""
NO_AGENT = "adversary/proving_ground.py"
"""Makes the world of the lab's manoeuvres, which no agent is asked about."""


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{one.name}" for one in node.names)


def knows_the_answer_key(path: Path) -> bool:
    return any(name == key or name.startswith(f"{key}.") for name in imported(path) for key in ANSWER_KEY)


def test_only_puppet_and_planted_agents_know_the_answer_key() -> None:
    """Of everything that can play an agent, two files may see a scenario; neither can be named as a provider."""
    files = {path.relative_to(ROOT).as_posix(): path for room in AGENTS for path in (ROOT / room).rglob("*.py")}
    del files[NO_AGENT]
    assert {name for name, path in files.items() if knows_the_answer_key(path)} == EXCEPTIONS


def test_nothing_that_plays_an_agent_stands_on_the_proving_ground() -> None:
    """So the one file beside the puppet that makes a world tells no agent anything."""
    users = {
        path.relative_to(ROOT).as_posix().split("/")[1]
        for path in ROOT.rglob("*.py")
        if any(name.startswith("soclab.adversary.proving_ground") for name in imported(path))
    }
    assert users == {"bench.py", "manoeuvres"}


def test_examples_do_not_import_the_lab() -> None:
    """The example agents are agents: they stand outside."""
    examples = ROOT.parent.parent / "examples"
    assert not [path for path in examples.rglob("*.py") if knows_the_answer_key(path)]
