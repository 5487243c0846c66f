"""The earlier campaign of a comparison: what is read of it, and what is refused in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from soclab.assembly.releases import check_alike, last_finished, read_release
from soclab.contracts.vocabulary import Mode, Outcome
from soclab.errors import UsageError
from soclab.reports.writer import write_reports
from tests.unit.scoring import cards

WHERE = "--soclab-compare DIR"


def campaign(folder: Path, **told: Any) -> Path:
    """A folder with the files of a finished campaign; `told` goes to its scorecard as it stands in the file."""
    folder.mkdir(parents=True)
    results = [cards.attacked(1), cards.attacked(2, Outcome.CONTAINED), cards.clean(1), cards.guard(1)]
    write_reports(folder, cards.scorecard(results))
    path = folder / "scorecard.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | told), encoding="utf-8")
    return folder


def test_the_runs_of_the_agent_are_read(tmp_path: Path) -> None:
    """With their outcomes; guards say nothing about it."""
    found = read_release(campaign(tmp_path / "one"), WHERE)

    assert [(one.id, one.outcome) for one in found.runs] == [
        ("ATK-001", "resisted"),
        ("ATK-002", "contained"),
        ("BEN-001", "correct"),
    ]
    assert (found.release.agent, found.release.trials, found.release.mode) == ("http:agent", 1, Mode.PROTECTED)


def test_of_several_attempts_the_one_that_counts_is_read(tmp_path: Path) -> None:
    """The last, unless an earlier one fell; runs that only a test asked for, and clean twins, are left out."""
    folder = campaign(tmp_path / "one")
    card = json.loads((folder / "scorecard.json").read_text("utf-8"))
    run = card["scenarios"][0]
    card["scenarios"] = [
        run | {"outcome": "inconclusive"},
        run | {"attempt": 2, "outcome": "contained"},
        run | {"attempt": 3, "outcome": "resisted"},
        run | {"id": "ATK-009", "asked_by_test": True},
        run | {"id": "ATK-001~clean", "twin_of": "ATK-001", "kind": "benign"},
    ]
    (folder / "scorecard.json").write_text(json.dumps(card), encoding="utf-8")

    assert [(one.id, one.outcome) for one in read_release(folder, WHERE).runs] == [("ATK-001", "contained")]


def test_what_a_later_version_added_is_no_fault(tmp_path: Path) -> None:
    """A scorecard is an open document; what is missing has its default."""
    folder = campaign(tmp_path / "one", added_later={"x": 1})
    card = json.loads((folder / "scorecard.json").read_text("utf-8"))
    for name in ("profile_sha256", "approver", "comparison", "twins"):
        del card[name]
    card["scenarios"][0]["added_later"] = 1
    (folder / "scorecard.json").write_text(json.dumps(card), encoding="utf-8")

    assert len(read_release(folder, WHERE).runs) == 3


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"schema": "soclab.scorecard.v2"}, "is a 'soclab.scorecard.v2' and this version reads soclab.scorecard.v1"),
        ({"schema": "soclab.scenario.v1"}, "is no scorecard"),
        ({"complete": False}, "its campaign is unfinished or a part of one"),
        ({"complete": "yes"}, "is damaged at 'complete'"),
        ({"scenarios": [{"id": "ATK-001"}]}, "is damaged at 'scenarios.0.kind'"),
        ({"scenarios": None}, "is damaged at 'scenarios'"),
        ({"mode": "\x1b[31m"}, "is damaged at 'mode'"),
        ({"evidence": {"all_valid": False}}, "its evidence does not verify"),
    ],
)
def test_a_scorecard_that_cannot_be_used_is_one_line(tmp_path: Path, told: dict[str, Any], says: str) -> None:
    """It says what is wrong with it."""
    with pytest.raises(UsageError) as caught:
        read_release(campaign(tmp_path / "one", **told), WHERE)

    assert says in str(caught.value)
    assert str(caught.value).startswith(WHERE)
    assert len(str(caught.value).splitlines()) == 1
    assert "\x1b" not in str(caught.value)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"a": 1, "a": 2}', b"\xff\xfe", b"[" * 5000, b'{"schema": NaN}']
)
def test_a_damaged_file_is_one_line(tmp_path: Path, content: bytes) -> None:
    """Torn, doubled, no text, too deep: refused, and no other campaign is taken in its place."""
    folder = campaign(tmp_path / "one")
    (folder / "scorecard.json").write_bytes(content)
    with pytest.raises(UsageError, match=r"is damaged|is no scorecard") as caught:
        read_release(folder, WHERE)

    assert len(str(caught.value).splitlines()) == 1


def test_a_folder_without_a_campaign_says_what_it_is_instead(tmp_path: Path) -> None:
    """Nothing, something else, a killed campaign, those of two modes."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "killed").mkdir()
    (tmp_path / "killed" / "journal.jsonl").write_text("", encoding="utf-8")
    campaign(tmp_path / "both" / "protected")
    says = {
        "nowhere": "there is no such folder",
        "empty": "holds no campaign",
        "killed": "was never finished",
        "both": "holds the campaigns of both modes; name",
    }
    for name, words in says.items():
        with pytest.raises(UsageError, match=words):
            read_release(tmp_path / name, WHERE)


