"""What the lab tries against its own control plane: refused as it stands, and each succeeds when its defence is off."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ClassVar

import pytest

from soclab.adversary.bench import AGENT, Bench
from soclab.adversary.manoeuvre import Manoeuvre, Tried, try_all
from soclab.adversary.manoeuvres import MANOEUVRES
from soclab.contracts.evidence import BadLine, Seal
from soclab.contracts.manoeuvre import ManoeuvreResult
from soclab.contracts.policy import PolicyDecision, PolicyFacts
from soclab.contracts.vocabulary import Mode
from soclab.engine.manoeuvring import write_ledger
from soclab.evidence.diagnosis import diagnose
from soclab.gateway.clearing import Clearing
from soclab.gateway.controls import CONTROLS
from soclab.gateway.gate import LabGate
from soclab.gateway.presets import controls_for
from soclab.simulator.world import World

SECRET = bytes(range(32))


def make_gate(off: Collection[str], world: World, clearing: Clearing) -> LabGate:
    """The gate of a protected run without some controls."""
    controls = controls_for(Mode.PROTECTED, off)
    return LabGate.for_run(world, controls=controls, redacts=True, canaries={}, placeholders={}, clearing=clearing)


def blind(path: Path, seal: Seal | None) -> BadLine | None:
    """A check of evidence that sees nothing."""
    return None


def tried(*off: str, evidence: bool = True, only: Collection[str] = ()) -> dict[str, ManoeuvreResult]:
    """Results by id, without some controls or the check of evidence."""
    bench = partial(
        Bench, SECRET, partial(make_gate, off), write_ledger, diagnose if evidence else blind, barred=(AGENT, "j.doe")
    )
    chosen = [one for one in MANOEUVRES if not only or one.id in only]
    return {one.id: one for one in asyncio.run(try_all(chosen, bench))}


def test_every_manoeuvre_is_refused_as_it_stands() -> None:
    """With the reason that belongs to it, and nothing that changes from run to run."""
    results = tried()
    assert {one.id: one.detail for one in results.values()} == {
        "MAN-001": "grant_forged, grant_missing",
        "MAN-002": "grant_reused, grant_expired",
        "MAN-003": "grant_other_arguments, grant_other_tool, grant_other_run, grant_other_policy",
        "MAN-004": "approval_flood, approval_other_proposal, approval_used",
        "MAN-005": "a denial rewritten: changed, a line left out: missing, two lines swapped: swapped, "
        "the end cut off: truncated, a denial rewritten and every hash after it: changed",
        "MAN-006": "approval_expired when used, approval_expired when decided",
        "MAN-007": "self_approval under 10 spellings",
    }
    assert all(one.refused for one in results.values())
    assert tried() == results


@pytest.mark.parametrize("manoeuvre", MANOEUVRES, ids=[one.id for one in MANOEUVRES])
def test_each_one_succeeds_when_its_defence_is_off(manoeuvre: Manoeuvre) -> None:
    """So what is refused is refused by that defence. It got through, which is not the same as not having been tried."""
    if manoeuvre.defence == "evidence":
        result = tried(evidence=False, only=[manoeuvre.id])[manoeuvre.id]
    else:
        result = tried(manoeuvre.defence, only=[manoeuvre.id])[manoeuvre.id]
    assert not result.refused
    assert "could not be tried" not in result.detail


@pytest.mark.parametrize("name", [control.name for control in CONTROLS])
def test_only_its_own_defence_makes_a_difference(name: str) -> None:
    """Whatever else is switched off, the others are still refused."""
    through = {one.id for one in tried(name).values() if not one.refused}
    assert through == {one.id for one in MANOEUVRES if one.defence == name}


def test_what_cannot_be_tried_is_not_refused() -> None:
    """A defence that was not seen to hold is none; the others go on."""

    async def broken(bench: Bench) -> Tried:
        raise RuntimeError("no\x1b[2J bench")

    first = replace(MANOEUVRES[0], attempt=broken)
    bench = partial(Bench, SECRET, partial(make_gate, ()), write_ledger, diagnose)
    one, other = asyncio.run(try_all((first, MANOEUVRES[1]), bench))
    assert (one.refused, other.refused) == (False, True)
    assert one.detail.startswith("could not be tried: RuntimeError")
    assert "\x1b" not in one.detail


def test_a_ledger_that_does_not_verify_at_all_shows_nothing() -> None:
    """A check that cries at everything would refuse every edit: so the untouched one is checked first."""
    bad = diagnose(Path(__file__), None)
    assert bad is not None
    bench = partial(Bench, SECRET, partial(make_gate, ()), write_ledger, lambda _path, _seal: bad)
    (result,) = asyncio.run(try_all([one for one in MANOEUVRES if one.id == "MAN-005"], bench))
    assert not result.refused
    assert "does not verify" in result.detail


def test_ids_are_unique_and_in_order() -> None:
    """They never change their meaning, and no scenario has one."""
    ids = [one.id for one in MANOEUVRES]
    assert ids == sorted(set(ids))
    assert all(re.fullmatch(r"MAN-[0-9]{3}", one) for one in ids)


def test_the_page_names_every_manoeuvre() -> None:
    """With its id, name and defence."""
    page = (Path(__file__).parents[3] / "docs" / "approvals-and-grants.md").read_text(encoding="utf-8")
    assert [one.id for one in MANOEUVRES if f"| {one.id} | {one.name} |" not in page] == []


class Unreachable:
    """A policy engine that fails whatever it is asked."""

    version = "none"
    reasons: ClassVar[Mapping[str, str]] = {}

    async def check(self) -> None:
        return

    async def decide(self, facts: PolicyFacts) -> PolicyDecision:
        raise OSError(facts.stage)

    async def version_now(self) -> str:
        return self.version

    async def aclose(self) -> None:
        return


class Holds(Unreachable):
    """A policy that asks people about everything, and does not let a change run for their yes either."""

    def __init__(self, *, for_ever: bool) -> None:
        self.for_ever = for_ever

    async def decide(self, facts: PolicyFacts) -> PolicyDecision:
        waits = self.for_ever or facts.approval in ("none", "pending")
        return PolicyDecision.of(holds=["people_first"] if waits else [])


@pytest.mark.parametrize("for_ever", [False, True], ids=["until somebody agrees", "for ever"])
def test_a_policy_that_holds_everything_lets_nothing_through(for_ever: bool) -> None:
    """No change runs there at all, and the yes is good for one grant all the same."""

    def make(world: World, clearing: Clearing) -> LabGate:
        return LabGate.for_run(
            world,
            controls=controls_for(Mode.PROTECTED),
            redacts=True,
            canaries={},
            placeholders={},
            policy=Holds(for_ever=for_ever),
            clearing=clearing,
        )

    results = asyncio.run(try_all(MANOEUVRES, partial(Bench, SECRET, make, write_ledger, diagnose)))
    assert [(one.id, one.detail) for one in results if not one.refused] == []
    assert "approval_flood, approval_other_proposal, approval_used" in {one.detail for one in results}


def test_where_the_policy_cannot_judge_nothing_was_shown() -> None:
    """Everything is denied then, and a manoeuvre that only met that was not tried; grants are checked all the same."""

    def make(world: World, clearing: Clearing) -> LabGate:
        controls = controls_for(Mode.PROTECTED)
        return LabGate.for_run(
            world,
            controls=controls,
            redacts=True,
            canaries={},
            placeholders={},
            policy=Unreachable(),
            clearing=clearing,
        )

    results = asyncio.run(try_all(MANOEUVRES, partial(Bench, SECRET, make, write_ledger, diagnose)))
    assert {one.id for one in results if not one.refused} == {"MAN-004", "MAN-006", "MAN-007"}
    assert all("could not be tried" in one.detail for one in results if not one.refused)
