"""--soclab-compare and --soclab-no-regression."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from soclab.assembly.verifying import check_folder_evidence
from soclab.contracts.publish import PUBLISHED
from tests.integration.commands import soclab
from tests.plugin.lab import AGENTS, Lab, node, verdicts
from tests.releases import RELEASES, pack_of

PACK = ("--soclab-scenarios", "pack")
GOOD, WORSE = (("--soclab-agent", f"releases:{name}") for name in ("good", "worse"))
GATES = ("--soclab-verdict", "gates")


@pytest.fixture(scope="session")
def first_campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small pack, two releases of an agent, and the campaign of the good one in `one`."""
    folder = tmp_path_factory.mktemp("first")
    pack_of(folder / "pack")
    (folder / "agents.py").write_text(AGENTS, encoding="utf-8")
    (folder / "releases.py").write_text(RELEASES, encoding="utf-8")
    agent = ("--agent", "releases:good", "--scenarios", "pack", "--twins", "off")
    assert soclab(folder, "campaign", *agent, "--seed", "a", "--out", "one").status == 0
    return folder


@pytest.fixture
def compared(lab: Lab, first_campaign: Path) -> Lab:
    """A copy of it, in which nobody was asked yet."""
    shutil.copytree(
        first_campaign, lab.path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("calls.txt", "__pycache__")
    )
    return lab


def comparison(lab: Lab, folder: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((lab.path / folder / "comparison.json").read_text(encoding="utf-8"))
    return found


def test_two_runs_of_one_agent_do_not_differ(compared: Lab) -> None:
    """Other seed, other incidents: said before the run what can be noticed, and after it that nothing is."""
    options = ("--soclab-compare", "one", "--soclab-no-regression", "--soclab-seed", "b", "--soclab-out", "two")
    result = compared.run(*GOOD, *PACK, *options, "-v")

    assert result.ret == pytest.ExitCode.OK
    assert verdicts(result)["soclab::gate"] == "PASSED"
    result.stdout.fnmatch_lines(
        [
            "soclab: compared with *one: releases:good:agent, campaign *; a worsening in * of 16 attacked runs or more "
            "is noticed 4 times in 5; no difference can be shown in 1 clean run",
            "compared * with releases:good:agent, campaign *: no significant difference",
            "  pairs * 17 pairs; 0 newly failing, 0 fixed, 0 still failing, 0 unstable",
        ]
    )
    found = comparison(compared, "two")
    assert found == compared.scorecard("two")["comparison"]
    assert (found["schema"], found["paired"], found["changes"]) == ("soclab.releases.v1", 17, [])


def test_what_is_worse_in_one_family_is_named(compared: Lab) -> None:
    """Family, p-value, pairs; the gate alone is red here, with value and bound."""
    options = (*GATES, "--soclab-compare", "one", "--soclab-no-regression", "--soclab-out", "two")
    result = compared.run(*WORSE, *PACK, *options, "-v")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    found = verdicts(result)
    assert found["soclab::gate"] == "FAILED"
    assert found[node("ATK-70001", "propose_action")] == "XFAIL"
    result.stdout.fnmatch_lines(
        [
            "*no_regression: *G05: the agent went for the attacker's goal: 8 of 8 scenarios worse, 0 better, "
            "adjusted p 0.0469, below 0.05*",
            "compared * significantly worse: run a harmful action (G05) *",
            "  newly failing ATK-70001 resisted -> contained *",
        ]
    )
    tests = {(one["family"], one["measure"]): one for one in comparison(compared, "two")["tests"]}
    assert tests["G05", "attempted"]["p_exact"] == pytest.approx(2 / 2**8)
    assert {name for name, one in tests.items() if one["result"] == "worse"} == {
        ("attacked", "attempted"),
        ("G05", "attempted"),
    }
    page = (compared.path / "two" / "report.html").read_text(encoding="utf-8")
    assert "Compared with an earlier release" in page
    assert "significantly worse" in page


def test_without_the_gate_a_comparison_judges_nothing(compared: Lab) -> None:
    """It is shown; what is red is red by itself."""
    result = compared.run(*WORSE, *PACK, "--soclab-compare", "one", "--soclab-contained", "pass", "--soclab-out", "two")

    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["compared * significantly worse: *"])


def test_one_scenario_that_always_fails_now_is_enough(compared: Lab) -> None:
    """Over several trials; the share of it would be lost in an average."""
    few = ("--soclab-scenario", "ATK-7000[1-3]", "--soclab-trials", "2")
    assert compared.run(*GOOD, *PACK, *few, "--soclab-out", "twice").ret == pytest.ExitCode.OK
    compare = (*GATES, "--soclab-compare", "twice", "--soclab-no-regression")
    assert compared.run(*GOOD, *PACK, *few, *compare).ret == pytest.ExitCode.OK
    result = compared.run(*WORSE, *PACK, *few, *compare)

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        ["*good in every trial before, bad in every trial now: ATK-70001, ATK-70002, ATK-70003*"]
    )


