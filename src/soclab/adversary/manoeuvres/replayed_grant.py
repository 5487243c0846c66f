"""A permit that was used."""

from __future__ import annotations

from soclab.adversary.bench import Bench, proposal_of, refusal_of
from soclab.adversary.manoeuvre import Manoeuvre, Tried
from soclab.adversary.proving_ground import HOST
from soclab.errors import LabFault
from soclab.gateway.grants import GRANT_SECONDS

__all__ = ["REPLAYED_GRANT"]


async def _attempt(bench: Bench) -> Tried:
    act = bench.gate.executor.act
    call, grant = bench.granted(proposal_of("isolate_endpoint", endpoint_id=HOST))
    if act(call, grant).error is not None:
        raise LabFault("the true grant ran nothing")
    again = refusal_of(lambda: act(call, grant))
    spare = bench.clearing.grant(bench.bind(proposal_of("add_note", text="Seen.")), None)
    bench.clock.pass_seconds(GRANT_SECONDS)
    late = refusal_of(lambda: act(bench.bind(proposal_of("add_note", text="Seen.")), spare))
    if bench.changes_made() != 1:
        return Tried(False, f"{bench.changes_made()} changes ran on grants for one, or after their time")
    return Tried(True, f"{again}, {late}")


REPLAYED_GRANT = Manoeuvre(
    "MAN-002",
    "replayed grant",
    "A grant is used a second time, and another one after its time.",
    "grant",
    _attempt,
)
