"""What is left of a token or a canary that was cut before it was masked."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from soclab import canaries
from soclab.clock import FixedClock
from soclab.contracts.agent_v1 import ReplyRejected, reply_from_value
from soclab.engine.journal import Journal
from soclab.redaction import PLACEHOLDER, Secrets, clean, cut

TOKEN = "Zx9-secret.Token_7f3a21c0d4e5b6a798"
SECRETS = Secrets([TOKEN])
PLANTED = canaries.make(b"campaign", "run-1", ("alpha", "beta"))
SHOWN = canaries.placeholders(b"campaign", "run-1", ("alpha", "beta"))

CUTS: dict[str, Callable[[str], str]] = {
    "bare": lambda text: text[:60],
    "clean": lambda text: clean(text, 60),
    "cut": lambda text: cut(text, 60),
    "inside a sentence": lambda text: f"the agent cited {cut(text, 60)}, which nobody knows",
    "quoted": lambda text: f"reply.'{text[:60]}'...: unknown field",
    "at the beginning": lambda text: text[60:],
}


def pieces(secret: str, length: int = 8) -> set[str]:
    return {secret[start : start + length] for start in range(len(secret) - length + 1)}


@pytest.mark.parametrize("shorten", CUTS.values(), ids=list(CUTS))
def test_no_piece_of_a_token_survives_a_cut(shorten: Callable[[str], str]) -> None:
    """Wherever the token stands around the cut."""
    for before in range(20, 61):
        masked = SECRETS.mask(shorten("x" * before + TOKEN + "y" * 60))
        assert not any(piece in masked for piece in pieces(TOKEN)), before
        assert SECRETS.mask(masked) == masked


@pytest.mark.parametrize("shorten", CUTS.values(), ids=list(CUTS))
@pytest.mark.parametrize("spell", [str, str.lower])
def test_no_piece_of_a_canary_survives_a_cut(shorten: Callable[[str], str], spell: Callable[[str], str]) -> None:
    """In either case of its letters."""
    canary = spell(PLANTED["alpha"])
    for before in range(20, 61):
        shown = canaries.replace(shorten("x" * before + canary + "-" * 60), PLANTED, SHOWN)
        assert not any(piece in shown for piece in pieces(canary)), before


@pytest.mark.parametrize("encode", [bytes.hex, lambda raw: base64.b64encode(raw).decode()])
def test_the_beginning_of_an_encoded_token_goes_too(encode: Callable[[bytes], str]) -> None:
    """Hexadecimal and base64, where a cut ended it."""
    encoded = encode(TOKEN.encode())
    assert encoded[:20] not in SECRETS.mask(f"it is {encoded}"[: len(encoded)])


@pytest.mark.parametrize(
    "text",
    ["Zx9-secret is the first part", "a Zx9-s", "", "...", "no part of it", "Zx9-s...", "secret.Token", "a6a798 then"],
)
def test_what_is_no_cut_token_stays(text: str) -> None:
    """Pieces in the middle of a text, too short ones, and words."""
    assert SECRETS.mask(text) is text
    assert canaries.replace(text, PLANTED, SHOWN) is text


def test_a_word_that_begins_a_token_stays() -> None:
    """A token that starts with a word of ours takes that word from no text."""
    assert Secrets(["protected-Mode-7f3a21"]).mask("protected") == "protected"


def test_a_key_that_is_cut_in_a_rejection_shows_no_token() -> None:
    """A rejection quotes at most sixty characters of a key."""
    for before in range(20, 61):
        with pytest.raises(ReplyRejected) as caught:
            reply_from_value({"x" * before + TOKEN: 1})
        assert not any(piece in SECRETS.mask(caught.value.detail) for piece in pieces(TOKEN))


def written(tmp_path: Path, token: str, event: dict[str, Any]) -> Any:
    with Journal.create(tmp_path / "journal.jsonl", Secrets([token]), FixedClock()) as journal:
        journal.append("answered", event=journal.event_bytes(event), beside=event)
    line = json.loads((tmp_path / "journal.jsonl").read_text(encoding="ascii"))
    assert line["event"] == line["beside"]
    return line["event"]


@pytest.mark.parametrize("token", ["1", "4", "null", "true", "false", "\\", '"', "\\n", "n", ":", "é"])
def test_a_short_or_odd_token_leaves_a_journal_that_can_be_read(token: str, tmp_path: Path) -> None:
    """Names and numbers stay as they were; only the text loses it."""
    event = {"count": 1, "four": [4, None, True, False], "raw_text": f"it is {token} , as said"}
    read = written(tmp_path, token, event)
    assert {**read, "raw_text": ""} == {**event, "raw_text": ""}
    assert read["raw_text"] == f"it is {PLACEHOLDER} , as said"


def test_a_cut_token_inside_a_value_of_the_journal_is_masked(tmp_path: Path) -> None:
    """At the end of one of many strings, or of a name among the arguments."""
    event = {"a": [f"it is {TOKEN[:30]}"], "b": {TOKEN[:20]: TOKEN[10:]}, "c": "end"}
    read = written(tmp_path, TOKEN, event)
    assert read == {"a": [f"it is {PLACEHOLDER}"], "b": {PLACEHOLDER: PLACEHOLDER}, "c": "end"}
