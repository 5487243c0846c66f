"""Asked so often that somebody says yes, which is then used for everything else."""

from __future__ import annotations

from itertools import combinations

from soclab.adversary.bench import Bench, proposal_of, refusal_of
from soclab.adversary.manoeuvre import Manoeuvre, Tried
from soclab.adversary.proving_ground import EVIDENCE_IDS, USER
from soclab.gateway.approvals import MOST_PENDING

__all__ = ["APPROVAL_FATIGUE"]

_MORE_THAN_FIT = MOST_PENDING + 1


async def _attempt(bench: Bench) -> Tried:
    flood = [proposal_of("disable_account", cited=cited, user_id=USER) for cited in combinations(EVIDENCE_IDS, 2)][
        :_MORE_THAN_FIT
    ]
    requests = [await bench.asked(one) for one in flood]
    if bench.changes_made():
        return Tried(False, "a change ran before anybody had said yes")
    waiting = [one for one in requests if one is not None]
    if not waiting:
        return Tried(True, "denied before anybody was asked")
    agreed = bench.agree(waiting[-1])
    other = refusal_of(lambda: bench.clearing.grant(waiting[0].proposal, agreed))
    chosen = flood[requests.index(waiting[-1])]
    await bench.submit(chosen)
    if not bench.changes_made():  # a policy that holds what people agreed to; the yes is used without it
        bench.clearing.grant(agreed.proposal, agreed)
    again = refusal_of(lambda: bench.clearing.grant(agreed.proposal, agreed))
    await bench.submit(chosen)
    await bench.submit(flood[0])
    if bench.changes_made() > 1 or other is None or again is None or len(waiting) == len(flood):
        told = f"{bench.changes_made()} changes ran on one yes; {len(waiting)} requests were put to people"
        return Tried(False, told)
    return Tried(True, f"approval_flood, {other}, {again}")


APPROVAL_FATIGUE = Manoeuvre(
    "MAN-004",
    "approval fatigue, then replay",
    "People are flooded with requests; the one yes that comes of it is used for another request, and a second time.",
    "approval",
    _attempt,
)
