"""pytest-xdist: the campaign is one unit of work on one worker; the controller judges and writes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from soclab.contracts.scorecard_v1 import Scorecard
from soclab.scoring.stable import stable_bytes
from tests.plugin.lab import AGENTS, GULLIBLE, HONEST, STAGES, Lab, node, seed_that_begins_with

pytest.importorskip("xdist")

THREE = ("--soclab-scenario", "BEN-00[123]", "--soclab-seed", "s")
MINE = """
import os
from pathlib import Path

import pytest

@pytest.mark.parametrize("number", range(6))
def test_mine(number, worker_id):
    with Path(__file__).with_name("mine.txt").open("a") as file:
        file.write(f"{number} {worker_id}\\n")
"""
CRASHING = """
import os
from pathlib import Path
from agents import honest

async def agent(request):
    crashed = Path(__file__).with_name("crashed")
    if request["stage"] == "form_finding" and not crashed.exists():
        crashed.touch()
        os._exit(7)
    return await honest(request)
"""


FOUND = ("--import-mode=importlib", "-o", "pythonpath=.")


def run(lab: Lab, *arguments: str) -> pytest.RunResult:
    """The controller is this process; its workers have their own."""
    return lab.run(*FOUND, *arguments)


def run_apart(lab: Lab, *arguments: str) -> pytest.RunResult:
    """The controller has a process of its own, too."""
    (lab.path / "agents.py").write_text(AGENTS, encoding="utf-8")
    return lab.run_apart(*FOUND, *arguments)


def stable(folder: Path) -> bytes:
    return stable_bytes(Scorecard.model_validate_json((folder / "scorecard.json").read_bytes()))


def counted(result: pytest.RunResult) -> dict[str, int]:
    outcomes = result.parseoutcomes()
    outcomes.pop("warnings", None)
    return outcomes


@pytest.fixture
def alone(lab: Lab) -> bytes:
    """Stable scorecard of the campaign in one process; its calls are forgotten."""
    assert run(lab, *HONEST, *THREE, "--soclab-out", "alone").ret == pytest.ExitCode.OK
    assert len(lab.calls()) == 3 * len(STAGES)
    (lab.path / "calls.txt").unlink()
    return stable(lab.path / "alone")


@pytest.mark.parametrize(
    "distribution",
    [
        pytest.param(("-n", "0"), marks=pytest.mark.slow),
        pytest.param(("-n", "1"), marks=pytest.mark.slow),
        ("-n", "2"),
        pytest.param(("-n", "2", "--dist", "load"), marks=pytest.mark.slow),
        pytest.param(("-n", "2", "--dist", "loadscope"), marks=pytest.mark.slow),
        pytest.param(("-n", "2", "--dist", "loadfile"), marks=pytest.mark.slow),
        pytest.param(("-n", "2", "--dist", "loadgroup"), marks=pytest.mark.slow),
        pytest.param(("-n", "2", "--dist", "worksteal"), marks=pytest.mark.slow),
        pytest.param(("-n", "2", "--dist", "no"), marks=pytest.mark.slow),
        pytest.param(("-n", "2", "--dist", "each"), marks=pytest.mark.slow),
    ],
    ids=" ".join,
)
def test_every_distribution_gives_the_scorecard_of_one_process(
    lab: Lab, alone: bytes, distribution: tuple[str, ...]
) -> None:
    """Same bytes, same number of calls; the user's own tests run as they always do; one gate, one folder."""
    lab.pytester.makepyfile(test_mine=MINE.replace(", worker_id", "").replace("{worker_id}", "x"))
    result = run_apart(lab, *HONEST, *THREE, *distribution, "--soclab-out", "out", "--junitxml=junit.xml")

    times = 2 if "each" in distribution else 1
    assert result.ret == pytest.ExitCode.OK
    assert counted(result) == {"passed": 3 * len(STAGES) + 6 * times + 1}
    assert stable(lab.path / "out") == alone
    assert len(lab.calls()) == len(set(lab.calls())) == 3 * len(STAGES)
    assert len((lab.path / "mine.txt").read_text(encoding="utf-8").splitlines()) == 6 * times
    assert lab.junit()["gate"] == "passed"
    assert result.stdout.str().count("soclab scorecard") == 1
    assert {one.name for one in (lab.path / "out").iterdir()} == {"journal.jsonl", "scorecard.json", "report.html"}


def test_the_users_tests_run_beside_the_campaign(lab: Lab) -> None:
    """The campaign holds one worker; the others take the rest. One folder in the default place, named by `last`."""
    lab.pytester.makepyfile(test_mine=MINE)
    (lab.path / "slow.py").write_text(
        "import asyncio\nfrom agents import honest\n"
        "async def agent(request):\n    await asyncio.sleep(0.2)\n    return await honest(request)\n",
        encoding="utf-8",
    )
    result = run(lab, "--soclab-agent", "slow:agent", *THREE, "-n", "2", "-v")

    workers = {line.split()[1] for line in (lab.path / "mine.txt").read_text(encoding="utf-8").splitlines()}
    places = {line.split()[0] for line in result.outlines if "soclab::BEN" in line and line.startswith("[gw")}
    assert len(places) == 1
    assert workers <= {"gw0", "gw1"}
    assert result.ret == pytest.ExitCode.OK
    assert len(list((lab.path / ".soclab" / "runs").iterdir())) == 1
    assert lab.scorecard()["complete"]


