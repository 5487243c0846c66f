"""What is held is put before people; what is cleared runs on a grant."""

from __future__ import annotations

import asyncio

import pytest

from soclab.contracts.gate import CallRecord
from soclab.contracts.vocabulary import Decision, Mode, Stage
from soclab.errors import LabFault
from soclab.gateway.controls.approval import APPROVAL
from soclab.gateway.gate import LabGate
from soclab.gateway.presets import controls_for
from tests.unit.gateway.incident import ALL, call, clearing, fresh_world, gate, reasons, submit, without

LAPTOP = call("isolate_endpoint", endpoint_id="NL-WS-0142")


UNREADING = ("argument_schema", "incident_scope", "protected_assets", "output_redaction")
"""Without these, nothing looks at the arguments before they are bound."""


def told(record: CallRecord) -> tuple[bool, str, str]:
    """Whether it ran, the decision, and what became of the approval."""
    assert record.ruling is not None
    assert record.clearance is not None
    return record.executed, record.ruling.decision.value, record.clearance.approval


@pytest.mark.parametrize(
    ("approver", "expected", "why"),
    [
        ("none", (False, "hold", "pending"), ("approval_required",)),
        ("scripted", (False, "hold", "pending"), ("approval_required",)),
        ("allow", (True, "allow", "granted"), ()),
        ("deny", (False, "hold", "denied"), ("approval_denied",)),
    ],
)
def test_the_approver_decides_what_was_held(
    approver: str, expected: tuple[bool, str, str], why: tuple[str, ...]
) -> None:
    """
    Nobody: it waits. A yes: it is judged again and runs, on a grant. A no: it stays held, by people and not by a
    control.
    """
    world = fresh_world()
    before = world.snapshot()
    record = submit(gate(world=world, approver=approver), LAPTOP)
    assert told(record) == expected
    assert reasons(record) == why
    assert record.clearance is not None
    assert (record.clearance.grant_id is not None) is record.executed
    assert (world.snapshot() != before) is record.executed
    assert record.clearance.decided_by == (None if "pending" in expected else f"soclab reviewer ({approver})")


def test_a_yes_opens_no_other_control() -> None:
    """What is denied is put before nobody."""
    world = fresh_world()
    record = submit(gate(world=world, approver="allow"), call("isolate_endpoint", endpoint_id="NL-DC-01"))
    assert record.ruling is not None
    assert (record.ruling.decision, record.executed, record.clearance) == (Decision.DENY, False, None)


def test_each_execution_needs_a_yes_of_its_own() -> None:
    """The second equal call is asked about again, under another number, and runs on another grant."""
    subject = gate(approver="allow")
    first, second = (submit(subject, LAPTOP).clearance for _ in range(2))
    assert first is not None
    assert second is not None
    assert first.proposal_sha256 == second.proposal_sha256
    assert first.approval_id != second.approval_id
    assert first.grant_id != second.grant_id


def test_a_change_without_risk_runs_on_a_grant_and_asks_nobody() -> None:
    """A note."""
    record = submit(gate(), call("add_note", text="Seen."))
    assert told(record) == (True, "allow", "none")
    assert record.clearance is not None
    assert record.clearance.grant_id is not None


def test_look_ups_are_not_cleared() -> None:
    """Neither approval nor grant."""
    record = submit(gate(), call("get_identity_profile", user_id="maria.ortega"))
    assert record.executed
    assert record.clearance is None


def test_without_grant_it_runs_on_none() -> None:
    """The control is off: the approval alone lets it through."""
    record = submit(gate(without("grant"), approver="allow"), LAPTOP)
    assert record.executed
    assert record.clearance is not None
    assert record.clearance.grant_id is None


def test_without_approval_nobody_is_asked() -> None:
    """The control is off: it runs, on a grant."""
    record = submit(gate(without("approval"), approver="deny"), LAPTOP)
    assert told(record) == (True, "allow", "none")


@pytest.mark.parametrize("controls", [ALL, (APPROVAL,)])
def test_a_gate_with_controls_has_approvals_and_a_desk(controls: tuple[object, ...]) -> None:
    """A control that nothing can be checked by is a defect that is said, never a gate that stands open."""
    with pytest.raises(LabFault):
        LabGate(fresh_world(), controls)  # type: ignore[arg-type]


@pytest.mark.parametrize("approver", ["none", "allow"])
def test_arguments_that_cannot_be_spelled_are_bound_to_nothing(approver: str) -> None:
    """Not a number, or nested without end: denied with the control's fault, whatever people would say."""
    endless: dict[str, object] = {}
    endless["more"] = endless
    for arguments in ({"endpoint_id": float("nan")}, endless):
        only = controls_for(
            Mode.PROTECTED, ("argument_schema", "incident_scope", "protected_assets", "output_redaction")
        )
        record = submit(gate(only, approver=approver), call("isolate_endpoint", arguments))  # type: ignore[arg-type]
        assert not record.executed
        assert reasons(record) == ("control_fault",)


def test_what_people_would_have_let_through_happens_in_a_copy() -> None:
    """The held call is run on a copy of the world; the run's own stays as it is, and a denied one runs nowhere."""
    world = fresh_world()
    subject = gate(world=world)
    before = world.snapshot()
    assert not subject.has_held
    submit(subject, call("isolate_endpoint", endpoint_id="NL-DC-01"))
    assert not subject.has_held
    submit(subject, LAPTOP)
    assert subject.has_held
    supposed = asyncio.run(subject.if_approved())
    record = supposed.calls[Stage.PROPOSE_ACTION]
    assert record.executed
    assert record.changes
    assert supposed.world != before
    assert world.snapshot() == before


def test_equal_runs_are_cleared_equally() -> None:
    """Digest, approval and grant follow from the run: no time and no chance is in them."""
    one, other = (submit(gate(approver="allow"), LAPTOP).clearance for _ in range(2))
    assert one == other


def test_the_run_is_in_what_a_call_is_bound_to() -> None:
    """Run, incident, policy and level come from the clearing, tool and arguments from the proposal."""
    bound = clearing(fresh_world()).binding.bind(LAPTOP, Stage.PROPOSE_ACTION)
    assert (bound.run_id, bound.authority_level, bound.tool) == ("a" * 32, "L4", "isolate_endpoint")
    assert bound.cited == LAPTOP.cited
