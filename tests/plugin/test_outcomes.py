"""What becomes of a stage: pass, failure, error, skip, and what stands in reports."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

from tests.plugin.lab import GULLIBLE, HONEST, STAGES, Lab, kinds, node, verdicts

ONE = ("--soclab-scenario", "BEN-001")
ATTACK = ("--soclab-scenario", "ATK-001", "--soclab-mode", "baseline")


def test_a_stage_without_an_answer_is_an_error_and_the_rest_is_not_reached(lab: Lab) -> None:
    """Errors stand apart from failures, in the terminal and in JUnit; the reason is in the block."""
    result = lab.run("--soclab-agent", "agents:mute_at_siem", *ONE, "-v", "-rs", "--junitxml=junit.xml")

    found = verdicts(result)
    assert [found[node("BEN-001", stage)] for stage in STAGES] == ["PASSED"] * 4 + ["ERROR", "SKIPPED", "SKIPPED"]
    result.stdout.fnmatch_lines(["*ERROR at setup of BEN-001[[]collect_siem[]]*", "invalid_json: *"])
    result.stdout.fnmatch_lines(["SKIPPED [[]2[]] soclab::BEN-001: not reached: BEN-001 stopped at collect_siem"])
    assert lab.junit()["BEN-001[collect_siem]"] == "error"
    assert lab.junit()["BEN-001[form_finding]"] == "skipped"
    assert [stage for _, stage in lab.calls()] == list(STAGES[:5])


def test_a_refusal_is_a_skip_with_its_reason(lab: Lab) -> None:
    """It is not an error; the words of the agent are cleaned."""
    result = lab.run("--soclab-agent", "agents:refuses_at_siem", *ONE, "-v", "-rs")

    assert kinds(verdicts(result)) == {"PASSED": 4, "SKIPPED": 3, "FAILED": 1}
    result.stdout.fnmatch_lines([r"SKIPPED [[]1[]] soclab::BEN-001: refused (policy): not \x1b[[]31mme"])
    assert "\x1b" not in result.stdout.str()


def test_the_block_of_a_failure_says_what_matters(lab: Lab) -> None:
    """Verdict, words, what was expected, and the line that runs it again; no line of our own code."""
    result = lab.run(*GULLIBLE, *ATTACK, "--soclab-seed", "7 a")

    result.stdout.fnmatch_lines(
        [
            "*_ ATK-001[[]propose_action[]] _*",
            "COMPROMISED: At propose_action the agent proposed *; it took effect.",
            "  scenario  ATK-001 at propose_action, mode baseline",
            "  words     ?*",
            "  expected  ?*",
            "  run       ????????????????????????????????",
            '  rerun     pytest "soclab::ATK-001" --soclab-agent agents:gullible --soclab-mode baseline'
            " --soclab-seed '7 a'",
        ]
    )
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*.py:[0-9]*")


def test_the_rerun_line_runs_the_same_run(lab: Lab) -> None:
    """The same seed and agent give the same run id and the same failure."""
    first = lab.run(*GULLIBLE, *ATTACK, "--soclab-seed", "7")
    line = next(line for line in first.outlines if line.startswith("  rerun "))
    again = lab.run(*[word.strip('"') for word in line.split()[2:]])

    assert again.ret == pytest.ExitCode.TESTS_FAILED
    assert len({run for run, _ in lab.calls()}) == 1


def test_the_http_block_has_a_curl_line_without_the_token(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """The token stays in its variable."""
    monkeypatch.setenv("SOCLAB_HTTP_AGENT_URL", "http://127.0.0.1:9/")
    monkeypatch.setenv("SOCLAB_HTTP_AGENT_TOKEN", "token-of-the-test")
    result = lab.run("--soclab-provider", "http", *ONE)

    result.stdout.fnmatch_lines(
        ['  curl      curl -sS "$SOCLAB_HTTP_AGENT_URL" *"Authorization: Bearer $SOCLAB_HTTP_AGENT_TOKEN" *']
    )
    assert "token-of-the-test" not in result.stdout.str()


def test_a_break_at_a_stage_without_an_item_shows_at_the_next_one(lab: Lab) -> None:
    """The selected stage after it errors, says where it really broke, and the run goes no further."""
    result = lab.run("--soclab-agent", "agents:mute_at_siem", *ONE, "-v", "-k", "form_finding or propose_action")

    assert verdicts(result)[node("BEN-001", "form_finding")] == "ERROR"
    assert verdicts(result)[node("BEN-001", "propose_action")] == "SKIPPED"
    result.stdout.fnmatch_lines(["  here      told at form_finding, because collect_siem is not among the selected *"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED


@pytest.mark.parametrize(
    ("selected", "asked"),
    [("collect_identity", 1), ("collect_siem", 5), ("collect_identity or collect_siem", 5), ("propose_action", 7)],
)
def test_a_run_goes_no_further_than_its_last_selected_stage(lab: Lab, selected: str, asked: int) -> None:
    """Stages after it are not asked, those before it are."""
    lab.run(*HONEST, *ONE, "-k", selected)

    assert [stage for _, stage in lab.calls()] == list(STAGES[:asked])


def test_properties_are_flat_texts(lab: Lab) -> None:
    """JUnit carries scenario, stage, status and latency of each item; its time is the agent's latency."""
    lab.run(*HONEST, *ONE, "--junitxml=junit.xml")
    case = next(ElementTree.parse(lab.path / "junit.xml").getroot().iter("testcase"))
    found = {str(one.get("name")): str(one.get("value")) for one in case.iter("property")}

    assert found["soclab_scenario"] == "BEN-001"
    assert found["soclab_stage"] == "collect_identity"
    assert found["soclab_status"] == "passed"
    assert found["soclab_mode"] == "protected"
    assert float(found["soclab_waited_ms"]) >= 0
    latency_seconds = float(found["soclab_latency_ms"]) / 1000
    assert latency_seconds <= float(str(case.get("time"))) + 0.0005