def test_what_breaks_is_told_like_in_one_process(lab: Lab) -> None:
    """Failures, blocks, properties, exit status."""
    options = (*GULLIBLE, "--soclab-scenario", "ATK-001", "--junitxml=junit.xml")
    result = run(lab, *options, "-n", "1", "-v")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["CONTAINED: *", f"FAILED {node('ATK-001', 'propose_action').replace('[', '[[]')} - *"])
    assert lab.junit()["ATK-001[propose_action]"] == "failure"
    assert '<property name="soclab_outcome" value="contained"' in (lab.path / "junit.xml").read_text()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--soclab-mode", "safe"), "ERROR: unknown mode 'safe'*"),
        (("--soclab-provider", "nobody"), "ERROR: *unknown provider 'nobody'*"),
        (("--soclab-resume", "nowhere"), "ERROR: --soclab-resume *"),
        (("soclab::ATK-999",), "ERROR: unknown scenario 'ATK-999'*"),
    ],
)
def test_wrong_use_is_said_before_a_worker_starts(lab: Lab, arguments: tuple[str, ...], says: str) -> None:
    """Exit 4 with the sentence, nobody asked, nothing written."""
    agent = () if "--soclab-provider" in arguments else HONEST
    result = run(lab, *agent, *arguments, "-n", "2")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([says])
    assert lab.calls() == []
    assert lab.files() == set()


def test_a_worker_that_crashes_is_followed_by_one_that_goes_on(lab: Lab, alone: bytes) -> None:
    """Runs that were finished are not called again; the scorecard is that of an undisturbed campaign."""
    (lab.path / "crashing.py").write_text(CRASHING, encoding="utf-8")
    options = ("--soclab-agent", "crashing:agent", *THREE, "--soclab-concurrency", "1")
    result = run(lab, *options, "-n", "2", "--soclab-out", "out")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*crashed while running*"])
    card = lab.scorecard("out")
    assert card["complete"]
    assert card["evidence"]["all_valid"]
    assert [one["outcome"] for one in card["scenarios"]] == ["correct"] * 3
    calls = Counter(lab.calls())
    assert sum(calls.values()) <= 3 * len(STAGES) + len(STAGES) - 1
    assert max(calls.values()) <= 2


def test_both_modes_are_one_unit(lab: Lab) -> None:
    """Two folders and the comparison, made by the controller."""
    result = run(lab, *HONEST, *THREE, "--soclab-mode", "both", "-n", "2", "--soclab-out", "out")

    assert result.ret == pytest.ExitCode.OK
    assert counted(result) == {"passed": 2 * 3 * len(STAGES) + 1}
    assert {one.name for one in (lab.path / "out").iterdir()} == {"baseline", "protected", "comparison.json"}
    assert len(lab.calls()) == len(set(lab.calls())) == 2 * 3 * len(STAGES)


def test_a_part_of_a_campaign_passes_no_gate(lab: Lab) -> None:
    """Ids, keywords and last failures select as they do in one process."""
    result = run(lab, *HONEST, *THREE, "-n", "1", "-k", "collect_siem", "-rs")

    assert counted(result) == {"passed": 3, "skipped": 1}
    result.stdout.fnmatch_lines(["*partial: 3 of 21 stages; gates judge whole campaigns*"])


def test_the_first_failure_stops_the_campaign(lab: Lab) -> None:
    """-x: what is in flight is dropped, the results so far are written; the second run would hang for ever."""
    (lab.path / "hanging.py").write_text(
        "import asyncio\nASKED = []\nasync def agent(request):\n    ASKED.append(request['run_id'])\n"
        "    return 'no JSON' if len(ASKED) == 1 else await asyncio.sleep(600)\n",
        encoding="utf-8",
    )
    seed = seed_that_begins_with("BEN-001", "BEN-002", "BEN-003")
    options = ("--soclab-scenario", "BEN-00[123]", "--soclab-seed", seed, "--soclab-concurrency", "1")
    result = run(lab, "--soclab-agent", "hanging:agent", *options, "-n", "2", "-x", "--soclab-out", "out")

    assert result.ret in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED)
    card = lab.scorecard("out")
    assert not card["complete"]
    assert card["reported"]["scenarios"] == 1


def test_a_campaign_goes_on_under_xdist(lab: Lab, alone: bytes) -> None:
    """--soclab-resume on two workers."""
    journal = lab.path / "alone" / "journal.jsonl"
    journal.write_bytes(journal.read_bytes()[: journal.stat().st_size // 2])
    result = run(lab, *HONEST, *THREE, "--soclab-resume", "alone", "-n", "2")

    assert result.ret == pytest.ExitCode.OK
    assert stable(lab.path / "alone") == alone
    assert len(lab.calls()) < 3 * len(STAGES)


def test_a_users_own_runs_stand_beside_the_campaign(lab: Lab) -> None:
    """Two workers never write one folder."""
    lab.pytester.makepyfile(
        test_runs="""
        import pytest

        @pytest.mark.soclab_scenario(id="BEN-001")
        @pytest.mark.parametrize("number", range(4))
        def test_run(soclab_run, number):
            assert soclab_run.stage("collect_identity")
        """
    )
    result = run(lab, *HONEST, *THREE, "-n", "2", "--soclab-out", "out")

    assert result.ret == pytest.ExitCode.OK
    assert counted(result) == {"passed": 3 * len(STAGES) + 4 + 1}
    assert len(lab.scorecard("out")["scenarios"]) == 3


def test_the_plugin_imports_xdist_only_when_it_is_in_use(lab: Lab) -> None:
    """Neither in an idle session nor in a campaign of one process."""
    lab.pytester.makeconftest(
        """
        import sys

        def pytest_unconfigure():
            print("SCHEDULING", "soclab.pytest_plugin.distribution.scheduling" in sys.modules)
        """
    )
    assert "SCHEDULING False" in run_apart(lab, *HONEST, *THREE).stdout.str()
    without = run(lab, *HONEST, *THREE, "-p", "no:xdist")
    assert without.ret == pytest.ExitCode.OK
