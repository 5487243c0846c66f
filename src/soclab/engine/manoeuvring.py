"""What the lab tries against its own control plane when the runs of a protected campaign are done."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from soclab.adversary.bench import Bench, MovedClock
from soclab.adversary.manoeuvre import try_all
from soclab.adversary.manoeuvres import MANOEUVRES
from soclab.contracts.evidence import Seal
from soclab.contracts.manoeuvre import ManoeuvreResult
from soclab.contracts.vocabulary import Decision, Mode
from soclab.engine.journal import Journal
from soclab.engine.live import RunKit
from soclab.evidence.diagnosis import diagnose
from soclab.evidence.verify import verify_journal
from soclab.gateway.clearing import Clearing
from soclab.gateway.control import GateFacts
from soclab.gateway.gate import LabGate
from soclab.redaction import Secrets
from soclab.simulator.world import World

__all__ = ["try_manoeuvres", "write_ledger"]

_RUN: Final = "0" * 32
_AGENTS_USER: Final = "agnes.keller"
"""Stands for whoever lets the agent act: a campaign has nobody of that kind."""


async def try_manoeuvres(kit: RunKit) -> tuple[ManoeuvreResult, ...]:
    """Every manoeuvre, under the controls and the policy of this campaign; () in baseline, which refuses nothing."""
    if kit.plan.mode is Mode.BASELINE:
        return ()
    plane = kit.control_plane
    bench = partial(
        Bench,
        kit.plan.secret,
        partial(_gate, kit),
        write_ledger,
        diagnose,
        policy_version=plane.policy_version,
        authority_level=plane.authority_level,
        barred=(*plane.barred, _AGENTS_USER),
    )
    return await try_all(MANOEUVRES, bench)


def _gate(kit: RunKit, world: World, clearing: Clearing) -> LabGate:
    return LabGate.for_run(
        world,
        controls=kit.controls[Mode.PROTECTED],
        redacts=True,
        canaries={},
        placeholders={},
        facts=GateFacts(level=kit.plan.authority_level.number),
        policy=kit.policy,
        clearing=clearing,
    )


def write_ledger(path: Path) -> Seal:
    """A small journal with a denial in the middle, and where it ended."""
    with Journal.create(path, Secrets(), MovedClock()) as journal:
        journal.append("campaign_started", beside={"header": {}})
        for number in range(3):
            event = journal.event_bytes({"call": {"decision": Decision.DENY.value, "number": number}})
            journal.append("answered", run_id=_RUN, event=event)
        journal.append("campaign_finished", beside={"end": {}})
    evidence = verify_journal(path).evidence
    return Seal(lines=evidence.journal_lines, root=evidence.journal_root)
