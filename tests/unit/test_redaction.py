"""Hostile text becomes visible, and secrets disappear in every spelling."""

from __future__ import annotations

import base64
import copy
import html
import json
import pickle
import traceback
import unicodedata
import urllib.parse

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soclab.redaction import PLACEHOLDER, Secret, Secrets, clean, clean_block

ANY_TEXT = st.text(st.characters(exclude_categories=()))
TOKENS = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=8, max_size=60)

HOSTILE = {
    "nul": ("a\x00b", r"a\x00b"),
    "escape sequence": ("\x1b[31mred\x1b]0;title\x07", r"\x1b[31mred\x1b]0;title\x07"),
    "c1 control": ("a\x9bb", r"a\x9bb"),
    "delete": ("a\x7fb", r"a\x7fb"),
    "carriage return": ("a\rb", r"a\x0db"),
    "right-to-left override": ("a\u202eb", r"a\u202eb"),
    "isolate": ("a\u2066b\u2069", r"a\u2066b\u2069"),
    "zero-width space": ("a\u200bb", r"a\u200bb"),
    "byte order mark": ("\ufeffa", r"\ufeffa"),
    "soft hyphen": ("a\xadb", r"a\xadb"),
    "line separator": ("a\u2028b", r"a\u2028b"),
    "lone surrogate": ("a\ud800b", r"a\ud800b"),
    "noncharacter": ("a\uffffb\U0010ffff", r"a\uffffb\U0010ffff"),
    "tag characters": ("a\U000e0041", r"a\U000e0041"),
    "variation selector": ("a\U000e0100\ufe0f", r"a\U000e0100\ufe0f"),
    "filler": ("a\u3164b", r"a\u3164b"),
    "command of a build service": ("so ##vso[task.setvariable]x", r"so #\x23vso[task.setvariable]x"),
    "the same without a name": ("##[error]x", r"#\x23[error]x"),
}