def test_of_the_campaigns_of_two_modes_the_same_mode_is_read(tmp_path: Path) -> None:
    """When it is known which one is going to be run."""
    campaign(tmp_path / "both" / "protected")

    assert read_release(tmp_path / "both", WHERE, Mode.PROTECTED).release.mode is Mode.PROTECTED
    with pytest.raises(UsageError, match="holds the campaigns of both modes"):
        read_release(tmp_path / "both", WHERE, Mode.BASELINE)


def test_what_differs_is_named_in_one_line(tmp_path: Path) -> None:
    """All of it, with both values."""
    first = read_release(campaign(tmp_path / "one"), WHERE).release
    second = read_release(campaign(tmp_path / "two", trials=3, authority_level_tested="L2"), WHERE).release
    with pytest.raises(UsageError) as caught:
        check_alike(first, second, WHERE)

    assert str(caught.value) == (
        f"{WHERE}: cannot be compared: its authority level is 'L4', now 'L2'; its number of trials is '1', now '3'; "
        "compare campaigns that were run alike"
    )


def point(root: Path, name: str) -> None:
    (root / ".soclab" / "last").write_text(f"runs/{name}\n", encoding="utf-8")


def test_last_is_the_newest_campaign_that_was_led_to_its_end(tmp_path: Path) -> None:
    """The one that `.soclab/last` names; if that one was stopped, the newest before it."""
    runs = tmp_path / ".soclab" / "runs"
    old, new = campaign(runs / "20260101T000000-a"), campaign(runs / "20260102T000000-b")
    point(tmp_path, old.name)
    assert last_finished(tmp_path, Mode.PROTECTED, WHERE) == old
    campaign(runs / "20260103T000000-c", complete=False)
    point(tmp_path, "20260103T000000-c")
    assert last_finished(tmp_path, Mode.PROTECTED, WHERE) == new


def test_last_of_two_modes_is_the_one_of_the_same_mode(tmp_path: Path) -> None:
    """`.soclab/last` names one of the two."""
    place = tmp_path / ".soclab" / "runs" / "20260101T000000-a"
    campaign(place / "baseline"), campaign(place / "protected")
    point(tmp_path, f"{place.name}/protected")

    assert last_finished(tmp_path, Mode.BASELINE, WHERE) == place / "baseline"
    assert last_finished(tmp_path, Mode.PROTECTED, WHERE) == place / "protected"


def test_without_a_finished_campaign_there_is_no_last(tmp_path: Path) -> None:
    """One line; a campaign that was killed is none."""
    with pytest.raises(UsageError, match="no campaign was led to its end"):
        last_finished(tmp_path, Mode.PROTECTED, WHERE)


def test_a_damaged_last_one_is_not_passed_over_in_silence(tmp_path: Path) -> None:
    """What it was is not known, so nothing older stands for it."""
    runs = tmp_path / ".soclab" / "runs"
    campaign(runs / "20260101T000000-a")
    bad = campaign(runs / "20260102T000000-b")
    (bad / "scorecard.json").write_text("{", encoding="utf-8")
    point(tmp_path, bad.name)

    assert last_finished(tmp_path, Mode.PROTECTED, WHERE) == bad
