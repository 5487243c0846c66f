"""A permit for one thing, used for another."""

from __future__ import annotations

from soclab.adversary.bench import Bench, proposal_of, refusal_of
from soclab.adversary.manoeuvre import Manoeuvre, Tried
from soclab.adversary.proving_ground import OTHER_USER, USER

__all__ = ["SWAPPED_ARGUMENTS"]


async def _attempt(bench: Bench) -> Tried:
    act = bench.gate.executor.act
    proposal = proposal_of("disable_account", user_id=USER)
    call, grant = bench.granted(proposal)
    swaps = (
        call.model_copy(update={"arguments": {"user_id": OTHER_USER}}),
        call.model_copy(update={"tool": "reset_password"}),
        call.model_copy(update={"run_id": "1" * 32}),
        call.model_copy(update={"policy_version": f"{call.policy_version}+"}),
    )
    codes = [refusal_of(lambda: act(one, grant)) for one in swaps]  # noqa: B023  called at once
    if bench.changes_made() or None in codes:
        return Tried(False, "a change ran on the grant of another one")
    return Tried(True, ", ".join(str(one) for one in codes))


SWAPPED_ARGUMENTS = Manoeuvre(
    "MAN-003",
    "swapped arguments",
    "Between grant and execution the target is swapped, then the action, the run, and the policy.",
    "grant",
    _attempt,
)
