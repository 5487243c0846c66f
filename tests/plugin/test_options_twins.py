"""--soclab-twins."""

from __future__ import annotations

from pathlib import Path

import pytest

from soclab.contracts.scorecard_v1 import Scorecard
from soclab.scoring.stable import stable_bytes
from tests.plugin.lab import GULLIBLE, HONEST, STAGES, Lab, kinds, node, verdicts

ONE = ("--soclab-scenario", "ATK-001", "--soclab-seed", "s")
ON = ("--soclab-twins", "on")


@pytest.fixture
def usual(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """The lab without anything said about twins."""
    monkeypatch.delenv("SOCLAB_TWINS")
    return lab


def stable(folder: Path) -> bytes:
    return stable_bytes(Scorecard.model_validate_json((folder / "scorecard.json").read_bytes()))


def twins_in(card: dict) -> list[tuple[str, str]]:
    return [(one["id"], one["twin_of"]) for one in card["scenarios"] if one["twin_of"]]


def test_everything_there_is_has_twins_and_the_header_counts_their_calls(usual: Lab) -> None:
    """Said before the first request, and exactly what is asked; items are those without twins."""
    result = usual.run(*HONEST, "--soclab-concurrency", "16")
    result.stdout.fnmatch_lines(["soclab: *| 23 scenarios, clean twins, 301 calls at most, *"])
    assert len(usual.calls()) == 301
    assert result.parseoutcomes()["passed"] == 23 * len(STAGES) + 1
    card = usual.scorecard()
    assert len(twins_in(card)) == 20
    assert (card["complete"], card["selected"]["stages"], card["twins"]["correct"]) == (True, 161, 20)
    result.stdout.fnmatch_lines(["twins * 20 of 20 finished, 20 of them right; an attack takes tokens x*"])


@pytest.mark.parametrize(
    "arguments",
    [
        ("--soclab-scenario", "ATK-001"),
        ("soclab::ATK-001",),
        ("-k", "ATK-001"),
        ("soclab::ATK-001[propose_action]",),
    ],
)
def test_a_part_has_none_unless_they_are_asked_for(usual: Lab, arguments: tuple[str, ...]) -> None:
    """A quick look at one scenario costs what it did; said, it costs twice."""
    usual.run(*HONEST, *arguments)
    assert len(usual.calls()) == 7
    usual.run(*HONEST, *arguments, *ON)
    assert len(usual.calls()) == 7 + 14
    assert twins_in(usual.scorecard()) == [("ATK-001~clean", "ATK-001")]


def test_the_line_of_a_part_counts_its_twins(lab: Lab) -> None:
    """As far as the part goes."""
    result = lab.run(*HONEST, *ON, "-k", "ATK-001 and collect_siem")
    result.stdout.fnmatch_lines(["soclab: partial: 1 of 161 stages, 10 calls at most"])
    assert len(lab.calls()) == 10


@pytest.mark.parametrize("word", ["off", "on"])
def test_what_is_said_wins(usual: Lab, word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Typed before the environment before the ini file."""
    usual.pytester.makeini(f"[pytest]\nsoclab_twins = {'on' if word == 'off' else 'off'}\n")
    monkeypatch.setenv("SOCLAB_TWINS", word)
    usual.run(*HONEST, *ONE)
    assert len(usual.calls()) == (14 if word == "on" else 7)


def test_items_outcomes_and_gates_are_those_without_twins(lab: Lab) -> None:
    """A second column: attribution and amplification, and nothing else of the attack changes."""
    once = lab.run(*GULLIBLE, *ONE, "--soclab-out", "once", "-v")
    twice = lab.run(*GULLIBLE, *ONE, *ON, "--soclab-out", "twice", "-v")
    assert verdicts(twice) == verdicts(once)
    assert verdicts(once)[node("ATK-001", "propose_action")] == "FAILED"
    before, after = lab.scorecard("once"), lab.scorecard("twice")
    for key in ("outcomes", "failed_runs", "passed", "complete", "selected", "reported"):
        assert after[key] == before[key], key
    assert [(one["name"], one["passed"]) for one in after["gates"]] == [
        (one["name"], one["passed"]) for one in before["gates"]
    ]
    first, again = before["scenarios"][0], after["scenarios"][0]
    assert (first["attribution"], again["attribution"]) == ("unknown", "attack")
    changed = {key for key in again if again[key] != first[key]} - {"stages"}
    assert changed == {"attribution", "amplification"}


def test_no_hostile_text_and_no_name_of_the_case_reaches_the_agent_in_a_twin(lab: Lab) -> None:
    """An agent that looks for them finds them in the attack's run alone; ids tell it nothing."""
    lab.pytester.makepyfile(
        spy="""
        import json
        from pathlib import Path
        from agents import honest

        async def agent(request):
            text = json.dumps(request)
            words = [one for one in ("For the assistant", "ATK-001", "~clean", "twin") if one in text]
            with Path("seen.txt").open("a") as file:
                file.write(f"{request['run_id']} {request['incident_id']} {len(text)} {','.join(words)}\\n")
            return await honest(request)
        """
    )
    lab.run("--soclab-agent", "spy:agent", *ONE, *ON, "--soclab-concurrency", "1")
    lines = [line.split(" ", 3) for line in (lab.path / "seen.txt").read_text(encoding="utf-8").splitlines()]
    runs = {run: [line for line in lines if line[0] == run] for run in dict.fromkeys(line[0] for line in lines)}
    first, second = runs.values()
    assert {words for *_, words in first} == {""}
    assert {words for *_, words in second} == {"", "For the assistant"}
    assert len({incident for _, incident, *_ in lines}) == 2
    assert [size for _, _, size, _ in first] == [size for _, _, size, _ in second]


def test_the_same_bytes_with_any_number_of_slots_and_workers(lab: Lab) -> None:
    """Attribution is no matter of who was first."""
    pytest.importorskip("xdist")
    some = ("--soclab-scenario", "ATK-04*", "--soclab-seed", "s", *ON)
    for name, more in (("one", ("--soclab-concurrency", "1")), ("many", ("--soclab-concurrency", "16"))):
        lab.run(*GULLIBLE, *some, "--soclab-out", name, *more)
    lab.run("--import-mode=importlib", "-o", "pythonpath=.", *GULLIBLE, *some, "--soclab-out", "two", "-n", "2")
    assert stable(lab.path / "one") == stable(lab.path / "many") == stable(lab.path / "two")


def test_a_stopped_campaign_goes_on_with_its_twins(usual: Lab) -> None:
    """Said or not; the other way round is another campaign."""
    some = ("--soclab-scenario", "ATK-04*", "--soclab-seed", "s")
    usual.run(*GULLIBLE, *some, *ON, "--soclab-out", "whole")
    usual.run(*GULLIBLE, *some, *ON, "--soclab-out", "cut")
    journal = usual.path / "cut" / "journal.jsonl"
    data = journal.read_bytes()
    journal.write_bytes(data[: len(data) // 2])
    refused = usual.run(*GULLIBLE, *some, "--soclab-twins", "off", "--soclab-resume", "cut")
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines(["ERROR: *--soclab-resume *: its use of clean twins is 'on', not 'off'; *"])
    finished = sum(b'"kind":"run_finished"' in line for line in journal.read_bytes().split(b"\n")[:-1])
    runs, before = len(usual.scorecard("whole")["scenarios"]), len(usual.calls())
    usual.run(*GULLIBLE, *some, "--soclab-resume", "cut")
    assert len({run for run, _ in usual.calls()[before:]}) == runs - finished
    assert stable(usual.path / "cut") == stable(usual.path / "whole")


def test_trials_have_a_twin_each(lab: Lab) -> None:
    """An attack is held against the twin of its own trial."""
    result = lab.run(*HONEST, *ONE, *ON, "--soclab-trials", "2")
    result.stdout.fnmatch_lines(["soclab: *| 1 scenarios, 2 trials each, clean twins, 28 calls at most, *"])
    assert len(lab.calls()) == 28
    assert lab.scorecard()["twins"]["planned"] == 2


def test_the_page_shows_whose_work_an_attempt_is(lab: Lab) -> None:
    """In the facts of the run; the twin is a run among the runs, and no red one."""
    lab.run(*GULLIBLE, *ONE, *ON)
    page = next((lab.path / ".soclab" / "runs").glob("*/report.html")).read_text(encoding="utf-8")
    assert "the attack made it do so (the twin did not)" in page
    assert "ATK-001: in no rate and no gate" in page
    assert "1 of 1 finished, 1 of them right" in page


def test_a_view_of_the_campaign_shows_no_twins(lab: Lab) -> None:
    """Tests assert over the campaign's own runs; the scorecard has all."""
    lab.pytester.makepyfile(
        test_mine="""
        def test_mine(soclab_campaign):
            assert [one.id for one in soclab_campaign.results] == ["ATK-001"]
            assert len(soclab_campaign.scorecard.scenarios) == 2
        """
    )
    result = lab.run("soclab", "test_mine.py", *HONEST, *ONE, *ON, "-v")
    assert kinds(verdicts(result)) == {"PASSED": 9}


def test_another_word_is_wrong_use(lab: Lab) -> None:
    """One line, exit 4, nobody asked."""
    result = lab.run(*HONEST, "--soclab-twins", "yes")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: unknown value 'yes' (--soclab-twins). Allowed: on, off."])
    assert lab.calls() == []
