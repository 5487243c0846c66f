"""A team's own policy folder: what is wrong with it is told with file and line, before anything runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from soclab.contracts.policy import FAULTS
from soclab.errors import PolicyError
from soclab.policy.engines.cedar import SHIPPED, CedarEngine
from tests.unit.policy.facts_table import facts

GOOD = """\
// Ours; semicolons in here; do not matter: permit (
@id("all")
permit (principal, action, resource);

@id("not_this") // and a comment; inside
forbid (principal, action, resource)
when { resource.name == "a;b // c \\" ;" };
"""


def folder_with(place: Path, **files: str) -> Path:
    """A folder with these files, `.cedar` added."""
    for name, text in files.items():
        (place / f"{name}.cedar").write_text(text, encoding="utf-8")
    return place


def test_a_folder_of_ones_own_decides(tmp_path: Path) -> None:
    """
    Its policies decide, and no shipped one does; comments and texts may hold semicolons.
    """
    subject = CedarEngine.of_folder(folder_with(tmp_path, mine=GOOD))

    assert subject.judge(facts(level=1, scope={"outside": 1})).reasons == ()
    assert set(subject.reasons) == {"not_this", "no_policy_permits"}


def test_the_shipped_folder_is_such_a_folder() -> None:
    """
    A copy of what comes with soclab is a start, and decides the same.
    """
    assert CedarEngine.of_folder(SHIPPED).version == CedarEngine.shipped().version


def test_files_are_read_in_the_order_of_their_names(tmp_path: Path) -> None:
    """
    The version does not hang on how a file system lists files, and other files do not matter.
    """
    first = folder_with(tmp_path, b='@id("b") forbid (principal, action, resource);', a=GOOD)
    version = CedarEngine.of_folder(first).version
    (tmp_path / "README.md").write_text("permit (")

    assert CedarEngine.of_folder(first).version == version


BAD = {
    "does not parse": ('\n@id("x")\npermit (principal, action)\n;', 2, "no Cedar policy"),
    "the end is missing": (f'{GOOD}\n@id("x")\npermit (principal, action, resource)\nwhen {{', 9, "no Cedar policy"),
    "an attribute that does not exist": (
        f'{GOOD}\n@id("x")\nforbid (principal, action, resource)\nwhen {{\n  context.levle == 3\n}};',
        12,
        "levle",
    ),
    "another type": ('@id("x") forbid (principal, action, resource)\nwhen { context.level == "L4" };', 1, ""),
    "an attribute that may be absent": (
        '@id("x") forbid (principal, action, resource)\nwhen { context.tokens.spent > 3 };',
        2,
        "spent",
    ),
    "no reason code": ("permit (principal, action, resource);", 1, "@id"),
    "a reason code of another shape": ('@id("Not This") permit (principal, action, resource);', 1, "@id"),
    "the same code twice": (GOOD + '@id("all") forbid (principal, action, resource);', 8, "second policy"),
    "a template": ('@id("x") permit (principal == ?principal, action, resource);', 1, "template"),
    "another decision": ('@id("x") @decision("maybe") forbid (principal, action, resource);', 1, "@decision"),
    "a decision on a permit": ('@id("x") @decision("hold") permit (principal, action, resource);', 1, "@decision"),
    "an obligation nobody can meet": (
        '@id("x") @obligation("pray") permit (principal, action, resource);',
        1,
        "read_only",
    ),
    "an obligation on a forbid": (
        '@id("x") @obligation("read_only") forbid (principal, action, resource);',
        1,
        "permit",
    ),
    "a semicolon too many": (GOOD + ";", 8, "no Cedar policy"),
}


@pytest.mark.parametrize(("text", "line", "words"), BAD.values(), ids=BAD)
def test_what_is_wrong_is_told_with_file_and_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    """
    One line: the file, the line, what is wrong, what to do.
    """
    with pytest.raises(PolicyError) as error:
        CedarEngine.of_folder(
            folder_with(tmp_path, fine='@id("fine") permit (principal, action, resource);', mine=text)
        )

    told = str(error.value)
    assert f"{tmp_path / 'mine.cedar'}, line {line}: " in told
    assert words in told
    assert "; " in told
    assert "\n" not in told


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    """
    It is named.
    """
    with pytest.raises(PolicyError, match="no such folder"):
        CedarEngine.of_folder(tmp_path / "policies")


@pytest.mark.parametrize("files", [{}, {"a": ""}, {"a": "// nothing;\n", "b": "\n"}])
def test_a_folder_without_policies_is_an_error(tmp_path: Path, files: dict[str, str]) -> None:
    """
    It would deny everything, which nobody means; a folder of comments is as empty.
    """
    with pytest.raises(PolicyError, match="no policy in it"):
        CedarEngine.of_folder(folder_with(tmp_path, **files))


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    """
    It is named.
    """
    (tmp_path / "a.cedar").write_bytes(b"\xff\xfe\x00")

    with pytest.raises(PolicyError, match=r"a\.cedar: cannot be read"):
        CedarEngine.of_folder(tmp_path)


def test_a_hostile_file_name_stays_on_one_line(tmp_path: Path) -> None:
    """
    Names of files are cleaned like any text.
    """
    (tmp_path / "a\n\x1b[31m.cedar").write_text("permit")

    with pytest.raises(PolicyError) as error:
        CedarEngine.of_folder(tmp_path)

    assert not {"\n", "\x1b"}.intersection(str(error.value))


ALL = '@id("all") permit (principal, action, resource);'
ENDLESS = {
    "brackets": f'@id("x") permit (principal, action, resource) when {{ {"(" * 20_000}true{")" * 20_000} }};',
    "a chain": f'@id("x") permit (principal, action, resource) when {{ {"&&".join(["context.level > 0"] * 9_999)} }};',
    "a short chain": f'@id("x") permit (principal, action, resource) when {{ {"||".join(["true"] * 150)} }};',
    "a middling chain": f'@id("x") permit (principal, action, resource) when {{ {"||".join(["true"] * 2_000)} }};',
    "sets": f'@id("x") permit (principal, action, resource) when {{ {"[" * 1000}1{"]" * 1000} == [] }};',
}


@pytest.mark.parametrize("text", ENDLESS.values(), ids=ENDLESS)
def test_a_policy_that_would_crash_the_parser_is_told_by_its_line(tmp_path: Path, text: str) -> None:
    """
    Cedar's parser overruns the stack of the process, which ends it without a word; such a text never gets there.
    """
    with pytest.raises(PolicyError, match=r"mine\.cedar, line 1: (longer|brackets|operators)") as error:
        CedarEngine.of_folder(folder_with(tmp_path, mine=text))

    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 400


def test_brackets_in_texts_and_comments_do_not_count(tmp_path: Path) -> None:
    """
    Only brackets of the policy itself are inside one another.
    """
    mine = f'@id("x") permit (principal, action, resource) // {"(" * 99}\nwhen {{ resource.name != "{"[" * 99}" }};'

    assert CedarEngine.of_folder(folder_with(tmp_path, mine=mine)).judge(facts()).reasons == ()


@pytest.mark.parametrize("name", ["deeper/no.cedar", "no.CEDAR", "a.cedar/no.cedar"])
def test_a_policy_that_would_not_be_read_is_an_error(tmp_path: Path, name: str) -> None:
    """
    A `forbid` in a subfolder, or in a file whose suffix has another case, would silently forbid nothing.
    """
    forbid = folder_with(tmp_path, fine=ALL) / name
    forbid.parent.mkdir(exist_ok=True)
    forbid.write_text('@id("no") forbid (principal, action, resource);')

    with pytest.raises(PolicyError, match=r"would not be read|no ordinary file"):
        CedarEngine.of_folder(tmp_path)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """
    What is no ordinary file has no end, and nothing says when its text comes.
    """
    os.mkfifo(tmp_path / "mine.cedar")

    with pytest.raises(PolicyError, match=r"mine\.cedar: no ordinary file"):
        CedarEngine.of_folder(tmp_path)


def test_a_file_larger_than_any_policy(tmp_path: Path) -> None:
    """
    It is refused, not read to its end.
    """
    with pytest.raises(PolicyError, match=r"mine\.cedar: larger than 1 MiB"):
        CedarEngine.of_folder(folder_with(tmp_path, mine="// " + "x" * (1 << 20)))


def test_a_byte_order_mark_is_no_part_of_a_policy(tmp_path: Path) -> None:
    """
    Editors of Windows write one.
    """
    assert CedarEngine.of_folder(folder_with(tmp_path, mine="\ufeff" + ALL)).judge(facts()).reasons == ()


@pytest.mark.parametrize("name", [*sorted(FAULTS), "no_policy_permits"])
def test_reason_codes_of_the_lab_are_not_to_be_had(tmp_path: Path, name: str) -> None:
    """
    A policy that answered `policy_unavailable` would make its own decision look like a fault of the lab.
    """
    with pytest.raises(PolicyError, match=f"@id `{name}` is the lab's own"):
        CedarEngine.of_folder(folder_with(tmp_path, mine=f'@id("{name}") forbid (principal, action, resource);'))
