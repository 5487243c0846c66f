"""What the one decoder of JSON accepts and refuses."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soclab.strict_json import InvalidJson, decode

ACCEPTED = {
    "null": b"null",
    "true": b"true",
    "zero": b"0",
    "negative zero is the integer": b"-0",
    "negative zero with a fraction": b"-0.0",
    "exponent": b"1e2",
    "exponent with a sign": b"1E+2",
    "underflow": b"1e-400",
    "greatest double": b"1.7976931348623157e308",
    "long fraction": b"0." + b"1" * 10_000,
    "integer beyond 64 bits": b"18446744073709551616",
    "integer of 4300 digits": b"9" * 4300,
    "empty string": b'""',
    "escapes": rb'"\"\\\/\b\f\n\r\t\u0041"',
    "surrogate pair": rb'"\ud83d\ude00"',
    "surrogate pair in a key": rb'{"\ud83d\ude00": 1}',
    "astral character as it is": '"\U0001f600"'.encode(),
    "escaped NUL": rb'"\u0000"',
    "noncharacter": '"\ufffe"'.encode(),
    "DEL": b'"\x7f"',
    "white space around": b" \t\r\n{} \t\r\n",
    "same key in two objects": b'[{"a": 1}, {"a": 2}]',
    "same key at two levels": b'{"a": {"a": 1}}',
    "64 arrays": b"[" * 64 + b"]" * 64,
    "64 arrays around a number": b"[" * 64 + b"1" + b"]" * 64,
    "64 objects": b'{"a":' * 64 + b"1" + b"}" * 64,
    "65 brackets side by side": b"[" + b"[]," * 64 + b"[]]",
    "brackets in a string": b'"' + b"[" * 100 + b'"',
}

REFUSED = {
    "nothing": (b"", "too early"),
    "white space only": (b"  ", "too early"),
    "byte order mark": (b"\xef\xbb\xbf{}", "byte order mark"),
    "UTF-16": ("{}".encode("utf-16"), "no JSON"),
    "byte that is no UTF-8": (b'"\xff"', "no UTF-8"),
    "byte that is no UTF-8 in a key": (b'{"\xff": 1}', "no UTF-8"),
    "overlong form": (b'"\xc0\x80"', "no UTF-8"),
    "surrogate as bytes": (b'"\xed\xa0\x80"', "no UTF-8"),
    "repeated key": (b'{"a": 1, "a": 2}', "repeated key"),
    "repeated key behind an escape": (rb'{"a": 1, "\u0061": 2}', "repeated key"),
    "repeated key deep inside": (b'[{"b": [{"a": 1, "a": 1}]}]', "repeated key"),
    "NaN": (b"NaN", "no JSON"),
    "Infinity": (b"[Infinity]", "no JSON"),
    "negative Infinity": (b'{"a": -Infinity}', "no JSON"),
    "number beyond a double": (b"1e400", "beyond a double"),
    "negative number beyond a double": (b'{"a": [-1e400]}', "beyond a double"),
    "number beyond a double without exponent": (b"1" * 400 + b".0", "beyond a double"),
    "huge exponent": (b"1e99999999999999999999", "beyond a double"),
    "number beyond a double at the deepest level": (b"[" * 64 + b"1e400" + b"]" * 64, "beyond a double"),
    "integer of 4301 digits": (b"9" * 4301, "4300 digits"),
    "negative integer of 4301 digits": (b"-" + b"9" * 4301, "4300 digits"),
    "integer of a million digits": (b"9" * 1_000_000, "4300 digits"),
    "lone high surrogate": (rb'"\ud800"', "lone surrogate"),
    "lone low surrogate": (rb'"\udc00"', "lone surrogate"),
    "high surrogate before a character": (rb'"\ud83da"', "lone surrogate"),
    "high surrogate before another escape": (rb'"\ud83d\u0041"', "lone surrogate"),
    "two high surrogates before a low one": (rb'"\ud83d\ud83d\ude00"', "lone surrogate"),
    "pair the wrong way round": (rb'"\ude00\ud83d"', "lone surrogate"),
    "lone surrogate in a key": (rb'{"\ud800": 1}', "lone surrogate"),
    "65 arrays": (b"[" * 65 + b"]" * 65, "64 levels"),
    "65 objects": (b'{"a":' * 65 + b"1" + b"}" * 65, "64 levels"),
    "65 levels at the end of a list": (b"[" + b"1," * 100 + b"[" * 64 + b"]" * 65, "64 levels"),
    "202 arrays": (b"[" * 202 + b"]" * 202, "64 levels"),
    "20,000 arrays": (b"[" * 20_000 + b"]" * 20_000, "64 levels"),
    "20,000 objects": (b'{"a":' * 20_000 + b"1" + b"}" * 20_000, "64 levels"),
    "5 MB of opening brackets": (b"[" * 5_000_000, "64 levels"),
    "5 MB of a string without end": (b'"' + b"a" * 5_000_000, "too early"),
    "leading zero": (b"01", "no JSON"),
    "plus sign": (b"+1", "no JSON"),
    "point without digits": (b"1.", "too early"),
    "point at the start": (b".5", "no JSON"),
    "control character": (b'"\n"', "control character"),
    "raw NUL": (b'"\x00"', "control character"),
    "unknown escape": (rb'"\x"', "no JSON"),
    "text after the value": (b"{} {}", "after the value"),
    "NUL after the value": (b"{}\x00", "after the value"),
    "cut short": (b'{"a": [1', "too early"),
    "trailing comma": (b"[1,]", "no JSON"),
    "comment": (b"[1 /* one */]", "no JSON"),
    "single quotes": (b"{'a': 1}", "no JSON"),
    "Python's True": (b"True", "no JSON"),
    "no-break space": (b"\xc2\xa0{}", "no JSON"),
}

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=20,
)
almost_json = st.text(alphabet='{}[]",:0123456789.eE+-\\/udD8abtrufalsenNIity \n\U0001f600', max_size=40)


@pytest.mark.parametrize("raw", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_valid_text_is_decoded_as_the_standard_library_does(raw):
    """
    Valid JSON gives the value that `json.loads` gives, types included.
    """
    assert repr(json.loads(raw)) == repr(decode(raw))


@pytest.mark.parametrize(("raw", "words"), REFUSED.values(), ids=REFUSED.keys())
def test_invalid_bytes_are_refused_in_one_line(raw, words):
    """
    Everything that the rules forbid is refused, in one short line that says what was wrong.
    """
    with pytest.raises(InvalidJson) as refused:
        decode(raw)

    assert words in str(refused.value)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 80


def test_a_repeated_key_is_not_quoted():
    """
    The detail never shows a key, since keys are the agent's text too.
    """
    with pytest.raises(InvalidJson) as refused:
        decode(rb'{"\u001b]0;hello at line 7 column 7": 1, "\u001b]0;hello at line 7 column 7": 2}')

    assert "hello" not in str(refused.value)
    assert str(refused.value).startswith("repeated key at line 1 column ")


def test_the_cause_is_not_chained():
    """
    A traceback of the refusal does not bring the parser's own words back, which may quote a key.
    """
    with pytest.raises(InvalidJson) as refused:
        decode(b'{"a": 1, "a": 2}')

    assert refused.value.__suppress_context__


@given(json_values)
@settings(deadline=None)
def test_what_the_standard_library_writes_comes_back(value):
    """
    Any JSON value survives being written and decoded.
    """
    assert repr(value) == repr(decode(json.dumps(value).encode()))
    assert repr(value) == repr(decode(json.dumps(value, ensure_ascii=False).encode()))


@given(st.binary(max_size=60) | almost_json.map(str.encode))
@settings(deadline=None)
def test_no_bytes_raise_anything_else(raw):
    """
    Arbitrary bytes are refused, or decoded as the standard library decodes them; nothing else happens.
    """
    try:
        value = decode(raw)
    except InvalidJson:
        return

    assert repr(json.loads(raw.decode())) == repr(value)


@given(json_values, st.integers(min_value=0), st.binary(max_size=3), st.integers(min_value=0, max_value=3))
@settings(deadline=None)
def test_damaged_text_raises_nothing_else(value, place, inserted, removed):
    """
    Valid text with some bytes exchanged is refused, or decoded as the standard library decodes it.
    """
    text = json.dumps(value).encode()
    at = place % (len(text) + 1)
    raw = text[:at] + inserted + text[at + removed :]

    try:
        decoded = decode(raw)
    except InvalidJson:
        return

    assert repr(json.loads(raw.decode())) == repr(decoded)
