"""`soclab verify`: what it says of whole, changed, cut and absent evidence."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from soclab.evidence.ledger import GENESIS, line_hash
from tests.integration.command_line import Caller

AGENT = ("--provider", "gullible", "--scenario", "ATK-001", "--scenario", "BEN-001", "--seed", "s")


@pytest.fixture
def out(soclab_command: Caller) -> Path:
    """The folder of a campaign."""
    soclab_command("campaign", *AGENT, "--out", "out")
    return soclab_command.folder / "out"


def edit(path: Path, old: bytes, new: bytes) -> int:
    """Change the first place; returns its line."""
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new, 1))
    return data[: data.index(old)].count(b"\n") + 1


def test_an_untouched_folder_is_verified(soclab_command: Caller, out: Path) -> None:
    """One line: runs, lines, root, and that nobody signed it."""
    called = soclab_command("verify", "out")
    assert called.status == 0
    assert called.out.startswith("out: verified: 2 runs, ")
    assert called.out.endswith(", not signed\n")
    assert called.out.count("\n") == 1


@pytest.mark.parametrize("name", ["journal.jsonl", "scorecard.json", "report.html"])
def test_a_changed_file_is_named_with_its_line(name: str, soclab_command: Caller, out: Path) -> None:
    """Status 1 and one line that says what to do."""
    line = edit(out / name, b"ATK-001", b"ATK-002")
    called = soclab_command("verify", "out")
    assert called.status == 1
    assert called.out.startswith(f"out/{name}:{line}: changed: ")
    assert called.out.count("\n") == 1


HOSTILE = {
    "deep nesting": b"[" * 200_000,
    "a long number": b'{"at":"","kind":"x","prev":"' + b"0" * 64 + b'","run":null,"seq":' + b"1" * 5000 + b"}",
    "no text at all": bytes(range(256)) * 4,
    "nothing": b"",
}


@pytest.mark.parametrize("name", ["journal.jsonl", "scorecard.json", "report.html"])
@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_are_bad_lines_and_nothing_worse(
    name: str, content: bytes, soclab_command: Caller, out: Path
) -> None:
    """The first line is named; the terminal is safe."""
    (out / name).write_bytes(content + b"\n")
    called = soclab_command("verify", "out")
    assert called.status == 1
    assert called.out.startswith((f"out/{name}:1: ", f"out/{name}:1 (or 2): "))
    assert called.out.rstrip("\n").isprintable()
    assert called.err == ""


def test_a_missing_scorecard_is_named(soclab_command: Caller, out: Path) -> None:
    """The journal alone is not the result that was written."""
    (out / "scorecard.json").unlink()
    called = soclab_command("verify", "out")
    assert called.status == 1
    assert "out/scorecard.json:1: missing: " in called.out


@pytest.mark.parametrize(
    ("gone", "said"), [(1, "number 3 of the chain is gone"), (2, "numbers 3 to 4 of the chain are gone")]
)
def test_lines_that_are_gone_are_named(gone: int, said: str, soclab_command: Caller, out: Path) -> None:
    """One by its number, several by the first and the last."""
    journal = out / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:3] + lines[3 + gone :]))
    assert f"out/journal.jsonl:4: missing: {said}; " in soclab_command("verify", "out").out


def test_a_killed_campaign_is_not_verified(soclab_command: Caller, out: Path) -> None:
    """Without a closing record nobody can say that the end is there."""
    for name in ("scorecard.json", "report.html"):
        (out / name).unlink()
    lines = (out / "journal.jsonl").read_bytes().splitlines(keepends=True)
    (out / "journal.jsonl").write_bytes(b"".join(lines[:-1]))
    called = soclab_command("verify", "out")
    assert called.status == 1
    assert f"journal.jsonl:{len(lines)}: truncated: the closing record is not there" in called.out


def test_an_earlier_end_of_the_journal_is_no_end(soclab_command: Caller, out: Path) -> None:
    """A campaign that was taken up again ends where the scorecard says, not where its first session ended."""
    lines = (out / "journal.jsonl").read_bytes()
    soclab_command("campaign", *AGENT, "--resume", "out")
    assert soclab_command("verify", "out").status == 0
    (out / "journal.jsonl").write_bytes(lines)
    called = soclab_command("verify", "out")
    assert called.status == 1
    assert ": truncated: " in called.out


def test_a_journal_whose_hashes_were_made_anew_contradicts_its_records(soclab_command: Caller, out: Path) -> None:
    """As long as whoever did it left one root as it was."""
    lines = (out / "journal.jsonl").read_bytes().splitlines()
    at = next(number for number, line in enumerate(lines) if b'"kind":"answered"' in line)
    lines[at] = lines[at].replace(b'"reply_truncated":false', b'"reply_truncated":true')
    before = [GENESIS, *(line_hash(one) for one in (out / "journal.jsonl").read_bytes().splitlines())]
    last = GENESIS
    for number, line in enumerate(lines):
        lines[number] = line.replace(before[number].encode(), last.encode())
        last = line_hash(lines[number])
    (out / "journal.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    (out / "scorecard.json").unlink()

    called = soclab_command("verify", "out")

    assert called.status == 1
    assert "the closing record names another root" in called.out


@pytest.mark.parametrize("name", ["scorecard.json", "report.html"])
def test_a_file_that_is_gone_is_named(name: str, soclab_command: Caller, out: Path) -> None:
    """What the campaign wrote has to be there."""
    (out / name).unlink()
    called = soclab_command("verify", "out")
    assert called.status == 1
    assert called.out.startswith(f"out/{name}:1: missing: ")
    assert called.out.count("\n") == 1
    soclab_command("scorecard", "--rebuild", "out")
    assert soclab_command("verify", "out").status == 0


def test_a_comparison_of_releases_that_is_gone_is_named(soclab_command: Caller, out: Path) -> None:
    """`comparison.json` of a campaign that was compared with an earlier one."""
    soclab_command("campaign", *AGENT, "--out", "later", "--compare", "out")
    assert soclab_command("verify", "later").status == 0
    (soclab_command.folder / "later" / "comparison.json").unlink()
    assert soclab_command("verify", "later").out.startswith("later/comparison.json:1: missing: ")


def test_a_comparison_of_modes_that_is_gone_is_named(soclab_command: Caller) -> None:
    """Where both campaigns were led by one command; two that only stand together have none."""
    soclab_command("compare", *AGENT, "--out", "both")
    (soclab_command.folder / "both" / "comparison.json").unlink()
    called = soclab_command("verify", "both")
    assert called.status == 1
    assert called.out.startswith("both/comparison.json:1: missing: ")

    for mode in ("baseline", "protected"):
        soclab_command("campaign", *AGENT, "--mode", mode, "--out", f"two/{mode}")
    assert soclab_command("verify", "two").status == 0


def test_a_comparison_that_nobody_made_is_named(soclab_command: Caller, out: Path) -> None:
    """A file of ours that the campaign did not write is not passed over."""
    (out / "comparison.json").write_text("{}", encoding="utf-8")
    called = soclab_command("verify", "out")
    assert called.status == 1
    assert called.out.startswith("out/comparison.json:1: inserted: ")


def test_a_campaign_in_the_folder_of_the_other_mode_is_named(soclab_command: Caller, out: Path) -> None:
    """Each half of a pair is of the mode that its folder is named after."""
    for mode in ("baseline", "protected"):
        shutil.copytree(out, soclab_command.folder / "two" / mode)
    called = soclab_command("verify", "two")
    assert called.status == 1
    assert called.out.startswith("two/baseline/journal.jsonl:1: swapped: ")


def test_both_modes_are_verified_together(soclab_command: Caller) -> None:
    """One line each; a bad line in either, or in the comparison, is found."""
    soclab_command("compare", *AGENT, "--out", "both")
    called = soclab_command("verify", "both")
    assert called.status == 0
    assert [line.partition(":")[0] for line in called.out.splitlines()] == ["both/baseline", "both/protected"]

    line = edit(soclab_command.folder / "both" / "comparison.json", b"protected", b"protektet")
    assert f"both/comparison.json:{line}: changed: " in soclab_command("verify", "both").out

    (soclab_command.folder / "both" / "protected" / "journal.jsonl").unlink()
    called = soclab_command("verify", "both")
    assert called.status == 1
    assert "both/protected/journal.jsonl:1: missing: " in called.out


@pytest.mark.parametrize("place", ["nowhere", "empty", "file.txt", ""])
def test_where_there_is_no_journal_nothing_is_verified(place: str, soclab_command: Caller) -> None:
    """Wrong use, one line, never a success."""
    (soclab_command.folder / "empty").mkdir()
    (soclab_command.folder / "file.txt").write_text("x")
    called = soclab_command("verify", place)
    assert called.status == 2
    assert called.out == ""
    assert called.err.count("\n") == 1
