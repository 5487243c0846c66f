"""A team's own policy folder: what is wrong with it is told with file and line, before anything runs."""

from __future__ import annotations

from pathlib import Path

import pytest

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