@pytest.mark.parametrize(("text", "shown"), HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("cleaner", [clean, clean_block])
def test_hostile_characters_become_visible_escapes(cleaner, text: str, shown: str) -> None:
    """
    Control, bidi, invisible, surrogate and noncharacter code points stand as escapes in both cleaners.
    """
    assert shown == cleaner(text)


def test_one_line_stays_one_line() -> None:
    """
    Newline and tab are escaped in a line.
    """
    assert clean("a\nb\tc") == r"a\x0ab\x09c"


def test_a_block_keeps_its_lines() -> None:
    """
    Newline and tab are kept in a block.
    """
    assert clean_block("a\nb\tc") == "a\nb\tc"


def test_ordinary_text_is_not_touched() -> None:
    """
    Letters of any language, symbols and backslashes pass unchanged.
    """
    text = "Zürich \\ 東京 \N{SNOWMAN} NORTHLAKE\\maria.ortega \N{GRINNING FACE}"

    assert text == clean(text)


@settings(deadline=None)
@given(ANY_TEXT, st.none() | st.integers(0, 40))
def test_cleaning_twice_changes_nothing(text: str, limit: int | None) -> None:
    """
    Both cleaners are idempotent, with and without a limit.
    """
    assert clean(text, limit) == clean(clean(text, limit), limit)
    assert clean_block(text, limit) == clean_block(clean_block(text, limit), limit)


@settings(deadline=None)
@given(ANY_TEXT)
def test_nothing_hostile_survives(text: str) -> None:
    """
    A cleaned line has no control, format or surrogate character and encodes as UTF-8.
    """
    shown = clean(text)

    shown.encode("utf-8")
    visible_formats = {c for c in shown if unicodedata.category(c) == "Cf"}
    assert not {c for c in shown if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")}
    assert all(unicodedata.bidirectional(c) in ("AN", "L", "ON", "R", "AL") for c in visible_formats)


@settings(deadline=None)
@given(ANY_TEXT, st.integers(0, 60))
def test_the_limit_holds(text: str, limit: int) -> None:
    """
    A cleaned text is never longer than its limit.
    """
    assert len(clean(text, limit)) <= limit


def test_a_cut_is_marked_and_splits_no_escape() -> None:
    """
    A text that is too long ends in three dots, not in half an escape.
    """
    assert clean("aaaaa\x1b[31m", 11) == "aaaaa..."
    assert clean("aaaaa\x1b[31m", 12) == r"aaaaa\x1b..."


def _forms(token: str) -> dict[str, str]:
    raw = token.encode()
    forms = {
        "raw": token,
        "bearer": f"Bearer {token}",
        "hex": raw.hex(),
        "upper-case hex": raw.hex().upper(),
        "percent where needed": urllib.parse.quote(token, safe=""),
        "percent, slash kept": urllib.parse.quote(token),
        "form field": urllib.parse.quote_plus(token),
        "percent everywhere": "".join(f"%{octet:02x}" for octet in raw),
        "percent everywhere, upper case": "".join(f"%{octet:02X}" for octet in raw),
        "JSON": json.dumps(token),
        "JSON in JSON": json.dumps(json.dumps(token)),
        "JSON escapes everywhere": "".join(f"\\u{octet:04X}" for octet in raw),
        "first character escaped": f"\\u{raw[0]:04x}{token[1:]}",
        "Python escapes": "".join(f"\\x{octet:02x}" for octet in raw),
        "HTML": html.escape(token),
        "HTML numbers": "".join(f"&#{octet};" for octet in raw),
    }
    for before in range(3):
        for after in range(3):
            longer = b"Z" * before + raw + b"Z" * after
            forms[f"base64 {before}+{after}"] = base64.b64encode(longer).decode()
            forms[f"URL-safe base64 {before}+{after}"] = base64.urlsafe_b64encode(longer).decode().rstrip("=")
            forms[f"base64 in a URL {before}+{after}"] = urllib.parse.quote(base64.b64encode(longer).decode(), safe="")
            forms[f"base64 in JSON {before}+{after}"] = base64.b64encode(longer).decode().replace("/", "\\/")
        forms[f"wrapped base64 {before}"] = base64.encodebytes(b"Z" * (50 + before) + raw + b"Z" * 60).decode()
    return forms


def _core(token: str, form: str, spelled: str) -> str:
    """The part of a spelling that would give the token away: for base64 without its mixed ends."""
    return spelled.replace("\n", "")[3:-5] if "base64" in form else spelled


SAMPLE = "sk-Live+7/q?8\"x\\y'z&<end>"


@pytest.mark.parametrize("form", _forms(SAMPLE))
def test_every_form_of_a_token_is_masked(form: str) -> None:
    """
    The token disappears in each spelling, and the placeholder stands there.
    """
    spelled = _forms(SAMPLE)[form]

    masked = Secrets([SAMPLE]).mask(f"before {spelled} after")

    assert PLACEHOLDER in masked
    assert _core(SAMPLE, form, spelled) not in masked.replace("\n", "")
    assert masked.startswith("before ")
    assert masked.endswith(" after")


def test_a_token_with_a_line_wrap_in_it_is_masked_when_it_is_escaped() -> None:
    r"""
    A backslash and an r are a wrap within base64, and here they are the token.
    """
    token = r"000\r000"

    assert Secrets([token]).mask(_forms(token)["HTML numbers"]) == PLACEHOLDER


@settings(deadline=None)
@given(TOKENS, st.data())
def test_no_token_survives_any_of_its_forms(token: str, data: st.DataObject) -> None:
    """
    Whatever the token, no form of it survives, and masking twice changes nothing.
    """
    forms = _forms(token)
    form = data.draw(st.sampled_from(sorted(forms)))
    secrets = Secrets([token])

    masked = secrets.mask(f"<{forms[form]}>")

    assert PLACEHOLDER in masked
    assert masked == secrets.mask(masked)


@settings(deadline=None)
@given(st.binary(max_size=40), TOKENS, st.binary(max_size=40))
def test_base64_of_a_longer_text_does_not_hold_the_token(before: bytes, token: str, after: bytes) -> None:
    """
    In base64 of anything around a token, no more than two of its characters are left at either end.
    """
    spelled = base64.b64encode(before + token.encode() + after).decode()

    masked = Secrets([token]).mask(spelled)

    rest_before, _, rest_after = masked.partition(PLACEHOLDER)
    assert rest_before == spelled[: len(rest_before)]
    assert rest_after == spelled[len(spelled) - len(rest_after) :]
    assert len(rest_before) <= (len(before) + 2) * 8 / 6
    assert len(rest_after.rstrip("=")) <= (len(after) + 2) * 8 / 6


@settings(deadline=None)
@given(ANY_TEXT)
def test_text_without_the_token_is_not_touched(text: str) -> None:
    """
    Masking leaves texts alone that hold no form of the token.
    """
    assert text == Secrets(["a-token-that-no-text-has-0123456789"]).mask(text)


def test_overlapping_tokens_lose_the_longer_one_first() -> None:
    """
    A token that is the beginning of another leaves no tail of the longer one.
    """
    assert f"x {PLACEHOLDER} y" == Secrets(["token-one", "token-one-and-more"]).mask("x token-one-and-more y")


def test_a_token_inside_the_placeholder_does_not_grow() -> None:
    """
    Masking is idempotent even for a token that is a part of the placeholder.
    """
    secrets = Secrets(["agent-token"])

    assert f"x {PLACEHOLDER}" == secrets.mask(secrets.mask("x agent-token"))


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Bearer abc", "Bearer [agent-token]"),
        ("abcd xabc abc_d", "abcd xabc abc_d"),
        ('{"abc": "abc"}', '{"abc": "[agent-token]"}'),
        ("token=abc&x=1", "token=[agent-token]&x=1"),
        ("YWJj and YWJjZGVm", "[agent-token] and YWJjZGVm"),
        ("616263", "[agent-token]"),
        ("%61bc", "[agent-token]"),
    ],
)
def test_a_short_token_is_masked_in_values_only(text: str, masked: str) -> None:
    """
    A token under 8 characters goes where it stands as a whole value, never inside words or as a JSON key.
    """
    assert masked == Secrets(["abc"]).mask(text)


