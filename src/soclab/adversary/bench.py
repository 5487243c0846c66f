"""What one manoeuvre works with: a world, a gate, a queue and a ledger of the real code, used by nobody else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from soclab.adversary.proving_ground import EVIDENCE_IDS, PROVING_GROUND
from soclab.contracts.approval import Approval, BoundProposal
from soclab.contracts.evidence import BadLine, Seal
from soclab.contracts.gate import CallRecord, StageContext
from soclab.contracts.grant import Grant
from soclab.contracts.proposal import ToolProposal
from soclab.contracts.vocabulary import Decision, Stage
from soclab.errors import LabFault, RefusedError
from soclab.gateway.approvals import ApprovalQueue
from soclab.gateway.clearing import Clearing
from soclab.gateway.control_plane import ControlPlane
from soclab.gateway.gate import LabGate
from soclab.simulator.world import World

__all__ = ["AGENT", "Bench", "Diagnose", "GateOf", "MovedClock", "WriteLedger"]

AGENT: Final = "manoeuvre:agent"
REVIEWER: Final = "manoeuvre reviewer"
_RUN, _INCIDENT = "0" * 32, "INC-MANOEUVRE"
_START: Final = datetime(2026, 1, 1, tzinfo=UTC)

GateOf = Callable[[World, Clearing], LabGate]
"""The gate of a protected run of this campaign over this world."""
WriteLedger = Callable[[Path], Seal]
"""Writes a small journal as campaigns do; where it ended."""
Diagnose = Callable[[Path, Seal | None], BadLine | None]


@dataclass
class MovedClock:
    """Stands still until it is moved."""

    moment: datetime = _START

    def now(self) -> datetime:
        return self.moment

    def monotonic_ms(self) -> float:
        return (self.moment - _START).total_seconds() * 1000

    def pass_seconds(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


@dataclass
class Bench:
    """
    Args:
        secret: of the campaign.
        gate_of: makes the gate as runs of the campaign have it, with the controls that are on.
        write_ledger, diagnose: as campaigns write their journal, and as it is checked.
        barred: who the agent is, and whose agent it is.
    """

    secret: bytes
    gate_of: GateOf
    write_ledger: WriteLedger
    diagnose: Diagnose
    policy_version: str = ""
    authority_level: str = "L4"
    barred: tuple[str, ...] = (AGENT,)
    clock: MovedClock = field(default_factory=MovedClock)

    def __post_init__(self) -> None:
        self.world = World.build(PROVING_GROUND, payload=None, canaries={})
        self.queue = ApprovalQueue(self.secret, self.clock)
        plane = ControlPlane(
            secret=self.secret,
            clock=self.clock,
            queue=self.queue,
            barred=self.barred,
            policy_version=self.policy_version,
            authority_level=self.authority_level,
        )
        self.gate = self.gate_of(self.world, plane.clearing(_RUN, _INCIDENT, self.world))

    @property
    def clearing(self) -> Clearing:
        clearing = self.gate.clearing
        if clearing is None:
            raise LabFault("manoeuvres need a gate with controls")
        return clearing

    def changes_made(self) -> int:
        """Response actions that ran in this world."""
        actions = self.world.snapshot()["actions"]
        return len(actions) if isinstance(actions, list) else 0

    async def submit(self, proposal: ToolProposal) -> CallRecord:
        """
        What the gate makes of it.

        Raises:
            LabFault: the gate could not judge, so that nothing can be shown.
        """
        context = StageContext(stage=Stage.PROPOSE_ACTION, evidence_ids=EVIDENCE_IDS)
        record = await self.gate.submit(proposal, context, f"{proposal.name}:9")
        if record.ruling is None or record.ruling.fault:
            raise LabFault(record.ruling.fault if record.ruling else "there is no ruling")
        return record

    async def asked(self, proposal: ToolProposal) -> Approval | None:
        """Submit it; the request that people have to decide, None when it was not held."""
        record = await self.submit(proposal)
        if record.ruling is None or record.ruling.decision is not Decision.HOLD or record.clearance is None:
            return None
        return self.queue.get(record.clearance.approval_id or "")

    def agree(self, approval: Approval) -> Approval:
        """Somebody who may says yes."""
        return self.queue.decide(approval.approval_id, decider=REVIEWER, agrees=True, digest=approval.proposal_sha256)

    def bind(self, proposal: ToolProposal) -> BoundProposal:
        return self.clearing.binding.bind(proposal, Stage.PROPOSE_ACTION)

    def granted(self, proposal: ToolProposal) -> tuple[BoundProposal, Grant | None]:
        """A call with a grant that the lab itself gave: people agreed to exactly this one."""
        call = self.bind(proposal)
        return call, self.clearing.grant(call, self.agree(self.clearing.ask(call)))


def proposal_of(tool: str, cited: Sequence[str] = EVIDENCE_IDS[:2], **arguments: str) -> ToolProposal:
    """A proposal as an agent would make it."""
    return ToolProposal(name=tool, arguments={**arguments}, rationale="A manoeuvre.", cited=tuple(cited))


def refusal_of(deed: Callable[[], object]) -> str | None:
    """The code by which the control plane refused a deed; None when it did not."""
    try:
        deed()
    except RefusedError as refusal:
        return refusal.code
    return None


__all__ += ["proposal_of", "refusal_of"]
