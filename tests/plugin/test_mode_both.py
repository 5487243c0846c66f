"""--soclab-mode both: two campaigns in one session, one level deeper."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.plugin.lab import GULLIBLE, HONEST, STAGES, Lab, kinds, verdicts

BOTH = ("--soclab-mode", "both")
ONE = ("--soclab-scenario", "ATK-001")
LAST = "ATK-001[propose_action]"


def test_each_mode_has_its_items_its_folder_and_its_scorecard(lab: Lab) -> None:
    """Baseline first; one section each, and the comparison at the end."""
    result = lab.run(*GULLIBLE, *ONE, *BOTH, "--soclab-out", "out", "-v")

    found = verdicts(result)
    assert next(iter(found)) == "soclab::baseline::ATK-001[collect_identity]"
    assert found[f"soclab::baseline::{LAST}"] == found[f"soclab::protected::{LAST}"] == "FAILED"
    result.stdout.fnmatch_lines(["COMPROMISED: *", "CONTAINED: *"])
    result.stdout.fnmatch_lines(
        ["soclab: * | modes baseline and protected, level L4 | 1 scenarios, 14 calls at most*out"]
    )
    result.stdout.fnmatch_lines(["mode * baseline,*", "mode * protected,*", "both modes", "*comparison.json"])
    for mode, outcome in (("baseline", "compromised"), ("protected", "contained")):
        card = lab.scorecard(f"out/{mode}")
        assert (card["mode"], card["scenarios"][0]["outcome"]) == (mode, outcome)
    comparison = json.loads((lab.path / "out" / "comparison.json").read_text(encoding="utf-8"))
    assert comparison["scenarios"][0]["baseline"] == "compromised"
    assert len(lab.calls()) == len(set(lab.calls()))


def test_the_default_place_holds_both(lab: Lab) -> None:
    """`.soclab/last` names the protected one; nothing else is written."""
    assert lab.run(*HONEST, "--soclab-scenario", "BEN-001", *BOTH).ret == pytest.ExitCode.OK
    last = (lab.path / ".soclab" / "last").read_text(encoding="utf-8").strip()
    folder = lab.path / ".soclab" / last

    assert folder.name == "protected"
    assert {one.name for one in folder.parent.iterdir()} == {"baseline", "protected", "comparison.json"}
    assert lab.files() == {".soclab"}


@pytest.mark.parametrize(
    ("arguments", "items", "calls"),
    [
        (("soclab::protected",), 7, 7),
        (("soclab::protected::BEN-001",), 7, 7),
        (("soclab::baseline::BEN-001[collect_endpoint]",), 1, 3),
        (("soclab::BEN-001[collect_endpoint]",), 2, 6),
        (("soclab::BEN-001",), 14, 14),
        (("soclab",), 14, 14),
        (("-k", "protected"), 7, 7),
        (("-k", "baseline and collect_endpoint"), 1, 3),
        (("--deselect", "soclab::baseline"), 7, 7),
        (("-m", "soclab"), 14, 14),
    ],
)
def test_selection_means_what_it_always_means(lab: Lab, arguments: tuple[str, ...], items: int, calls: int) -> None:
    """By node id, keyword and marker; only what is needed is called."""
    result = lab.run(*HONEST, "--soclab-scenario", "BEN-001", *BOTH, "-v", *arguments)

    found = verdicts(result)
    gate = found.pop("soclab::gate")
    assert len(found) == items
    assert kinds(found) == {"PASSED": items}
    assert gate == ("PASSED" if items == 14 else "SKIPPED")
    assert len(lab.calls()) == calls
    assert result.ret == pytest.ExitCode.OK


def test_last_failed_runs_the_failed_stage_of_each_mode(lab: Lab) -> None:
    """--lf, --ff and --sw know the items by their ids."""
    options = (*GULLIBLE, *ONE, *BOTH)
    lab.run(*options)
    again = verdicts(lab.run(*options, "--lf", "-v"))
    first = verdicts(lab.run(*options, "--ff", "-v"))
    stepwise = verdicts(lab.run(*options, "--sw", "-v"))

    gone = {name: word for name, word in again.items() if name != "soclab::gate"}
    assert gone == {f"soclab::baseline::{LAST}": "FAILED", f"soclab::protected::{LAST}": "FAILED"}
    assert len(first) == 2 * len(STAGES) + 1
    assert list(stepwise)[-1] == f"soclab::baseline::{LAST}"


def test_random_order_keeps_modes_and_stages_together(lab: Lab) -> None:
    """Whatever shuffles the items."""
    pytest.importorskip("pytest_randomly")
    options = (*HONEST, "--soclab-scenario", "BEN-*", *BOTH, "-p", "randomly", "-p", "no:asyncio", "-v")
    result = lab.run(*options, plugins=())

    modes = [name.split("::")[1] for name in verdicts(result)][:-1]
    assert modes == sorted(modes)
    assert result.ret == pytest.ExitCode.OK


def test_a_mode_that_is_not_run_has_no_node(lab: Lab) -> None:
    """One line, exit 4."""
    result = lab.run(*HONEST, "soclab::baseline::BEN-001")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: soclab::baseline: there is such a node with --soclab-mode both only; *"])


@pytest.mark.parametrize("stopped_in", ["baseline", "protected"])
def test_both_modes_go_on_where_they_were_stopped(lab: Lab, stopped_in: str) -> None:
    """Also when the second had not begun."""
    options = (*HONEST, "--soclab-scenario", "BEN-*", *BOTH, "--soclab-seed", "s", "--soclab-concurrency", "1")
    lab.run(*options, "--soclab-out", "out")
    before = len(lab.calls())
    if stopped_in == "baseline":
        for one in (lab.path / "out" / "protected").iterdir():
            one.unlink()
        (lab.path / "out" / "protected").rmdir()
    journal = lab.path / "out" / stopped_in / "journal.jsonl"
    journal.write_bytes(journal.read_bytes()[: journal.stat().st_size // 2])
    result = lab.run(*options, "--soclab-resume", "out", "-v")

    assert result.ret == pytest.ExitCode.OK
    assert kinds(verdicts(result)) == {"PASSED": 2 * 3 * len(STAGES) + 1}
    assert 0 < len(lab.calls()) - before < before
    assert lab.scorecard("out/protected")["complete"]


def test_a_folder_that_holds_a_campaign_of_one_mode_is_refused(lab: Lab) -> None:
    """Exit 4 before anybody is asked."""
    options = (*HONEST, "--soclab-scenario", "BEN-001", *BOTH, "--soclab-out", "out")
    lab.run(*options)
    calls = len(lab.calls())
    assert lab.run(*options).ret == pytest.ExitCode.USAGE_ERROR
    assert len(lab.calls()) == calls
    assert lab.run(*options, "--soclab-overwrite").ret == pytest.ExitCode.OK
    assert (lab.path / "out" / "baseline.previous" / "journal.jsonl").exists()
    assert (lab.path / "out" / "comparison.json.previous").exists()


@pytest.mark.parametrize("first", ["one mode", "both modes"])
def test_one_mode_and_both_do_not_share_a_folder(lab: Lab, first: str) -> None:
    """Refused, or all that stands there is kept, the comparison of modes and that of releases alike."""
    lab.run(*HONEST, "--soclab-scenario", "BEN-001", "--soclab-out", "earlier")
    one = (*HONEST, "--soclab-scenario", "BEN-001", "--soclab-out", "out", "--soclab-compare", "earlier")
    both = (*HONEST, "--soclab-scenario", "BEN-001", "--soclab-out", "out", *BOTH)
    before, after = (one, both) if first == "one mode" else (both, one)
    lab.run(*before)
    written, calls = contents(lab.path / "out"), lab.calls()

    refused = lab.run(*after)
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines(["ERROR: --soclab-out *out: holds another campaign; *out.previous*--soclab-overwrite"])
    assert (contents(lab.path / "out"), lab.calls()) == (written, calls)

    assert lab.run(*after, "--soclab-overwrite").ret == pytest.ExitCode.OK
    assert contents(lab.path / "out.previous") == written


def contents(folder: Path) -> dict[str, bytes]:
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in folder.rglob("*") if one.is_file()}
