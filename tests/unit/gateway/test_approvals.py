"""Requests for approval: bound to one proposal, decided once, used once, in time, and by somebody else."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from soclab.contracts.approval import Approval
from soclab.errors import RefusedError
from soclab.gateway.approvals import APPROVAL_SECONDS, MOST_PENDING, ApprovalQueue
from tests.unit.gateway.control_plane import AGENT, REVIEWER, USER, MovedClock, asked, bound, queue, said_yes


def refusal(what: Callable[[], object]) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        what()
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"{caught.value.code}: ")
    return caught.value


def decide(subject: ApprovalQueue, one: Approval, decider: str = REVIEWER, **changes: str) -> Approval:
    return subject.decide(
        changes.get("approval_id", one.approval_id),
        decider=decider,
        agrees=True,
        digest=changes.get("digest", one.proposal_sha256),
    )


def test_a_request_waits_until_somebody_decides() -> None:
    """It is listed with its proposal, whole; the decision takes it from those that wait and records who."""
    subject = queue()
    one = asked(subject)
    assert subject.pending() == (one,)
    assert one.proposal == bound()
    decided = decide(subject, one)
    assert (decided.status, decided.decided_by) == ("granted", REVIEWER)
    assert subject.pending() == ()
    assert subject.all() == (decided,)


def test_a_yes_is_good_for_one_execution_of_its_proposal() -> None:
    """The second use is refused."""
    subject = queue()
    one = said_yes(subject)
    assert subject.redeem(one.approval_id, bound()).used
    assert refusal(lambda: subject.redeem(one.approval_id, bound())).code == "approval_used"


@pytest.mark.parametrize(
    "changes",
    [
        {"run_id": "b" * 32},
        {"incident_id": "INC-0000000002"},
        {"tool": "wipe_endpoint"},
        {"arguments": {"endpoint_id": "NL-DC-01"}},
        {"cited": ("alert",)},
        {"policy_version": "q" * 64},
        {"authority_level": "L5"},
    ],
    ids=lambda one: next(iter(one)),
)
def test_a_yes_is_good_for_no_other_proposal(changes: dict[str, object]) -> None:
    """Whatever differs, it is another proposal, and the yes is still there for its own."""
    subject = queue()
    one = said_yes(subject)
    assert refusal(lambda: subject.redeem(one.approval_id, bound(**changes))).code == "approval_other_proposal"
    assert subject.redeem(one.approval_id, bound()).used


def test_nobody_decides_twice() -> None:
    """Not even the same word."""
    subject = queue()
    one = said_yes(subject)
    assert refusal(lambda: decide(subject, one)).code == "approval_decided"


def test_who_decides_names_the_proposal_that_was_looked_at() -> None:
    """The digest of another one decides nothing."""
    subject = queue()
    one = asked(subject)
    assert refusal(lambda: decide(subject, one, digest="0" * 64)).code == "approval_other_proposal"
    assert subject.pending() == (one,)


def test_an_approval_that_nobody_asked_for_is_unknown() -> None:
    """Its name is quoted without control characters."""
    error = refusal(lambda: queue().decide("x\x1b[2J", decider=REVIEWER, agrees=True, digest=""))
    assert error.code == "approval_unknown"
    assert "\x1b" not in str(error)
    assert refusal(lambda: queue().redeem("no", bound())).code == "approval_unknown"
    assert refusal(lambda: queue().get("no")).code == "approval_unknown"
    assert refusal(lambda: queue().redeem(None, bound())).code == "approval_missing"


def test_after_its_time_nobody_can_decide() -> None:
    """At the very end of the time it is over."""
    clock = MovedClock()
    subject = queue(clock)
    one = asked(subject)
    clock.pass_seconds(APPROVAL_SECONDS)
    assert refusal(lambda: decide(subject, one)).code == "approval_expired"
    assert subject.get(one.approval_id).status == "expired"
    assert subject.pending() == ()


def test_a_yes_that_nobody_used_in_time_is_worth_nothing() -> None:
    """A second before, it is."""
    clock = MovedClock()
    subject = queue(clock)
    early, late = said_yes(subject), said_yes(subject, bound(tool="revoke_sessions", arguments={"user": "x"}))
    clock.pass_seconds(APPROVAL_SECONDS - 1)
    assert subject.redeem(early.approval_id, early.proposal).used
    clock.pass_seconds(1)
    assert refusal(lambda: subject.redeem(late.approval_id, late.proposal)).code == "approval_expired"


@pytest.mark.parametrize(
    "decider",
    [
        AGENT,
        AGENT.upper(),
        " http:triage-agent\u200b",
        "http:tri\u0430ge-agent",
        USER,
        "NORTHLAKE\\Maria.Ortega",
        "maria.ortega@example.com",
        "m\u0430ria.\u03bfrtega",
        "MARIA.0RTEGA",
        "\uff4d\uff41\uff52\uff49\uff41.ortega",
    ],
)
def test_neither_the_agent_nor_its_user_decides(decider: str) -> None:
    """Under no spelling: case, domain, width, invisible and confusable letters are the same person."""
    subject = queue()
    one = asked(subject)
    assert refusal(lambda: decide(subject, one, decider)).code == "self_approval"
    assert subject.pending() == (one,)


@pytest.mark.parametrize("decider", ["", "  ", "\u200b"])
def test_nobody_decides_without_a_name(decider: str) -> None:
    """An empty name, also one that only looks as if it were none."""
    subject = queue()
    one = asked(subject)
    assert refusal(lambda: decide(subject, one, decider)).code == "approval_no_decider"


def test_a_no_stands() -> None:
    """The same proposal is not asked about again: it gets the answer that it got. Nothing runs on it."""
    subject = queue()
    one = asked(subject)
    denied = subject.decide(one.approval_id, decider=REVIEWER, agrees=False, digest=one.proposal_sha256)
    assert asked(subject) == denied
    assert refusal(lambda: subject.redeem(one.approval_id, bound())).code == "approval_denied"


def test_what_waits_is_not_asked_about_twice() -> None:
    """People see one request, however often it is made; it does not run before they have answered."""
    subject = queue()
    one = asked(subject)
    assert asked(subject) is one
    assert refusal(lambda: subject.redeem(one.approval_id, bound())).code == "approval_pending"


def test_a_used_yes_is_asked_for_anew() -> None:
    """The second execution of an equal proposal is a request of its own."""
    subject = queue()
    one = said_yes(subject)
    subject.redeem(one.approval_id, bound())
    again = asked(subject)
    assert again.approval_id != one.approval_id
    assert again.status == "pending"


def test_a_run_cannot_flood_the_people_who_decide() -> None:
    """At most so many wait at once; another run is not held up, and a decision makes room."""
    subject = queue()
    first, *_ = [asked(subject, bound(arguments={"endpoint_id": f"h-{number}"})) for number in range(MOST_PENDING)]
    assert refusal(lambda: asked(subject)).code == "approval_flood"
    assert asked(subject, bound(run_id="b" * 32)).status == "pending"
    decide(subject, first)
    assert asked(subject).status == "pending"


def test_of_many_deciders_one_decides() -> None:
    """Threads decide and redeem at the same time: one of each kind gets through."""
    subject = queue()
    one = asked(subject)

    def tried(what: Callable[[], object]) -> str:
        try:
            what()
        except RefusedError as error:
            return error.code
        return "done"

    with ThreadPoolExecutor(16) as pool:
        decided = list(pool.map(lambda _: tried(lambda: decide(subject, one)), range(64)))
        redeemed = list(pool.map(lambda _: tried(lambda: subject.redeem(one.approval_id, bound())), range(64)))
    assert sorted(set(decided)) == ["approval_decided", "done"]
    assert sorted(set(redeemed)) == ["approval_used", "done"]
    assert decided.count("done") == redeemed.count("done") == 1


def test_ids_follow_from_the_secret() -> None:
    """Equal campaigns have equal approvals."""
    assert asked(queue()).approval_id == asked(queue()).approval_id
    other = ApprovalQueue(bytes(32), MovedClock())
    assert asked(other).approval_id != asked(queue()).approval_id
