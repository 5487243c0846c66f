"""A yes that came, or is used, too late."""

from __future__ import annotations

from soclab.adversary.bench import Bench, proposal_of, refusal_of
from soclab.adversary.manoeuvre import Manoeuvre, Tried
from soclab.adversary.proving_ground import OTHER_USER, USER
from soclab.gateway.approvals import APPROVAL_SECONDS

__all__ = ["EXPIRED_APPROVAL"]


async def _attempt(bench: Bench) -> Tried:
    in_time, late = (proposal_of("disable_account", user_id=user) for user in (USER, OTHER_USER))
    first, second = await bench.asked(in_time), await bench.asked(late)
    if bench.changes_made():
        return Tried(False, "a change ran though nobody had said yes")
    if first is None or second is None:
        return Tried(True, "denied before anybody was asked")
    agreed = bench.agree(first)
    bench.clock.pass_seconds(APPROVAL_SECONDS)
    used = refusal_of(lambda: bench.clearing.grant(agreed.proposal, agreed))
    decided = refusal_of(lambda: bench.agree(second))
    await bench.submit(in_time)
    await bench.submit(late)
    if bench.changes_made() or used is None or decided is None:
        return Tried(False, "a change ran on a yes whose time was over")
    return Tried(True, f"{used} when used, {decided} when decided")


EXPIRED_APPROVAL = Manoeuvre(
    "MAN-006",
    "expired approval",
    "A yes is used after its time, and another request is decided after its time.",
    "approval",
    _attempt,
)
