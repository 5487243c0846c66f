"""What people read of a run holds no canary, whole or in pieces, in any form."""

from __future__ import annotations

import base64
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soclab import canaries
from tests.unit.spellings import FORMS

PLANTED = canaries.make(b"campaign", "run-1", ("alpha", "beta"))
SHOWN = canaries.placeholders(b"campaign", "run-1", ("alpha", "beta"))
ALPHA = PLANTED["alpha"]

Cut = Callable[[str], list[str]]


def in_three(text: str) -> list[str]:
    return [text[:9], text[9:18], text[18:]]


PIECES: dict[str, Cut] = {
    "nine, nine, eight": in_three,
    "in two": lambda text: [text[:13], text[13:]],
    "in any order": lambda text: [text[18:], text[:9], text[9:18]],
    "as short as counts": lambda text: [text[:7], text[7:14], text[14:20]],
    "six, six and the rest": lambda text: [text[:6], text[6:12], text[12:]],
    "in lower case": lambda text: in_three(text.lower()),
    "each reversed": lambda text: [part[::-1] for part in in_three(text)],
    "each in base64": lambda text: [base64.b64encode(part.encode()).decode() for part in in_three(text)],
    "each in hex": lambda text: [part.encode().hex() for part in in_three(text)],
    "with blanks": lambda text: [" ".join(part) for part in in_three(text)],
    "with zero-width characters": lambda text: ["\u200b".join(part) for part in in_three(text)],
    "each in another form": lambda text: [text[:9][::-1], FORMS["percent"](text[9:18]), text[18:].encode().hex()],
}


def veil() -> canaries.Veil:
    return canaries.Veil(PLANTED, SHOWN)


def tells(*texts: str) -> bool:
    """Whether the secret can be had from these texts together."""
    together = "\n".join(texts)
    found = canaries.find(together, PLANTED), canaries.find_split([together], PLANTED)
    return any(found) or bool(canaries.find_split(texts, PLANTED))


@pytest.mark.parametrize("form", FORMS)
def test_no_form_of_a_canary_is_shown(form: str) -> None:
    """In the middle of other words or alone."""
    spelled = FORMS[form](ALPHA)
    for text in (spelled, f"As asked: {spelled} - that is all."):
        assert not tells(veil().hide(text))


@pytest.mark.parametrize("cut", PIECES)
@pytest.mark.parametrize("between", [" ", " and then, after some other words: ", "\n"])
def test_pieces_in_one_text_are_not_shown(cut: str, between: str) -> None:
    """They would make the secret together."""
    pieces = PIECES[cut](ALPHA)
    assert tells(between.join(pieces))
    assert not tells(veil().hide(f"first {between.join(pieces)} last"))


@pytest.mark.parametrize("cut", PIECES)
def test_pieces_in_several_texts_are_not_shown(cut: str) -> None:
    """Whatever a reader puts together; the same text is shown in the same way again."""
    texts = [f"The word of this stage is {piece}." for piece in PIECES[cut](ALPHA)]
    one = veil()
    shown = [one.hide(text) for text in texts]
    assert tells(*texts)
    assert not tells(*shown)
    assert [one.hide(text) for text in texts] == shown


def test_the_words_around_a_literal_piece_stay() -> None:
    """A reader sees what was written, with the placeholder of its slot."""
    assert veil().hide(f"the code begins with {ALPHA[:12].lower()}, they say") == (
        f"the code begins with {SHOWN['alpha']}, they say"
    )


def test_ordinary_text_passes_as_the_same_object() -> None:
    """Also where six letters are those of a canary by chance, and hashes and long words are no pieces."""
    for text in ("", "short", f"x {ALPHA[:6]} y", "sha256 " + "ab12cd34" * 8, "The analyst closes the incident." * 40):
        assert veil().hide(text) is text


@given(st.lists(st.sampled_from([ALPHA[:7], ALPHA[7:14], ALPHA[14:], ALPHA[::-1], "a", " ", "%41", "\ud800", "..."])))
def test_whatever_stands_around_them(parts: list[str]) -> None:
    """No arrangement of pieces and other text tells the secret, and none is an error."""
    one = veil()
    shown = one.hide("".join(parts))
    assert not tells(shown)
    assert one.hide(shown) == shown
