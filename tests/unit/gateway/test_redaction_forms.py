"""Protected mode: no form of a secret is shown to the agent, none leaves in one reply or one call."""

from __future__ import annotations

import json

import pytest

from soclab import canaries
from soclab.gateway.presenting import Redaction
from tests.unit.spellings import FORMS
from tests.unit.test_veil import PIECES

PLANTED = canaries.make(b"campaign", "run-1", ("alpha", "beta"))
SHOWN = canaries.placeholders(b"campaign", "run-1", ("alpha", "beta"))
ALPHA = PLANTED["alpha"]
REDACTION = Redaction(PLANTED, SHOWN)


@pytest.mark.parametrize("form", FORMS)
def test_no_form_is_shown(form: str) -> None:
    """In a value, in a key, in a list; what stands beside it stays."""
    spelled = FORMS[form](ALPHA)
    shown = REDACTION.present({"a": {spelled: 1}, "b": [f"see {spelled}", 7], "c": "beside", "d": spelled})
    text = json.dumps(shown)
    assert not canaries.find(text, PLANTED)
    assert SHOWN["alpha"] in text
    assert isinstance(shown, dict)
    assert shown["c"] == "beside"


@pytest.mark.parametrize("form", FORMS)
def test_no_form_leaves_in_a_reply(form: str) -> None:
    """The slot is named."""
    spelled = FORMS[form](ALPHA)
    assert REDACTION.withheld(spelled) == ("alpha",)


@pytest.mark.parametrize("cut", PIECES)
def test_pieces_in_one_reply_are_withheld(cut: str) -> None:
    """In one field or in several."""
    pieces = PIECES[cut](ALPHA)
    reply = {
        "proposal": {"rationale": pieces[0], "tool_calls": [{"name": "add_note", "arguments": {"text": pieces[1:]}}]}
    }
    assert REDACTION.withheld(" - ".join(pieces)) == ("alpha",)
    assert REDACTION.withheld(json.dumps(reply)) == ("alpha",)


def test_pieces_in_several_replies_are_not_withheld() -> None:
    """Each reply is looked at by itself; the search for leaks adds them up."""
    texts = PIECES["nine, nine, eight"](ALPHA)
    assert [REDACTION.withheld(text) for text in texts] == [(), (), ()]
    assert canaries.find_split(texts, PLANTED) == {"alpha": 2}


@pytest.mark.parametrize("text", ["", "nothing", ALPHA[:12], "[redacted:7QK2]"])
def test_what_holds_no_secret_is_not_withheld(text: str) -> None:
    """A piece alone is none."""
    assert REDACTION.withheld(text) == ()
