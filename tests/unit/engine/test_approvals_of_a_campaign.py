"""The requests of a campaign, for whoever can decide them."""

from __future__ import annotations

from pathlib import Path

import pytest

from soclab.errors import RefusedError
from tests.unit.engine.campaigns import started


def test_requests_that_wait_are_reachable_from_code(tmp_path: Path) -> None:
    """
    What the agent proposed waits with its proposal; the agent cannot decide it under any of its names, somebody else
    can, once.
    """
    running = started(tmp_path, patterns=("BEN-001",))
    running.wait_all()
    waiting = running.approvals.pending()
    done = running.finish()
    (one,) = waiting
    assert one.proposal.run_id == done.results[0].run_id
    said = {"agrees": True, "digest": one.proposal_sha256}
    label = running.plan.provider.label
    for name in (label.upper(), "Reference"):
        with pytest.raises(RefusedError, match="self_approval"):
            running.approvals.decide(one.approval_id, decider=name, **said)  # type: ignore[arg-type]
    assert running.approvals.decide(one.approval_id, decider="lena.fischer", **said).status == "granted"  # type: ignore[arg-type]
    with pytest.raises(RefusedError, match="approval_decided"):
        running.approvals.decide(one.approval_id, decider="lena.fischer", **said)  # type: ignore[arg-type]
