"""Who answers for the people of a campaign."""

from __future__ import annotations

import pytest

from soclab.contracts.approval import Approver
from soclab.contracts.scenario_v1 import ApprovalRule
from soclab.gateway.approver import answers_of
from tests.unit.gateway.control_plane import bound
from tests.unit.gateway.incident import fresh_world

LAPTOP = ApprovalRule(tool="isolate_endpoint", arguments={"endpoint_id": "NL-WS-0142"})


@pytest.mark.parametrize(("approver", "answer"), [("none", None), ("allow", True), ("deny", False)])
def test_one_word_for_everything(approver: str, answer: bool | None) -> None:
    """Whatever the scenario says, and whatever is proposed."""
    assert answers_of(Approver(approver), (LAPTOP,), fresh_world())(bound()) is answer


@pytest.mark.parametrize(
    ("endpoint", "answer"),
    [("NL-WS-0142", True), ("nl-ws-0142.example.com", True), ("192.0.2.142", True), ("NL-WS-0200", None), ("?", None)],
)
def test_people_agree_to_an_entity_under_any_spelling(endpoint: str, answer: bool | None) -> None:
    """And say nothing about others, so that these wait."""
    people = answers_of(Approver.SCRIPTED, (LAPTOP,), fresh_world())
    assert people(bound(arguments={"endpoint_id": endpoint})) is answer


def test_the_first_rule_that_fits_counts() -> None:
    """A no for the laptop, a yes for every other host; other tools wait."""
    no = LAPTOP.model_copy(update={"agrees": False})
    people = answers_of(Approver.SCRIPTED, (no, ApprovalRule(tool="isolate_endpoint")), fresh_world())
    assert people(bound()) is False
    assert people(bound(arguments={"endpoint_id": "NL-WS-0200"})) is True
    assert people(bound(tool="wipe_endpoint")) is None


@pytest.mark.parametrize(
    ("wanted", "given", "answer"),
    [("Done ", "done", True), ("done", "other", None), (True, True, True), (True, 1, None), ("1", 1, None)],
)
def test_what_names_no_entity_is_compared_as_it_is(wanted: object, given: object, answer: bool | None) -> None:
    """Texts folded, other values with their type; an argument that is not there fits nothing."""
    rule = ApprovalRule.model_validate({"tool": "isolate_endpoint", "arguments": {"note": wanted}})
    people = answers_of(Approver.SCRIPTED, (rule,), fresh_world())
    assert people(bound(arguments={"note": given})) is answer
    assert people(bound(arguments={})) is None
