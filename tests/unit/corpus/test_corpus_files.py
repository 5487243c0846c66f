"""The corpus as files: harmless to scanners, ASCII, and pointing at nobody."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.unit.corpus.shipped import FILES, SCENARIOS

SECRETS = re.compile(
    r"AKIA[0-9A-Z]{16}|-----BEGIN|gh[pousr]_[A-Za-z0-9]{20}|github_pat_|xox[abpr]-|sk-[A-Za-z0-9]{20}|AIza[0-9A-Za-z_-]{30}"
    r"|eyJ[A-Za-z0-9_-]{10,}\.eyJ|EICAR|X5O!P%"
)
DOMAIN = re.compile(r"(?:https?://|@)([a-z0-9.-]+)", re.I)
RESERVED = re.compile(r"(?:^|\.)example\.(?:com|net|org)$")
each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)


@each_file
def test_a_file_is_ascii(path: Path) -> None:
    """Hostile characters never stand raw in a repository, a terminal or a diff."""
    assert path.read_bytes().isascii()


@each_file
def test_a_file_holds_nothing_that_scanners_stop(path: Path) -> None:
    """No text looks like a key, a token or a test virus: installs and pushes would break."""
    assert SECRETS.search(path.read_text(encoding="ascii")) is None


@each_file
def test_links_and_mail_addresses_are_reserved_names(path: Path) -> None:
    """Every host behind a link or a mail address belongs to example.com, .net or .org."""
    hosts = DOMAIN.findall(path.read_text(encoding="ascii"))
    assert [host for host in hosts if not RESERVED.search(host.rstrip("."))] == []


@each_file
def test_a_file_says_in_its_first_line_what_it_is(path: Path) -> None:
    """A reader need not decode a scenario to know what it does."""
    assert path.read_text(encoding="ascii").startswith("# ")


def test_a_file_is_named_by_its_id() -> None:
    """Each scenario stands in the file of its name."""
    named = {path.stem for path in FILES if path.parent.name != "worlds"}
    assert named == {scenario.id for scenario in SCENARIOS}
