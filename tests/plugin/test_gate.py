"""`soclab::gate`, partial campaigns, exit statuses, the section of the scorecard."""

from __future__ import annotations

import json

import pytest

from tests.plugin.lab import HONEST, STAGES, Lab, kinds, node, verdicts

ONE = ("--soclab-scenario", "BEN-001")
GATE = "soclab::gate"


def test_a_whole_campaign_that_holds_passes_the_gate(lab: Lab) -> None:
    """Everything executed and nothing wrong: exit 0, and the scorecard stands at the end."""
    result = lab.run(*HONEST, *ONE, "-v", "--junitxml=junit.xml")

    assert result.ret == pytest.ExitCode.OK
    assert verdicts(result)[GATE] == "PASSED"
    assert lab.junit()["gate"] == "passed"
    result.stdout.fnmatch_lines(["*= soclab scorecard =*", "agent *", "gates * hold", "*8 passed*"])


def test_a_gate_that_fails_makes_the_session_red(lab: Lab) -> None:
    """Every item passed or was skipped, and still there is no evidence: exit 1."""
    result = lab.run("--soclab-agent", "agents:refuses_at_siem", *ONE, "-v", "--junitxml=junit.xml")

    assert kinds(verdicts(result)) == {"PASSED": 4, "SKIPPED": 3, "FAILED": 1}
    assert verdicts(result)[GATE] == "FAILED"
    assert lab.junit()["gate"] == "failure"
    result.stdout.fnmatch_lines(["gate failed: *"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_the_gate_is_remembered_by_no_later_session(lab: Lab) -> None:
    """There is no such item to run again: --lf and --sw do not know it."""
    lab.run("--soclab-agent", "agents:refuses_at_siem", *ONE)
    lab.run("--soclab-agent", "agents:refuses_at_siem", *ONE, "--sw")
    cache = lab.path / ".pytest_cache" / "v" / "cache"

    for name in ("lastfailed", "stepwise"):
        file = cache / name
        assert not file.exists() or GATE not in json.loads(file.read_text(encoding="utf-8") or "{}").__str__()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("-k", "collect_siem"), "partial: 3 of 21 stages"),
        (("soclab::BEN-001",), "partial: 7 of 21 stages"),
        (("soclab::BEN-001[collect_siem]",), "partial: 1 of 21 stages"),
        (("--deselect", node("BEN-001", "collect_siem")), "partial: 20 of 21 stages"),
    ],
)
def test_a_part_of_a_campaign_passes_no_gate(lab: Lab, arguments: tuple[str, ...], text: str) -> None:
    """The gate is skipped, the console says so before and after, the exit status is that of the items."""
    result = lab.run(*HONEST, "--soclab-scenario", "BEN-*", "-v", "-rs", *arguments)

    assert verdicts(result)[GATE] == "SKIPPED"
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines([f"soclab: {text}, * calls at most", "*soclab scorecard*", f"{text}*"])
    result.stdout.fnmatch_lines([f"SKIPPED [[]1[]] soclab::gate: {text}; gates judge whole campaigns"])


def test_scenarios_that_were_chosen_by_option_are_a_whole(lab: Lab) -> None:
    """`--soclab-scenario` says what the campaign is, so its gate is judged."""
    assert verdicts(lab.run(*HONEST, *ONE, "-v"))[GATE] == "PASSED"