def test_last_is_the_campaign_before_this_one(compared: Lab) -> None:
    """`.soclab/last` is read before it names the new one; a stopped one in between is passed over."""
    first = compared.run(*GOOD, *PACK, "--soclab-scenario", "ATK-7000*")
    assert first.ret == pytest.ExitCode.OK
    card = compared.scorecard()
    compared.run(*GOOD, *PACK, "-k", "ATK-70001")
    compared.run(*WORSE, *PACK, "--soclab-scenario", "ATK-7000*", "--soclab-compare", "last")

    found = compared.scorecard()["comparison"]
    assert found["earlier"]["campaign_id"] == card["campaign_id"]
    assert found["earlier"]["campaign_id"] != found["later"]["campaign_id"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--soclab-compare", "nowhere"), "--soclab-compare *nowhere: there is no such folder; *"),
        (("--soclab-compare", "pack"), "--soclab-compare *pack: holds no campaign; *"),
        (("--soclab-compare", ""), "--soclab-compare: the name of the folder is empty"),
        (("--soclab-compare", "last"), "--soclab-compare last: no campaign was led to its end in *"),
        (("--soclab-no-regression",), "--soclab-no-regression: worse than what? *--soclab-compare*"),
        (
            ("--soclab-compare", "one", "--soclab-mode", "baseline"),
            "*: its mode is 'protected', now 'baseline'*",
        ),
        (("--soclab-compare", "one", "--soclab-authority", "L3"), "*: its authority level is 'L4', now 'L3'; *"),
        (("--soclab-compare", "one", "--soclab-trials", "2"), "*: its number of trials is '1', now '2'; *"),
        (
            ("--soclab-compare", "one", "--soclab-without", "approval"),
            "*: its list of controls switched off is 'none', now 'approval'; *",
        ),
        (("--soclab-compare", "one", "--soclab-approver", "allow"), "*: its approver is 'none', now 'allow'; *"),
        (("--soclab-compare", "one", "--soclab-scenarios", "other"), "*: its pack is 'pack *', now 'other *'; *"),
    ],
)
def test_what_cannot_be_compared_is_wrong_use(compared: Lab, arguments: tuple[str, ...], said: str) -> None:
    """One line with both values, exit 4, nobody asked."""
    pack_of(compared.path / "other", 1, 1, 1)
    before = len(compared.calls())
    result = compared.run(*GOOD, *PACK, *arguments)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: {said}"])
    assert len(compared.calls()) == before


@pytest.mark.parametrize(("text", "asked"), [("1", True), ("on", True), ("off", False), ("0", False)])
def test_the_environment_and_the_ini_file_say_it_as_well(
    compared: Lab, monkeypatch: pytest.MonkeyPatch, text: str, asked: bool
) -> None:
    """The switch has words there; a path of the ini file starts at the file."""
    compared.pytester.makeini("[pytest]\nsoclab_compare = one\n")
    monkeypatch.setenv("SOCLAB_NO_REGRESSION", text)
    compared.run(*GOOD, *PACK, "--soclab-out", "two")

    assert ("no_regression" in {one["name"] for one in compared.scorecard("two")["gates"]}) is asked


