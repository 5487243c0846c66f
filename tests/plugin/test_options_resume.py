"""--soclab-resume."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from soclab.contracts.scorecard_v1 import Scorecard
from soclab.scoring.stable import stable_bytes
from tests.plugin.lab import GULLIBLE, HONEST, STAGES, Lab, kinds, node, verdicts

SOME = ("--soclab-scenario", "ATK-00*", "--soclab-scenario", "BEN-*", "--soclab-seed", "s")

FLAKY = """
from pathlib import Path
from agents import honest

async def agent(request):
    if request["stage"] == "collect_siem" and not Path("mended").exists():
        return "no JSON"
    return await honest(request)
"""


def stable(folder: Path) -> bytes:
    return stable_bytes(Scorecard.model_validate_json((folder / "scorecard.json").read_bytes()))


def cut(journal: Path, part: float) -> None:
    """The journal as a killed process leaves it."""
    data = journal.read_bytes()
    journal.write_bytes(data[: int(len(data) * part)])


def finished_runs(journal: Path) -> int:
    return sum(b'"kind":"run_finished"' in line for line in journal.read_bytes().split(b"\n")[:-1])


@pytest.mark.parametrize("agent", [HONEST, GULLIBLE], ids=["honest", "gullible"])
def test_a_campaign_taken_up_again_tells_the_same(lab: Lab, agent: tuple[str, ...]) -> None:
    """Same words for every item, same scorecard, and only what was missing is called."""
    whole = lab.run(*agent, *SOME, "--soclab-out", "whole", "-v")
    lab.run(*agent, *SOME, "--soclab-out", "cut")
    cut(lab.path / "cut" / "journal.jsonl", 0.5)
    finished, before = finished_runs(lab.path / "cut" / "journal.jsonl"), len(lab.calls())
    runs_of_one = len(lab.scorecard("whole")["scenarios"])

    again = lab.run(*agent, *SOME, "--soclab-resume", "cut", "-v")

    assert verdicts(again) == verdicts(whole)
    assert again.ret == whole.ret
    assert stable(lab.path / "cut") == stable(lab.path / "whole")
    called = [run for run, _ in lab.calls()[before:]]
    assert len(set(called)) == runs_of_one - finished


@pytest.mark.parametrize("stops", [("--soclab-max-calls", "10"), ("-x",)], ids=["budget", "first failure"])
def test_what_stopped_a_campaign_leaves_no_trace(lab: Lab, stops: tuple[str, ...]) -> None:
    """Runs that were cut in the middle are led again as the same attempt: no scorecard tells of the stop."""
    some = ("--soclab-scenario", "ATK-041", "--soclab-scenario", "BEN-*", "--soclab-seed", "s")
    whole = lab.run(*GULLIBLE, *some, "--soclab-out", "whole", "-v")
    lab.run(*GULLIBLE, *some, "--soclab-out", "cut", *stops)
    assert stable(lab.path / "cut") != stable(lab.path / "whole")

    again = lab.run(*GULLIBLE, *some, "--soclab-resume", "cut", "-v")

    assert verdicts(again) == verdicts(whole)
    assert stable(lab.path / "cut") == stable(lab.path / "whole")


def test_a_finished_campaign_is_told_again_without_a_call(lab: Lab) -> None:
    """As often as one likes; broken stages break again, later ones are not reached again."""
    first = lab.run(*GULLIBLE, "--soclab-scenario", "ATK-041", "--soclab-out", "out", "-v")
    calls = lab.calls()
    for _ in range(2):
        again = lab.run(*GULLIBLE, "--soclab-scenario", "ATK-041", "--soclab-resume", "out", "-v")
        assert verdicts(again) == verdicts(first)
        again.stdout.fnmatch_lines(["*COMPROMISED: *", "  rerun*"])
    assert lab.calls() == calls


def test_one_stage_of_a_finished_campaign_tells_the_hidden_break(lab: Lab) -> None:
    """A selection of a campaign taken up again hides nothing."""
    lab.run(*GULLIBLE, "--soclab-scenario", "ATK-041", "--soclab-out", "out")
    options = (*GULLIBLE, "--soclab-scenario", "ATK-041", "--soclab-resume", "out")
    result = lab.run(*options, "-v", "-k", "propose_action")

    assert verdicts(result)[node("ATK-041", "propose_action")] == "FAILED"
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_a_run_without_an_answer_is_tried_anew(lab: Lab) -> None:
    """As a further attempt with ids of its own; both stand in the scorecard, the later one counts."""
    (lab.path / "flaky.py").write_text(FLAKY, encoding="utf-8")
    options = ("--soclab-agent", "flaky:agent", "--soclab-scenario", "BEN-001")
    assert lab.run(*options, "--soclab-out", "out").ret == pytest.ExitCode.TESTS_FAILED
    (lab.path / "mended").touch()
    result = lab.run(*options, "--soclab-resume", "out", "-v")

    assert kinds(verdicts(result)) == {"PASSED": len(STAGES) + 1}
    assert [one["attempt"] for one in lab.scorecard("out")["scenarios"]] == [1, 2]


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        (("--soclab-mode", "baseline"), "ERROR: --soclab-resume *out: its mode is 'protected', not 'baseline'; *"),
        (("--soclab-model", "other"), "ERROR: --soclab-resume *out: its agent is *, not *; give the same again*"),
        (("--soclab-seed", "t"), "ERROR: --soclab-resume *out: its seed is 's', not 't'; *"),
        (("--soclab-out", "elsewhere"), "ERROR: --soclab-resume *out writes into that folder: leave --soclab-out out"),
    ],
)
def test_the_journal_of_another_campaign_is_refused(lab: Lab, changed: tuple[str, ...], says: str) -> None:
    """One line, exit 4, nobody asked, the journal untouched."""
    options = (*HONEST, "--soclab-scenario", "BEN-001", "--soclab-seed", "s")
    lab.run(*options, "--soclab-out", "out")
    before = (lab.path / "out" / "journal.jsonl").read_bytes()
    result = lab.run(*options, "--soclab-resume", "out", *changed)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([says])
    assert (lab.path / "out" / "journal.jsonl").read_bytes() == before
    assert len(lab.calls()) == len(STAGES)


def test_nothing_to_go_on_with_is_wrong_use(lab: Lab) -> None:
    """A folder without a journal, and no folder at all."""
    lab.pytester.mkdir("empty")
    for name in ("empty", "nowhere", ""):
        result = lab.run(*HONEST, f"--soclab-resume={name}")
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(["ERROR: --soclab-resume*"])


def test_the_command_line_goes_on_with_a_campaign_of_pytest(lab: Lab) -> None:
    """Both front doors know each other's folders."""
    lab.run("--soclab-provider", "reference", "--soclab-scenario", "BEN-*", "--soclab-out", "out", "--soclab-seed", "s")
    expected = stable(lab.path / "out")
    cut(lab.path / "out" / "journal.jsonl", 0.4)
    command = [
        sys.executable,
        "-m",
        "soclab.cli.main",
        "campaign",
        "--provider",
        "reference",
        "--scenario",
        "BEN-*",
        "--resume",
        "out",
    ]
    done = subprocess.run(command, cwd=lab.path, capture_output=True, check=False)

    assert done.returncode == 0, done.stderr
    assert stable(lab.path / "out") == expected


TESTS = """
import pytest

@pytest.mark.soclab_scenario(id="BEN-001")
def test_run(soclab_run):
    assert soclab_run.stage("propose_action")
"""


def test_runs_that_tests_asked_for_are_no_campaign_to_go_on_with(lab: Lab) -> None:
    """The tests themselves may go on with them; a campaign begins anew."""
    lab.pytester.makepyfile(test_runs=TESTS)
    assert lab.run(*HONEST, "test_runs.py", "--soclab-out", "out").ret == pytest.ExitCode.OK
    calls = lab.calls()
    assert lab.run(*HONEST, "test_runs.py", "--soclab-resume", "out").ret == pytest.ExitCode.OK
    result = lab.run(*HONEST, "soclab::BEN-001", "--soclab-resume", "out")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --soclab-resume *: tests asked for its runs *; start one in another folder"])
    assert lab.calls() == calls
