"""The strict part of YAML that scenario files are written in."""

from __future__ import annotations

import pytest

from soclab.errors import ScenarioFileError
from soclab.scenarios.yaml_file import read_yaml


def _read(tmp_path, text: str | bytes):
    path = tmp_path / "file.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_yaml(path)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("2026-03-10", "2026-03-10"),
        ("2026-03-10T08:46:00Z", "2026-03-10T08:46:00Z"),
        ("08:46", "08:46"),
        ("10:20:30", "10:20:30"),
        ("0x1f", "0x1f"),
        ("007", "007"),
        ("1_000", "1_000"),
        (".nan", ".nan"),
        ("<<", "<<"),
        ("'true'", "true"),
        ('"7"', "7"),
        ("203.0.113.40", "203.0.113.40"),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("-12", -12),
        ("0", 0),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ('"\\u0430\\u200b"', "\u0430\u200b"),
        (">-\n  two\n  lines", "two lines"),
    ],
)
def test_plain_words_mean_what_they_look_like(tmp_path, written, value):
    """
    Dates, times, `no` and padded numbers are text; numbers, truth values and null are themselves.
    """
    found = _read(tmp_path, f"key: {written}").value["key"]

    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: 1\nb: 2\na: 3", "file.yaml:3: key a stands twice"),
        ("a:\n  - {b: 1, b: 2}", "file.yaml:2: key b stands twice"),
        ("a: &x 1\nb: *x", "anchors and aliases are not supported"),
        ("a: !!python/name:os.system", "tag tag:yaml.org,2002:python/name:os.system is not supported"),
        ("a: !thing {}", "tag !thing is not supported"),
        ("a: 1e999", "number 1e999 is too large"),
        ("? [a]\n: 1", "a key is a text"),
        ("a: 1\n  b: 2", "file.yaml:2: no YAML"),
        ("a: 1\n---\nb: 2", "no YAML"),
        ("\ta: 1", "no YAML"),
        ("a: \x00", "no YAML"),
        ('a: "\\ud800"', "no YAML"),
        ("", "is empty"),
        ("# only a comment", "is empty"),
        (b"a: \xff", "is no UTF-8 at byte 3"),
        ("x" * ((1 << 20) + 1), "is larger than 1 MiB"),
        ("[" * 200 + "]" * 200, "nested deeper than 50 levels"),
        ("[" * 100_000, "no YAML"),
    ],
)
def test_other_files_are_refused_with_the_reason(tmp_path, text, words):
    """
    Repeated keys, anchors, tags, second documents, broken text and bytes are one line that names the file.
    """
    with pytest.raises(ScenarioFileError) as caught:
        _read(tmp_path, text)

    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_byte_order_mark_does_not_matter(tmp_path):
    """
    Some editors write one.
    """
    assert _read(tmp_path, b"\xef\xbb\xbfa: 1").value == {"a": 1}


@pytest.mark.parametrize(
    ("key", "line"), [((), 1), (("b",), 2), (("b", "c", 1, "d"), 5), (("b", "missing"), 2), (("b", "c", 9), 3)]
)
def test_lines_are_those_of_the_keys(tmp_path, key, line):
    """
    A key's line counts from one; a key that is not there has the line of what should hold it.
    """
    assert line == _read(tmp_path, "a: 1\nb:\n  c:\n    - x\n    - d: 1\n").line_of(key)
