"""What the README shows of its first five minutes is what a newcomer sees."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from soclab.contracts.vocabulary import Classification, Kind
from soclab.scenarios.loader import load_pack
from tests.contract.published_file import ROOT
from tests.integration.commands import run
from tests.sessions import ALONE

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"```sh\n(.*?)\n```", README, re.DOTALL)
SCORECARD, ITEM = re.findall(r"```text\n(.*?)```", README, re.DOTALL)
OTHER_EACH_TIME = re.compile(r"^(?:files  |  run  |=+ .* passed in ).*\n?", re.MULTILINE)


def told(text: str) -> str:
    """Without what differs from run to run, on one line: the page breaks lines where the terminal does not."""
    return " ".join(OTHER_EACH_TIME.sub("", text).split())


@pytest.mark.parametrize(
    ("shown", "options"),
    [
        (SCORECARD, ("--soclab-provider", "reference")),
        (ITEM, ("--soclab-provider", "gullible", "--soclab-mode", "baseline")),
    ],
    ids=["scorecard", "failed item"],
)
def test_the_page_shows_what_the_command_prints(tmp_path: Path, shown: str, options: tuple[str, ...]) -> None:
    """Word for word, but for times and ids; the options are those of the page."""
    assert any(command.rstrip(")").endswith(" ".join(options)) for command in COMMANDS)
    printed = run(tmp_path, "pytest", *ALONE, "-p", "no:cacheprovider", *options, COLUMNS="110").output

    assert told(shown) in told(printed)


def test_the_environment_is_activated_before_it_is_needed() -> None:
    """No command after the first two is found on the path of somebody who just did what the page says."""
    assert COMMANDS[2] == ". .venv/bin/activate"
    assert all("pytest" not in command for command in COMMANDS[:2] if ".venv/bin/" not in command)


def test_the_numbers_of_scenarios_are_those_of_the_corpus() -> None:
    """Attacks, channels, benign ones and guards."""
    scenarios = load_pack().scenarios
    count = {kind: sum(one.kind is kind for one in scenarios) for kind in Kind}
    channels = len({one.injection.channel for one in scenarios if one.injection})

    assert f"| {count[Kind.ATTACK]} attacks over {channels} channels (" in README
    assert f", {count[Kind.BENIGN]} benign, {count[Kind.GUARD]} guards that force replies |" in README


def test_no_shipped_incident_is_harmless() -> None:
    """The page explains the level of the first command by it; drop the sentence when one is."""
    assert "no incident that ships is harmless" in " ".join(README.split())
    assert all(one.truth is Classification.TRUE_POSITIVE for one in load_pack().scenarios if one.kind is not Kind.GUARD)


def test_what_protected_mode_stops_is_as_the_page_says(tmp_path: Path) -> None:
    """The agent that believes everything: contained and compromised, as counted on the page."""
    printed = run(
        tmp_path, "pytest", *ALONE, "--soclab-provider", "gullible", "-p", "no:cacheprovider", COLUMNS="300"
    ).output
    compromised, contained = map(int, re.findall(r"attacked +([0-9]+) compromised, ([0-9]+) contained", printed)[0])
    page = " ".join(README.split())

    assert f"{contained} of {compromised + contained} attacks are stopped" in page
    assert f"The other {compromised} talk it into closing a real attack" in page
    assert (
        len(re.findall(r"FAILED soclab::ATK.*COMPROMISED: At propose_action the agent closed", printed)) == compromised
    )


def test_every_page_can_be_found_from_here() -> None:
    """Each page of `docs/` is linked by the README or by a page that is."""
    found, ahead = set(), [ROOT / "README.md"]
    while ahead:
        page = ahead.pop()
        links = re.findall(r"\]\(([^)#]+\.md)", page.read_text(encoding="utf-8"))
        new = {(page.parent / link).resolve() for link in links if "://" not in link} - found
        found |= new
        ahead += new
    assert {page.resolve() for page in (ROOT / "docs").glob("*.md")} <= found
