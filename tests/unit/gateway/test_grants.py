"""Signed permits: one execution, of one proposal, for a short time; and the key that nobody sees."""

from __future__ import annotations

import base64
import json
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from soclab.contracts.approval import BoundProposal
from soclab.contracts.grant import Grant
from soclab.contracts.vocabulary import STAGES
from soclab.errors import ConfigurationError, RefusedError
from soclab.gateway.binding import proposal_sha256
from soclab.gateway.execution import Executor
from soclab.gateway.grants import GRANT_SECONDS
from soclab.gateway.signing_key import SigningKey
from tests.unit.gateway.control_plane import SECRET, MovedClock, bound, desk
from tests.unit.gateway.incident import fresh_world

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
PROPOSALS = st.builds(
    BoundProposal,
    run_id=st.text(max_size=4),
    incident_id=st.text(max_size=4),
    stage=st.sampled_from(STAGES),
    tool=st.text(max_size=4),
    arguments=st.dictionaries(st.text(max_size=3), JSON, max_size=3),
    cited=st.lists(st.text(max_size=3), max_size=3).map(tuple),
    policy_version=st.text(max_size=4),
    authority_level=st.text(max_size=2),
)


def code_of(what: Callable[[], object]) -> str:
    with pytest.raises(RefusedError) as caught:
        what()
    assert "\n" not in str(caught.value)
    return caught.value.code


@given(PROPOSALS, PROPOSALS)
def test_no_two_proposals_share_a_digest(one: BoundProposal, other: BoundProposal) -> None:
    """Equal digests mean equal proposals; the order of the arguments does not matter."""
    if proposal_sha256(one) == proposal_sha256(other):
        assert one == other
    turned = one.model_copy(update={"arguments": dict(reversed(one.arguments.items()))})
    assert proposal_sha256(turned) == proposal_sha256(one)


@given(PROPOSALS, st.data())
def test_every_part_of_a_proposal_is_in_its_digest(one: BoundProposal, data: st.DataObject) -> None:
    """Whichever field is given another value, the digest is another one."""
    field = data.draw(st.sampled_from(sorted(BoundProposal.model_fields)))
    other = data.draw(PROPOSALS)
    changed = one.model_copy(update={field: getattr(other, field)})
    if changed != one:
        assert proposal_sha256(changed) != proposal_sha256(one)


@pytest.mark.parametrize("pair", [(1, True), (1, 1.0), ("1", 1), (None, "null"), ([], {}), ("a", ["a"])])
def test_values_that_python_or_people_take_for_equal_are_told_apart(pair: tuple[Any, Any]) -> None:
    """One and true, number and text, nothing and its name."""
    one, other = (proposal_sha256(bound(arguments={"x": value})) for value in pair)
    assert one != other


def test_a_grant_is_used_once() -> None:
    """The first execution runs; the second is refused."""
    subject = desk()
    grant = subject.issue(bound(), approval_id="f" * 32, obligations=("notify", "log"))
    assert grant.obligations == ("log", "notify")
    assert subject.redeem(grant, bound()) == grant
    assert code_of(lambda: subject.redeem(grant, bound())) == "grant_reused"


def test_a_grant_is_short_lived() -> None:
    """At the end of its time it is worth nothing, nor before it was issued."""
    clock = MovedClock()
    subject = desk(clock)
    first, second, third = (subject.issue(bound()) for _ in range(3))
    clock.pass_seconds(GRANT_SECONDS - 0.001)
    subject.redeem(first, bound())
    clock.pass_seconds(0.001)
    assert code_of(lambda: subject.redeem(second, bound())) == "grant_expired"
    clock.pass_seconds(-2 * GRANT_SECONDS)
    assert code_of(lambda: subject.redeem(third, bound())) == "grant_expired"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"run_id": "b" * 32}, "grant_other_run"),
        ({"policy_version": "q" * 64}, "grant_other_policy"),
        ({"tool": "wipe_endpoint"}, "grant_other_tool"),
        ({"arguments": {"endpoint_id": "NL-DC-01"}}, "grant_other_arguments"),
        ({"arguments": {"endpoint_id": "NL-WS-0142", "force": True}}, "grant_other_arguments"),
        ({"cited": ("alert",)}, "grant_other_proposal"),
        ({"incident_id": "INC-0000000002"}, "grant_other_proposal"),
        ({"authority_level": "L5"}, "grant_other_proposal"),
        ({"stage": STAGES[0]}, "grant_other_proposal"),
    ],
    ids=lambda one: one if isinstance(one, str) else next(iter(one)),
)
def test_a_grant_is_good_for_its_own_proposal_only(changes: dict[str, Any], code: str) -> None:
    """What was swapped is said; the grant is still good for what it was given for."""
    subject = desk()
    grant = subject.issue(bound())
    assert code_of(lambda: subject.redeem(grant, bound(**changes))) == code
    assert subject.redeem(grant, bound()) == grant


def test_nothing_is_executed_without_a_grant() -> None:
    """A missing grant is refused by a code of its own."""
    assert code_of(lambda: desk().redeem(None, bound())) == "grant_missing"


def test_a_grant_under_another_key_is_forged() -> None:
    """Whatever stands in it."""
    forged = desk(key=bytes(32)).issue(bound())
    assert code_of(lambda: desk().redeem(forged, bound())) == "grant_forged"