def test_the_duration_of_an_item_is_the_latency_of_the_answer(lab: Lab) -> None:
    """What the item waited is in no phase: one agent at a time, and only the call phase has the latency."""
    lab.pytester.makeconftest(
        """
        import asyncio
        import pytest
        from soclab.providers.reference import brain_of

        async def slow(request):
            await asyncio.sleep(0.5 if request["stage"] == "collect_identity" else 0)
            return brain_of("server")(request)

        @pytest.fixture(scope="session")
        def soclab_agent():
            return slow

        def pytest_runtest_logreport(report):
            if "collect_identity" in report.nodeid:
                latency = dict(report.user_properties).get("soclab_latency_ms")
                print(f"DURATION {report.when} {report.duration * 1000:.3f} {latency}")
        """
    )
    result = lab.run("soclab", "-s", *ONE)
    told = {when: times for when, *times in re.findall(r"DURATION (\w+) (\S+) (\S+)", result.stdout.str())}

    assert told["call"][0] == told["call"][1]
    assert float(told["call"][0]) >= 500
    assert float(told["setup"][0]) < 500


def test_an_attempt_is_told_at_the_stage_where_it_happened(lab: Lab) -> None:
    """A response action while collecting is contained there, and nothing follows."""
    (lab.path / "eager.py").write_text(
        "async def agent(request):\n"
        '    call = {"name": "disable_account", "arguments": {"user_id": "svc-backup"}}\n'
        '    proposal = {"rationale": "quick", "tool_calls": [call]}\n'
        '    return {"contract": "soclab.agent.v1", "proposal": proposal}\n',
        encoding="utf-8",
    )
    result = lab.run("--soclab-agent", "eager:agent", "--soclab-scenario", "ATK-001", "-v")

    assert verdicts(result)[node("ATK-001", "collect_identity")] == "FAILED"
    assert kinds(verdicts(result))["SKIPPED"] == len(STAGES) - 1
    result.stdout.fnmatch_lines(["CONTAINED: At collect_identity *"])


@pytest.mark.parametrize(
    ("scenario", "stage", "word"),
    [("ATK-043", "collect_siem", "COMPROMISED"), ("ATK-046", "form_finding", "ATTEMPTED")],
)
def test_a_fall_in_the_middle_of_a_run_has_its_word(lab: Lab, scenario: str, stage: str, word: str) -> None:
    """The run goes on after it; the item says what the fall is so far, and the later stages are told too."""
    result = lab.run(*GULLIBLE, "--soclab-mode", "baseline", "--soclab-scenario", scenario, "-v")

    assert verdicts(result)[node(scenario, stage)] == "FAILED"
    assert "SKIPPED" not in kinds(verdicts(result))
    result.stdout.fnmatch_lines([f"{word}: At {stage} *"])


def test_stopping_at_the_first_failure_leaves_the_rest_alone(lab: Lab) -> None:
    """`-x` ends the session at once; what was in flight is cancelled and the rest is called partial."""
    result = lab.run("--soclab-agent", "agents:silent", "--soclab-concurrency", "1", "-x", "-v")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert kinds(verdicts(result))["ERROR"] == 1
    result.stdout.fnmatch_lines(["*partial: 1 of * stages*"])
    assert verdicts(result)["soclab::gate"] == "SKIPPED"


def test_an_agent_that_is_dead_is_told_once(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every scenario is an error of its own; the others say that it is the same, and the curl line stands once."""
    monkeypatch.setenv("SOCLAB_HTTP_AGENT_URL", "http://127.0.0.1:9/agent")
    result = lab.run("--soclab-provider", "http", "--soclab-scenario", "BEN-*", "--soclab-concurrency", "1")
    shown = result.stdout.str()

    assert result.parseoutcomes()["errors"] == 3
    assert shown.count("  curl      ") == 1
    result.stdout.fnmatch_lines(
        ["  same as   BEN-001 (BEN-002 at collect_identity, run *)", "  same as   BEN-001 (BEN-003*"]
    )
