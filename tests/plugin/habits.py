"""Flags of pytest and plugins of others, each as a session whose calls, status and results are counted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tests.plugin.lab import node, seed_that_begins_with

__all__ = ["BROKEN_STAGE", "SECTIONS", "Habit", "Section"]

SEED: Final = seed_that_begins_with("BEN-002", "BEN-001")
"""The run whose items come first is led last: what a session calls does not depend on who is faster."""
BROKEN_STAGE: Final = node("BEN-001", "collect_siem")


@dataclass(frozen=True)
class Habit:
    """
    One row.

    Attributes:
        flag: as the page shows it.
        arguments: of the session that is counted.
        before: of the session before it in the same folder; None for none.
        files: what else stands in the user's folder.
        neighbour: what the session's list of plugins must name; "" for nothing.
        apart: needs a process of its own.
        slow: not part of the quick tests.
    """

    flag: str
    arguments: tuple[str, ...]
    before: tuple[str, ...] | None = None
    files: dict[str, str] = field(default_factory=dict)
    neighbour: str = ""
    apart: bool = False
    slow: bool = False


@dataclass(frozen=True)
class Section:
    """A table of the page: its agent and its rows."""

    title: str
    words: str
    agent: str
    rows: tuple[Habit, ...]

    @property
    def options(self) -> tuple[str, ...]:
        chosen = ("--soclab-agent", f"agents:{self.agent}", "--soclab-scenario", "BEN-00[12]")
        return (*chosen, "--soclab-seed", SEED, "--soclab-concurrency", "1")


def _mine(body: str) -> dict[str, str]:
    return {"test_mine.py": body}


_SELECTION: Final = Section(
    "Selection",
    "The agent answers with no JSON at `collect_siem`, the fifth of seven stages. "
    "What `-x` and its like call depends on the seed.",
    "mute_at_siem",
    (
        Habit("(nothing)", ()),
        Habit("`-m soclab`", ("-m", "soclab")),
        Habit("`-m 'not soclab'`", ("-m", "not soclab")),
        Habit("`-k collect_endpoint`, before the break", ("-k", "collect_endpoint")),
        Habit("`-k collect_siem`, the break", ("-k", "collect_siem")),
        Habit("`-k propose_action`, after the break", ("-k", "propose_action")),
        Habit("`-k BEN-001`", ("-k", "BEN-001")),
        Habit("`-k nothing_like_it`", ("-k", "nothing_like_it")),
        Habit("`soclab::BEN-002`", ("soclab::BEN-002",)),
        Habit("`'soclab::BEN-001[collect_endpoint]'`", (node("BEN-001", "collect_endpoint"),)),
        Habit("`'soclab::BEN-001[form_finding]'`", (node("BEN-001", "form_finding"),)),
        Habit("`--deselect 'soclab::BEN-001[collect_siem]'`", ("--deselect", BROKEN_STAGE)),
        Habit("`--deselect soclab::BEN-001`", ("--deselect", "soclab::BEN-001")),
        Habit("`--lf`, second session", ("--lf",), before=()),
        Habit("`--ff`, second session", ("--ff",), before=()),
        Habit("`--nf`, second session", ("--nf",), before=()),
        Habit("`--sw`", ("--sw",)),
        Habit("`--sw`, second session", ("--sw",), before=("--sw",)),
        Habit("`-x`", ("-x",)),
        Habit("`--maxfail=1`", ("--maxfail=1",)),
        Habit("`--maxfail=2`", ("--maxfail=2",)),
        Habit("`--collect-only`", ("--collect-only",)),
        Habit("`--setup-plan`", ("--setup-plan",)),
        Habit("`-p no:soclab`", ("-p", "no:soclab")),
    ),
)
_DISTRIBUTION: Final = Section(
    "Distribution",
    "pytest-xdist. The agent answers as it should.",
    "honest",
    (
        Habit("`-n 0`", ("-n", "0"), apart=True),
        Habit("`-n 1`", ("-n", "1"), apart=True, slow=True),
        Habit("`-n 2`", ("-n", "2"), apart=True),
        *(
            Habit(f"`-n 2 --dist {kind}`", ("-n", "2", "--dist", kind), apart=True, slow=True)
            for kind in ("load", "loadscope", "loadfile", "loadgroup", "worksteal", "no", "each")
        ),
        Habit("`-n 2 -p randomly`", ("-n", "2", "-p", "randomly"), apart=True, slow=True, neighbour="randomly"),
    ),
)
_NEIGHBOURS: Final = Section(
    "Neighbours",
    "Every plugin named here is loaded in each of these sessions. The agent answers as it should.",
    "honest",
    (
        Habit("pytest-randomly, shuffled", ("-p", "randomly", "-p", "no:asyncio"), neighbour="randomly"),
        Habit("pytest-rerunfailures, `--reruns 2`", ("--reruns", "2"), neighbour="rerunfailures"),
        Habit(
            "pytest-timeout, `--timeout=0.001 --timeout-method=thread`",
            ("--timeout=0.001", "--timeout-method=thread"),
            neighbour="timeout",
        ),
        Habit(
            "pytest-timeout, `--timeout=0.001 --timeout-method=signal`",
            ("--timeout=0.001", "--timeout-method=signal"),
            neighbour="timeout",
        ),
        Habit("pytest-cov, `--cov=agents`", ("--cov=agents",), neighbour="cov", apart=True),
        Habit("pytest-html, `--html=report.html`", ("--html=report.html",), neighbour="html"),
        Habit("syrupy, with a snapshot test", (), neighbour="syrupy", files=_mine("def test_it(snapshot): pass\n")),
        Habit(
            "pytest-benchmark, with a benchmark",
            (),
            neighbour="benchmark",
            apart=True,
            files=_mine("def test_it(benchmark): benchmark(int)\n"),
        ),
        Habit(
            "pytest-asyncio, strict",
            ("-o", "asyncio_mode=strict"),
            neighbour="asyncio",
            files=_mine("import pytest\n\n@pytest.mark.asyncio\nasync def test_it(): pass\n"),
        ),
        Habit(
            "pytest-asyncio, auto",
            ("-o", "asyncio_mode=auto"),
            neighbour="asyncio",
            files=_mine("async def test_it(): pass\n"),
        ),
        Habit("`--durations=5`", ("--durations=5",)),
        Habit("`--setup-show`", ("--setup-show",)),
        Habit("`--import-mode=importlib`", ("--import-mode=importlib",)),
        Habit("`--strict-markers --strict-config -W error`", ("--strict-markers", "--strict-config", "-W", "error")),
    ),
)
_RERUNS: Final = Section(
    "Reruns",
    "pytest-rerunfailures. The agent answers with no JSON at `collect_siem`, each time.",
    "mute_at_siem",
    (
        Habit("`--reruns 2`", ("--reruns", "2"), neighbour="rerunfailures"),
        Habit("`--reruns 2 -n 2`", ("--reruns", "2", "-n", "2"), neighbour="rerunfailures", apart=True, slow=True),
    ),
)
SECTIONS: Final = (_SELECTION, _DISTRIBUTION, _NEIGHBOURS, _RERUNS)