@given(st.data())
def test_any_changed_bit_of_a_grant_is_refused(data: st.DataObject) -> None:
    """One bit anywhere in its JSON: it is no grant any more, or a forged one; the true one is good afterwards."""
    subject = desk()
    grant = subject.issue(bound(), approval_id="f" * 32, obligations=("log",))
    raw = bytearray(grant.model_dump_json().encode())
    place = data.draw(st.integers(0, len(raw) - 1))
    raw[place] ^= 1 << data.draw(st.integers(0, 7))
    try:
        changed = Grant.model_validate_json(bytes(raw))
    except ValidationError:
        return
    assert changed != grant
    assert code_of(lambda: subject.redeem(changed, bound())) == "grant_forged"
    subject.redeem(grant, bound())


@given(st.sampled_from(sorted(Grant.model_fields)), st.data())
def test_no_field_of_a_grant_can_be_given_another_value(field: str, data: st.DataObject) -> None:
    """Times, approval, obligations and signature are signed like the rest."""
    subject = desk()
    grant = subject.issue(bound())
    kinds = {"obligations": st.lists(st.text(max_size=3)).map(tuple), "approval_id": st.none() | st.text(max_size=3)}
    numbers = st.integers() if field.endswith("_ms") else st.text()
    changed = grant.model_copy(update={field: data.draw(kinds.get(field, numbers))})
    if changed != grant:
        assert code_of(lambda: subject.redeem(changed, bound())) == "grant_forged"


def test_of_many_executions_with_one_grant_one_runs() -> None:
    """Threads that are equally fast: one."""
    subject = desk()
    grant = subject.issue(bound())

    def tried(_: int) -> str:
        try:
            subject.redeem(grant, bound())
        except RefusedError as error:
            return error.code
        return "done"

    with ThreadPoolExecutor(16) as pool:
        done = list(pool.map(tried, range(64)))
    assert done.count("done") == 1
    assert set(done) == {"done", "grant_reused"}


def test_the_executor_changes_the_world_with_a_grant_only() -> None:
    """Refused is refused: nothing happened. With the grant it runs exactly what was granted."""
    world, papers = fresh_world(), desk()
    subject = Executor(world, papers)
    before = world.snapshot()
    assert code_of(lambda: subject.act(bound(), None)) == "grant_missing"
    grant = papers.issue(bound())
    other = bound(arguments={"endpoint_id": "NL-WS-0200"})
    assert code_of(lambda: subject.act(other, grant)) == "grant_other_arguments"
    assert world.snapshot() == before
    done = subject.act(bound(), grant)
    assert (done.error, len(done.changes)) == (None, 1)
    assert code_of(lambda: subject.act(bound(), grant)) == "grant_reused"


def test_look_ups_need_no_grant() -> None:
    """They change nothing."""
    done = Executor(fresh_world(), desk()).look_up("get_identity_profile", {"user_id": "maria.ortega"})
    assert done.error is None
    assert done.result is not None


def test_without_a_desk_the_executor_asks_for_nothing() -> None:
    """Baseline, or the control is off."""
    assert Executor(fresh_world(), None).act(bound(), None).changes


@pytest.mark.parametrize(
    "text",
    [
        SECRET.hex(),
        SECRET.hex().upper(),
        f" {SECRET.hex()}\n",
        base64.b64encode(SECRET).decode(),
        base64.urlsafe_b64encode(SECRET).decode().rstrip("="),
    ],
    ids=["hex", "upper case", "blanks", "base64", "url-safe, no padding"],
)
def test_a_key_is_written_in_hexadecimal_or_base64(text: str) -> None:
    """All of these are one key."""
    assert SigningKey.read(text).sign({}) == SigningKey(SECRET).sign({})


@given(st.binary(min_size=32, max_size=80).filter(lambda key: len(set(key)) > 1))
def test_every_long_key_can_be_written(key: bytes) -> None:
    """In base64 unless that happens to look like hexadecimal digits; in hexadecimal always."""
    assert SigningKey.read(key.hex()).sign({}) == SigningKey(key).sign({})
    text = base64.b64encode(key).decode()
    if not all(letter in "0123456789abcdefABCDEF" for letter in text):
        assert SigningKey.read(text).sign({}) == SigningKey(key).sign({})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ab" * 31, "31 bytes"),
        ("a" * 65, "odd number"),
        (base64.b64encode(bytes(31)).decode(), "31 bytes"),
        ("not a key, not at all, whatever you say", "neither"),
        ("\u0430" * 64, "neither"),
        ("A" * 41 + "g", "31 bytes"),
        ("g" * 45, "neither"),
    ],
)
def test_a_bad_key_is_one_line_that_does_not_show_it(text: str, says: str) -> None:
    """Too short, or not written as it should be."""
    with pytest.raises(ConfigurationError, match=says) as caught:
        SigningKey.read(text)
    line = str(caught.value)
    assert line.startswith("SOCLAB_GRANT_SIGNING_KEY")
    assert text not in line
    assert "\n" not in line


def test_a_key_is_not_shown_and_not_written() -> None:
    """Neither `repr` nor pickle."""
    key = SigningKey(SECRET)
    assert repr(key) == "SigningKey(...)"
    with pytest.raises(TypeError):
        pickle.dumps(key)
    assert SECRET.hex() not in json.dumps(desk().issue(bound()).model_dump())


def test_derived_keys_are_those_of_their_run() -> None:
    """The same for the same secret and run, and for no other."""
    signatures = {
        SigningKey.derived(secret, run).sign({}) for secret in (SECRET, bytes(32)) for run in ("a" * 32, "b" * 32)
    }
    assert len(signatures) == 4
    assert SigningKey.derived(SECRET, "a" * 32).sign({}) in signatures