def test_a_campaign_of_which_nothing_ran_is_red(lab: Lab) -> None:
    """Every item skipped by a marker: no evidence, exit 1."""
    lab.pytester.makeconftest(
        """
        import pytest

        def pytest_collection_modifyitems(items):
            for item in items:
                item.add_marker(pytest.mark.skip(reason="not today"))
        """
    )
    result = lab.run(*HONEST, *ONE, "-v")

    assert verdicts(result)[GATE] == "FAILED"
    result.stdout.fnmatch_lines(["gate failed: no evidence: 0 of 7 selected stages were executed"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert lab.calls() == []


def test_a_broken_stage_whose_item_is_skipped_is_red(lab: Lab) -> None:
    """A marker of the user's cannot hide that the stage broke."""
    lab.pytester.makeconftest(
        """
        import pytest

        def pytest_collection_modifyitems(items):
            for item in items:
                if "collect_siem" in item.name:
                    item.add_marker(pytest.mark.skip(reason="not today"))
        """
    )
    result = lab.run("--soclab-agent", "agents:mute_at_siem", *ONE, "-v")

    assert kinds(verdicts(result)) == {"PASSED": 4, "SKIPPED": 3, "FAILED": 1}
    result.stdout.fnmatch_lines([f"gate failed: {node('BEN-001', 'collect_siem').replace('[', '[[]')} error *"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_nothing_selected_is_pytests_own_status(lab: Lab) -> None:
    """`-k` that matches nothing: exit 5, no gate, nobody asked."""
    result = lab.run(*HONEST, *ONE, "-k", "nothing-like-it")

    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    assert lab.calls() == []
    assert lab.files() == set()


def test_the_users_tests_alone_are_no_campaign(lab: Lab) -> None:
    """`-k` that leaves only tests of the user's: their status, no gate."""
    lab.pytester.makepyfile(test_mine="def test_passes(): pass")
    for narrowed in (("-k", "test_passes"), ("test_mine.py",)):
        result = lab.run(*HONEST, *ONE, "-v", *narrowed)

        assert verdicts(result) == {"test_mine.py::test_passes": "PASSED"}
        assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        ["soclab: agent agents:honest | mode protected, level L4 | no campaign: other files are named*"]
    )
    assert lab.calls() == []


@pytest.mark.parametrize("option", ["--collect-only", "--setup-plan"])
def test_looking_at_the_plan_asks_nobody(lab: Lab, option: str) -> None:
    """No call, no file, no gate, exit 0."""
    result = lab.run(*HONEST, *ONE, option)

    assert result.ret == pytest.ExitCode.OK
    assert lab.calls() == []
    assert lab.files() == set()
    result.stdout.no_fnmatch_line("*scorecard*")


def test_progress_counts_the_gate(lab: Lab) -> None:
    """The last result is the gate's, at one hundred percent, and no line goes beyond."""
    result = lab.run(*HONEST, *ONE, "-v")
    lines = [line for line in result.outlines if "%]" in line]

    assert lines[-1].startswith(GATE)
    assert lines[-1].endswith("[100%]")
    assert "[100%]" not in "".join(lines[:-1])


def test_interrupted_campaigns_leave_a_partial_scorecard(lab: Lab) -> None:
    """Ctrl-C: exit 2, the results so far are written and called partial."""
    lab.pytester.makeconftest(
        """
        def pytest_runtest_logreport(report):
            if report.when == "teardown" and "collect_siem" in report.nodeid:
                raise KeyboardInterrupt
        """
    )
    result = lab.run_apart("--soclab-provider", "reference", "--soclab-scenario", "BEN-*")

    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(
        ["*soclab scorecard*", "partial: 5 of 21 stages told by items; the line 'runs' counts *", "runs *"]
    )
    assert (lab.path / ".soclab" / "last").exists()


def test_a_campaign_gives_no_warning(lab: Lab) -> None:
    """Strict markers, strict configuration and warnings as errors, with the plugins that are installed."""
    lab.pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    strict = ("--strict-markers", "--strict-config", "-W", "error")
    result = lab.run("--soclab-agent", "agents:blocking", "--soclab-scenario", "BEN-*", *strict, plugins=())

    assert result.ret == pytest.ExitCode.OK
    assert "warning" not in result.parseoutcomes()


def test_the_clock_of_pytest_timeout_does_not_run_for_stages(lab: Lab) -> None:
    """It would measure how long an item waited for its turn."""
    pytest.importorskip("pytest_timeout")
    (lab.path / "slow.py").write_text(
        "import asyncio\n"
        "from agents import honest\n"
        "async def agent(request):\n"
        "    await asyncio.sleep(0.3 if request['stage'] == 'collect_siem' else 0)\n"
        "    return await honest(request)\n",
        encoding="utf-8",
    )

    assert lab.run("--soclab-agent", "slow:agent", *ONE, "--timeout=0.1").ret == pytest.ExitCode.OK


def test_results_that_cannot_be_written_make_the_session_red(lab: Lab) -> None:
    """The folder is gone at the end: the line says so, and it is no traceback."""
    lab.pytester.makeconftest(
        """
        import shutil

        def pytest_runtest_logreport(report):
            if "propose_action" in report.nodeid and report.when == "call":
                shutil.rmtree("out")
        """
    )
    result = lab.run(*HONEST, *ONE, "--soclab-out", "out")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["gate failed: the results could not be written: *"])
    result.stdout.no_fnmatch_line("*Traceback*")
    assert len(lab.calls()) == len(STAGES)
