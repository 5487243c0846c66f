"""The control plane of a campaign: requests for whoever can decide them, and what is tried against it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from soclab.clock import FixedClock
from soclab.contracts.provider import ModelRequest, ModelResponse
from soclab.errors import RefusedError
from soclab.gateway.control_plane import ControlPlane
from soclab.gateway.signing_key import SigningKey
from soclab.providers.base import StructuredProvider
from tests.unit.engine.campaigns import finished, started
from tests.unit.gateway.control_plane import SECRET, bound, queue


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


def test_a_campaign_that_was_stopped_has_tried_no_manoeuvre(tmp_path: Path) -> None:
    """Not tried is not refused: the gate fails and says why."""
    running = started(tmp_path, Slow(), patterns=("BEN-001",))
    card = running.finish(cancel=True).scorecard
    (gate,) = (one for one in card.mandatory_gates if one.name == "manoeuvres_refused")
    assert card.manoeuvres == ()
    assert (gate.passed, gate.detail) == (False, "not tried: the campaign was stopped before its end")


def test_manoeuvres_are_the_same_for_the_same_campaign(tmp_path: Path) -> None:
    """No time, no chance and no path is in them, whatever the seed."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    one, two = (finished(tmp_path / name, patterns=("BEN-001",), seed=name).scorecard for name in ("one", "two"))
    assert one.manoeuvres == two.manoeuvres
    assert len(one.manoeuvres) == 7


def test_a_given_key_signs_the_grants_and_is_written_nowhere(tmp_path: Path) -> None:
    """The desk of a run is made of it; a run without one has a key of its own."""
    key = bytes(range(200, 240))
    proposal = bound()
    plain, given = (
        ControlPlane(SECRET, FixedClock(), queue()),
        ControlPlane(SECRET, FixedClock(), queue(), key=SigningKey(key)),
    )
    grant = given.desk("a" * 32).issue(proposal)
    assert given.desk("b" * 32).redeem(grant, proposal) == grant
    with pytest.raises(RefusedError, match="grant_forged"):
        plain.desk("a" * 32).redeem(grant, proposal)
    with pytest.raises(RefusedError, match="grant_forged"):
        plain.desk("a" * 32).redeem(plain.desk("b" * 32).issue(proposal), proposal)
    assert key.hex() not in repr(given)


class Slow(StructuredProvider):
    """Answers nothing for a long time."""

    provider_id = "slow"
    model = "agent"

    async def generate_structured(self, request: ModelRequest) -> ModelResponse:
        await asyncio.sleep(60)
        raise AssertionError(request)
