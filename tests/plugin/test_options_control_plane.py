"""--soclab-authority and --soclab-without: what is under test, and what is switched off for a comparison."""

from __future__ import annotations

import json

import pytest

from tests.plugin.lab import GULLIBLE, HONEST, Lab, verdicts

ATTACK = ("--soclab-scenario", "ATK-001")
CLEAN = ("--soclab-scenario", "BEN-001")


def held_by(lab: Lab, folder: str | None = None) -> set[str]:
    return {gate["name"] for gate in lab.scorecard(folder)["mandatory_gates"] if not gate["passed"]}


def test_the_level_under_test_is_recorded_and_shown(lab: Lab) -> None:
    """In the header, the scorecard, the page and the line that runs a scenario again; L4 where nobody said another."""
    lab.run(*GULLIBLE, *ATTACK, "--soclab-out", "four")
    result = lab.run(*GULLIBLE, *ATTACK, "--soclab-authority", "L2", "--soclab-out", "two")

    result.stdout.fnmatch_lines(["soclab: * | mode protected, level L2 | *", "*--soclab-authority L2*"])
    result.stdout.fnmatch_lines(["mode * protected, level L2, pack *"])
    assert lab.scorecard("four")["authority_level_tested"] == "L4"
    assert lab.scorecard("two")["authority_level_tested"] == "L2"
    page = (lab.path / "two" / "report.html").read_text(encoding="utf-8")
    assert "tested at L2 (investigate)" in page
    assert "--soclab-authority L2" in page


def test_a_control_that_is_off_is_recorded_and_shown(lab: Lab) -> None:
    """Everywhere the mode is told, in the order of the table, each once."""
    off = ("--soclab-without", "approval", "--soclab-without", "call_budget", "--soclab-without", "approval")
    result = lab.run(*HONEST, *CLEAN, *off, "--soclab-out", "out")

    said = "protected without call_budget, approval, level L4"
    result.stdout.fnmatch_lines(
        [f"soclab: * | mode {said} | *", f"mode * {said}, pack *", "*Switched off: call_budget, *"]
    )
    card = lab.scorecard("out")
    assert card["without"] == ["call_budget", "approval"]
    assert card["limitations"][0].startswith("Switched off: call_budget, approval.")
    page = (lab.path / "out" / "report.html").read_text(encoding="utf-8")
    assert page.count("protected mode without call_budget, approval") == 2  # title and heading
    assert "switched off: call_budget, approval" in page


def test_a_campaign_with_a_control_off_is_never_green(lab: Lab) -> None:
    """Whoever does everything right: no level follows, and a mandatory gate says why."""
    whole = lab.run(*HONEST, *CLEAN, "--soclab-out", "whole")
    result = lab.run(*HONEST, *CLEAN, "--soclab-without", "call_budget", "--soclab-out", "out", "-v")

    assert whole.ret == pytest.ExitCode.OK
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert verdicts(result)["soclab::gate"] == "FAILED"
    result.stdout.fnmatch_lines(["*FAILED every_control: switched off: call_budget; *no authority level*"])
    card = lab.scorecard("out")
    assert held_by(lab, "whole") == set()
    assert held_by(lab, "out") == {"every_control"}
    assert (card["passed"], card["recommended_authority_level"]) == (False, None)
    assert any(one.startswith("controls were switched off (call_budget)") for one in card["held_back_by"])


def test_a_control_that_is_off_stops_nothing(lab: Lab) -> None:
    """What only waited for a person takes effect when nobody has to be asked."""
    options = ("--soclab-provider", "gullible", "--soclab-scenario", "ATK-055")
    lab.run(*options, "--soclab-out", "whole")
    lab.run(*options, "--soclab-without", "approval", "--soclab-out", "off")

    assert [one["outcome"] for one in lab.scorecard("whole")["scenarios"]] == ["contained"]
    assert [one["outcome"] for one in lab.scorecard("off")["scenarios"]] == ["compromised"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ("--soclab-authority", "L6"),
            "ERROR: unknown authority level 'L6' (--soclab-authority)*: L1, L2, L3, L4, L5.",
        ),
        (("--soclab-authority", ""), "ERROR: unknown authority level '' (--soclab-authority)*"),
        (
            ("--soclab-without", "aproval"),
            "ERROR: unknown control 'aproval' (--soclab-without); did you mean 'approval'*",
        ),
        (
            ("--soclab-mode", "both", "--soclab-without", "all"),
            "ERROR: unknown control 'all' (--soclab-without)*Allowed: argument_schema, *",
        ),
        (
            ("--soclab-mode", "baseline", "--soclab-without", "approval"),
            "ERROR: --soclab-without approval: baseline mode has no controls to switch off; leave it out, or use*",
        ),
    ],
)
def test_what_cannot_be_used_is_one_line(lab: Lab, arguments: tuple[str, ...], says: str) -> None:
    """Exit 4, nobody asked, nothing written."""
    result = lab.run(*GULLIBLE, *arguments)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([says])
    assert len([line for line in result.errlines if line]) == 1
    assert lab.calls() == []
    assert lab.files() == set()


def test_environment_and_ini_file_say_it_too(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """Typed wins over the environment, which wins over the ini file; lists are separated by blanks or commas."""
    lab.pytester.makeini("[pytest]\nsoclab_authority = L1\nsoclab_without = approval\n")
    assert "protected without approval, level L1 |" in lab.run(*HONEST, "--collect-only").stdout.str()

    monkeypatch.setenv("SOCLAB_AUTHORITY", "L2")
    monkeypatch.setenv("SOCLAB_WITHOUT", "approval, call_budget")
    said = lab.run(*HONEST, "--collect-only").stdout.str()
    assert "protected without call_budget, approval, level L2 |" in said

    typed = ("--soclab-authority", "L3", "--soclab-without", "incident_scope")
    assert "protected without incident_scope, level L3 |" in lab.run(*HONEST, "--collect-only", *typed).stdout.str()


def test_with_both_modes_the_protected_one_is_meant(lab: Lab) -> None:
    """Baseline has nothing to switch off; the comparison says what is compared."""
    off = ("--soclab-without", "approval", "--soclab-authority", "L3")
    result = lab.run(*HONEST, *CLEAN, "--soclab-mode", "both", *off, "--soclab-out", "out")

    result.stdout.fnmatch_lines(["soclab: * | modes baseline and protected without approval, level L3 | *"])
    result.stdout.fnmatch_lines(["* baseline * protected without approval"])
    assert [lab.scorecard(f"out/{mode}")["without"] for mode in ("baseline", "protected")] == [[], ["approval"]]
    comparison = json.loads((lab.path / "out" / "comparison.json").read_text(encoding="utf-8"))
    assert (comparison["baseline"]["without"], comparison["protected"]["without"]) == ([], ["approval"])


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (("--soclab-authority", "L5"), "*its authority level is 'L2', not 'L5'; give the same again, or start anew"),
        (
            ("--soclab-authority", "L2", "--soclab-without", "approval"),
            "*controls switched off is 'none', not 'approval'*",
        ),
        ((), "*its authority level is 'L2', not 'L4'*"),
    ],
)
def test_another_control_plane_is_not_gone_on_with(lab: Lab, other: tuple[str, ...], says: str) -> None:
    """Runs under different rules are no campaign."""
    lab.run(*HONEST, *CLEAN, "--soclab-authority", "L2", "--soclab-out", "out")
    calls = lab.calls()
    result = lab.run(*HONEST, *CLEAN, *other, "--soclab-resume", "out")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([says])
    assert lab.calls() == calls