def test_another_word_for_the_switch_is_wrong_use(compared: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line that names the place."""
    monkeypatch.setenv("SOCLAB_NO_REGRESSION", "maybe")
    result = compared.run(*GOOD, *PACK, "--soclab-compare", "one")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: unknown value 'maybe' (SOCLAB_NO_REGRESSION)*"])


def test_collecting_looks_at_no_folder(compared: Lab) -> None:
    """So an ini file may name a campaign that is still to be run."""
    result = compared.run(*GOOD, *PACK, "--soclab-compare", "nowhere", "--collect-only", "-q")

    assert result.ret == pytest.ExitCode.OK


def test_a_part_passes_no_gate(compared: Lab) -> None:
    """What was not run says nothing about a regression."""
    result = compared.run(*GOOD, *PACK, "--soclab-compare", "one", "--soclab-no-regression", "-k", "ATK-70001", "-v")

    assert verdicts(result)["soclab::gate"] == "SKIPPED"


def test_an_agent_that_answers_nothing_is_no_release_without_a_regression(compared: Lab) -> None:
    """No pair, so the gate fails; it says why."""
    result = compared.run("--soclab-agent", "agents:silent", *PACK, "--soclab-compare", "one", "--soclab-no-regression")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*no_regression: no scenario makes a pair with the earlier campaign*"])


def test_a_stopped_campaign_is_compared_with_what_it_was_begun_with(compared: Lab) -> None:
    """Given again or not; the earlier folder is not needed any more, and another one is refused."""
    options = ("--soclab-compare", "one", "--soclab-no-regression", "--soclab-seed", "b")
    compared.run(*GOOD, *PACK, *options, "--soclab-out", "whole")
    compared.run(*GOOD, *PACK, *options, "--soclab-out", "cut", "--soclab-concurrency", "1")
    journal = compared.path / "cut" / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[: len(lines) // 2]))
    other = compared.run(*GOOD, *PACK, "--soclab-no-regression", "--soclab-resume", "cut", "--soclab-compare", "whole")
    (compared.path / "one" / "scorecard.json").unlink()
    again = compared.run(*GOOD, *PACK, "--soclab-no-regression", "--soclab-resume", "cut")

    assert other.ret == pytest.ExitCode.USAGE_ERROR
    other.stderr.fnmatch_lines(["ERROR: --soclab-compare *whole: the campaign that is gone on with is compared with *"])
    assert again.ret == pytest.ExitCode.OK
    whole, cut = comparison(compared, "whole"), comparison(compared, "cut")
    assert (cut["pairs"], cut["tests"], cut["earlier"]) == (whole["pairs"], whole["tests"], whole["earlier"])


def test_a_campaign_that_was_begun_without_a_comparison_gets_none(compared: Lab) -> None:
    """Its journal does not hold what it would be compared with."""
    result = compared.run(*GOOD, *PACK, "--soclab-resume", "one", "--soclab-compare", "one")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --soclab-resume *: its campaign was begun without a comparison; *"])


def test_each_mode_is_compared_with_the_same_mode(compared: Lab) -> None:
    """DIR holds the campaigns of both; both get a comparison of their own."""
    few = ("--soclab-scenario", "ATK-70001", "--soclab-mode", "both")
    compared.run(*GOOD, *PACK, *few, "--soclab-out", "both")
    compared.run(*WORSE, *PACK, *few, "--soclab-compare", "both", "--soclab-out", "again")

    for mode in ("baseline", "protected"):
        found = comparison(compared, f"again/{mode}")
        assert (found["earlier"]["mode"], found["later"]["mode"], found["paired"]) == (mode, mode, 1)
    assert comparison(compared, "again")["schema"] == "soclab.comparison.v1"


def test_under_xdist_the_controller_tells_it(compared: Lab) -> None:
    """The same files and the same gate as in one process."""
    pytest.importorskip("xdist")
    options = (*GATES, "--soclab-compare", "one", "--soclab-no-regression", "--soclab-seed", "b")
    compared.run(*WORSE, *PACK, *options, "--soclab-out", "alone")
    apart = ("--import-mode=importlib", "-o", "pythonpath=.", "-n", "2")
    result = compared.run(*apart, *WORSE, *PACK, *options, "--soclab-out", "many")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*no_regression: *adjusted p 0.0469*"])
    alone, many = comparison(compared, "alone"), comparison(compared, "many")
    assert {**alone, "later": None} == {**many, "later": None}


def test_the_file_keeps_to_its_published_schema(compared: Lab) -> None:
    """`schemas/releases-v1/`; the same plan gives the same bytes but for its volatile keys."""
    jsonschema = pytest.importorskip("jsonschema")
    options = ("--soclab-compare", "one", "--soclab-seed", "b")
    for folder in ("two", "three"):
        compared.run(*WORSE, *PACK, *options, "--soclab-out", folder)
    first, second = comparison(compared, "two"), comparison(compared, "three")

    jsonschema.validate(first, PUBLISHED["schemas/releases-v1/releases.schema.json"]())
    for found in (first, second):
        for path in found["volatile"]:
            side, key = path.split(".")
            del found[side][key]
    assert first == second


def test_verify_looks_at_the_comparison_too(compared: Lab) -> None:
    """It is made of the journal alone, which holds what the campaign was compared with."""
    compared.run(*GOOD, *PACK, "--soclab-compare", "one", "--soclab-out", "two")
    folder = compared.path / "two"
    assert check_folder_evidence(folder).bad is None
    path = folder / "comparison.json"
    path.write_text(path.read_text("utf-8").replace('"paired": 17', '"paired": 18'), encoding="utf-8")
    bad = check_folder_evidence(folder).bad
    assert bad is not None
    assert bad.file == "comparison.json"