def test_json_values_are_masked_at_any_depth() -> None:
    """
    Strings at any depth lose the token, other values and the argument itself stay as they are.
    """
    value = {"a": ["long-token-1", {"long-token-1": 1.5}], "b": None, "c": True}

    masked = Secrets(["long-token-1"]).mask_json(value)

    assert masked == {"a": [PLACEHOLDER, {PLACEHOLDER: 1.5}], "b": None, "c": True}
    assert value["a"][0] == "long-token-1"


def test_keys_keep_short_tokens() -> None:
    """
    A short token that is also the name of a key leaves the structure alone.
    """
    assert Secrets(["stage"]).mask_json({"stage": "stage"}) == {"stage": PLACEHOLDER}


def test_a_number_that_spells_the_token_is_masked() -> None:
    """
    A token of digits does not survive as a JSON number.
    """
    assert Secrets(["1234567890"]).mask_json([1234567890, 7, True]) == [PLACEHOLDER, 7, True]


def test_no_tokens_mask_nothing() -> None:
    """
    Without tokens, and with an empty token, text passes unchanged.
    """
    assert not Secrets()
    assert not Secrets([""])
    assert Secrets([""]).mask("") == ""


@pytest.mark.parametrize("text", ["\\" * 200_000 + "u", "%" * 200_000, "&#0" * 70_000, "\n" * 200_000 + "%41"])
def test_repetitive_text_is_searched_in_one_pass(text: str) -> None:
    """
    Long runs of escape characters are handled; the suite would hang if the cost were quadratic.
    """
    assert text == Secrets(["sk-live-0123456789"]).mask(text)


@pytest.mark.parametrize("show", [repr, str, "{}".format, "{:>20}".format, "%s".__mod__])
def test_a_secret_never_shows_its_value(show) -> None:
    """
    No way of turning a Secret into text gives the token.
    """
    assert "hunter2-hunter2" not in show(Secret("hunter2-hunter2"))


def test_a_secret_is_masked_among_the_locals_of_a_traceback() -> None:
    """
    A traceback that shows local variables shows no Secret and no Secrets.
    """
    token, secrets = Secret("hunter2-hunter2"), Secrets([Secret("hunter2-hunter2")])
    try:
        raise ValueError(f"{token} {secrets}")
    except ValueError as error:
        shown = "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())

    assert "token = " in shown
    assert "secrets = " in shown
    assert "hunter2" not in shown.replace('Secret("hunter2-hunter2")', "")


@pytest.mark.parametrize("duplicate", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_secret_cannot_be_copied_out(duplicate) -> None:
    """
    Pickling and copying a Secret fails.
    """
    with pytest.raises(TypeError, match="never"):
        duplicate(Secret("hunter2-hunter2"))


def test_secrets_compare_by_value() -> None:
    """
    Two holders of one token are equal, an empty one is false.
    """
    assert Secret("a") == Secret("a")
    assert Secret("a") != Secret("b")
    assert Secret("a") != "a"
    assert len({Secret("a"), Secret("a")}) == 1
    assert not Secret("")
    assert Secret("a").reveal() == "a"
