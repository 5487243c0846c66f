"""The published response schema and the validator accept exactly the same replies."""

from __future__ import annotations

import json

from hypothesis import event, given, settings

from tests.contract.agent_v1_judges import judgements
from tests.contract.agent_v1_replies import mutated_replies, valid_replies


@given(valid_replies)
@settings(max_examples=200, deadline=None)
def test_every_judge_accepts_a_valid_reply(reply):
    """
    Replies built by the rules are accepted by the validator and by both schema validators.
    """
    assert {True} == set(judgements(json.dumps(reply)).values())


@given(mutated_replies())
@settings(max_examples=600, deadline=None)
def test_the_judges_agree_on_a_changed_reply(reply):
    """
    Whatever is done to a reply, the validator and both schema validators say the same.
    """
    said = judgements(json.dumps(reply))

    event("accepted" if said["validator"] else "rejected")
    assert len(set(said.values())) == 1, said
