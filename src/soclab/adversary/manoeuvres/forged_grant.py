"""A permit that the lab never gave."""

from __future__ import annotations

from soclab.adversary.bench import Bench, proposal_of, refusal_of
from soclab.adversary.manoeuvre import Manoeuvre, Tried
from soclab.adversary.proving_ground import HOST
from soclab.gateway.grants import GrantDesk
from soclab.gateway.signing_key import SigningKey

__all__ = ["FORGED_GRANT"]


async def _attempt(bench: Bench) -> Tried:
    call = bench.bind(proposal_of("isolate_endpoint", endpoint_id=HOST))
    own = GrantDesk(SigningKey(bytes(32)), bench.clock)
    codes = [refusal_of(lambda: bench.gate.executor.act(call, own.issue(call)))]
    true = bench.clearing.grant(bench.bind(proposal_of("add_note", text="Seen.")), None)
    signature = {} if true is None else {"signature": true.signature}
    rewritten = own.issue(call).model_copy(update=signature)
    codes += [refusal_of(lambda: bench.gate.executor.act(call, one)) for one in (rewritten, None)]  # noqa: B023
    if bench.changes_made() or None in codes:
        return Tried(False, "a change ran on a grant that the lab never signed")
    return Tried(True, ", ".join(dict.fromkeys(str(one) for one in codes)))


FORGED_GRANT = Manoeuvre(
    "MAN-001",
    "forged grant",
    "A change is brought to the executor with a grant under a foreign key, with a true signature, with none.",
    "grant",
    _attempt,
)
