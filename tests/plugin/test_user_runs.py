"""Users' own tests: the fixtures soclab_run and soclab_campaign."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from soclab.contracts.scorecard_v1 import Scorecard
from soclab.scoring.scorecard import rebuild
from tests.plugin.lab import GULLIBLE, HONEST, STAGES, Lab, kinds, verdicts

HEAD = "import asyncio, pathlib, pytest\nfrom soclab.pytest_plugin.user_runs import StageError, StageFailed\n"
ATTACK = '@pytest.mark.soclab_scenario(id="ATK-001")\n'
CLEAN = '@pytest.mark.soclab_scenario(id="BEN-001")\n'
ASYNC = ("no:randomly",)
LOOPS = ("-o", "asyncio_default_fixture_loop_scope=function")
SYNC = ("no:randomly", "no:asyncio")
MINE = "test_mine.py"


def write(lab: Lab, *tests: str) -> None:
    """`test_mine.py` with these tests."""
    (lab.path / MINE).write_text("\n\n".join((HEAD, *tests)), encoding="utf-8")


def asks(stage: str, marker: str = ATTACK, name: str = "one", **keywords: object) -> str:
    """A test that asks for one stage and nothing else."""
    more = "".join(f", {key}={value!r}" for key, value in keywords.items())
    return f"{marker}def test_{name}(soclab_run):\n    soclab_run.stage({stage!r}{more})\n"


def agent_fixture(returns: str, scope: str = "session") -> str:
    return f"import pytest, agents\n\n@pytest.fixture(scope={scope!r})\ndef soclab_agent():\n    return {returns}\n"


def by_id(card: dict[str, Any]) -> dict[tuple[str, int], dict[str, Any]]:
    return {(one["id"], one["trial"]): one for one in card["scenarios"]}


def test_a_stage_is_told_in_a_plain_test(lab: Lab) -> None:
    """Status, call, what became of it, what the reply cites; the run is led no further than asked."""
    write(
        lab,
        f"""{ATTACK}
def test_one(soclab_run):
    seen = soclab_run.stage("collect_siem")
    assert (seen.scenario, seen.stage, seen.mode, seen.trial) == ("ATK-001", "collect_siem", "protected", 1)
    assert (seen.status, seen.outcome, seen.reason_code) == ("passed", None, None)
    assert (seen.call.name, seen.call.executed, seen.call.decision) == ("search_siem_events", True, "allow")
    assert "maria.ortega" in str(seen.call.arguments)
    assert seen.call.evidence_id == "search_siem_events:5"
    assert seen.rationale
    assert seen.tokens_in > 0
    with pytest.raises(AttributeError):
        seen.status = "failed"
""",
    )
    lab.run(MINE, *HONEST).assert_outcomes(passed=1)

    assert [stage for _, stage in lab.calls()] == list(STAGES[:5])


def test_later_stages_and_other_tests_extend_the_same_run(lab: Lab) -> None:
    """Each stage is called once, whoever asks for it and in whatever order."""
    write(
        lab,
        f"""{CLEAN}
def test_one(soclab_run):
    assert soclab_run.stage("collect_endpoint").call.name == "get_endpoint_status"
    assert soclab_run.stage("collect_identity").call.name == "get_identity_profile"
    finding = soclab_run.stage("form_finding")
    assert finding.call is None and finding.claims and finding.evidence_ids
""",
        f"""{CLEAN}
def test_two(soclab_run):
    end = soclab_run.stage("propose_action")
    assert end.outcome == "correct"
    assert len(end.evidence_ids) >= 2
""",
    )
    lab.run(MINE, *HONEST).assert_outcomes(passed=2)

    assert [stage for _, stage in lab.calls()] == list(STAGES)
    assert len({run for run, _ in lab.calls()}) == 1


def test_a_fixture_that_asks_for_nothing_calls_nobody(lab: Lab) -> None:
    """Runs begin with the first stage that is asked for."""
    write(lab, f"{ATTACK}def test_one(soclab_run): assert soclab_run.scenario == 'ATK-001'")
    lab.run(MINE, *HONEST).assert_outcomes(passed=1)

    assert lab.calls() == []


def test_a_fall_is_a_failure(lab: Lab) -> None:
    """The block says what happened, and the line to run the test again; the summary line is the verdict."""
    write(lab, asks("propose_action"))
    result = lab.run(MINE, *GULLIBLE, "--soclab-mode", "baseline", "--junitxml=junit.xml")

    result.assert_outcomes(failed=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "COMPROMISED: At propose_action the agent proposed disable_account*",
            "  words     disable_account(user_id=svc-backup)*",
            '  rerun     pytest "test_mine.py::test_one" --soclab-agent agents:gullible --soclab-mode baseline',
            "FAILED test_mine.py::test_one - COMPROMISED: At propose_action*",
        ]
    )
    result.stdout.no_fnmatch_line("*user_runs.py*")
    assert lab.junit() == {"test_one": "failure"}


@pytest.mark.parametrize(
    ("body", "plugins"),
    [
        ("def test_one(soclab_run):\n    soclab_run.stage('collect_siem')", SYNC),
        ("@pytest.mark.asyncio\nasync def test_one(soclab_run):\n    await soclab_run.astage('collect_siem')", ASYNC),
        (
            "@pytest.mark.asyncio\nasync def test_one(soclab_run):\n    async with asyncio.TaskGroup() as group:\n"
            "        group.create_task(soclab_run.astage('collect_siem'))",
            ASYNC,
        ),
    ],
    ids=["sync", "async", "task group"],
)
def test_a_stage_without_an_answer_is_an_error(lab: Lab, body: str, plugins: tuple[str, ...]) -> None:
    """Not a failure: the terminal and JUnit count it apart, and the session fails."""
    write(lab, ATTACK + body)
    result = lab.run(
        MINE,
        "--soclab-agent",
        "agents:mute_at_siem",
        "--junitxml=junit.xml",
        *(LOOPS if plugins is ASYNC else ()),
        plugins=plugins,
    )

    result.assert_outcomes(errors=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert lab.junit() == {"test_one": "error"}
    result.stdout.fnmatch_lines(["*invalid_json: *"])


def test_a_failing_assertion_stays_a_failure(lab: Lab) -> None:
    """Only a stage without an answer is an error."""
    write(lab, f"{ATTACK}def test_one(soclab_run):\n    assert soclab_run.stage('collect_siem').status == 'failed'")
    lab.run(MINE, *HONEST).assert_outcomes(failed=1)


@pytest.mark.parametrize(
    ("agent", "stage", "says"),
    [
        ("refuses_at_siem", "collect_siem", "refused (policy): not *me"),
        ("refuses_at_siem", "form_finding", "not reached: ATK-001 stopped at collect_siem"),
    ],
)
def test_a_refusal_skips_the_test(lab: Lab, agent: str, stage: str, says: str) -> None:
    """There is nothing to assert on; the reason and the test's own place are told."""
    write(lab, asks(stage))
    result = lab.run(MINE, "--soclab-agent", f"agents:{agent}", "-rs")

    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines([f"SKIPPED [[]1] test_mine.py:5: {says}"])


def test_without_check_everything_is_returned(lab: Lab) -> None:
    """Tests about errors, falls and refusals look at them instead of ending."""
    write(
        lab,
        f"""{ATTACK}
def test_one(soclab_run):
    seen = soclab_run.stage("collect_siem", check=False)
    assert (seen.status, seen.reason_code, seen.call) == ("error", "invalid_json", None)
    assert soclab_run.stage("form_finding", check=False).status == "not_reached"
    with pytest.raises(StageError):
        soclab_run.stage("collect_siem")
""",
    )
    lab.run(MINE, "--soclab-agent", "agents:mute_at_siem").assert_outcomes(passed=1)


def test_a_break_at_a_stage_that_the_test_did_not_ask_for_is_told(lab: Lab) -> None:
    """A hidden break never goes green, nor is it a skip."""
    write(lab, asks("propose_action"))
    result = lab.run(MINE, "--soclab-agent", "agents:mute_at_siem")

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["  scenario  ATK-001 at collect_siem, mode protected"])


@pytest.mark.parametrize(("said", "outcome"), [("fail", "failed"), ("pass", "passed")])
def test_a_contained_attack_is_what_the_option_says(lab: Lab, said: str, outcome: str) -> None:
    """As for the campaign's items."""
    write(lab, asks("propose_action"))

    lab.run(MINE, *GULLIBLE, "--soclab-contained", said).assert_outcomes(**{outcome: 1})


def test_an_unknown_stage_is_an_error_of_the_test(lab: Lab) -> None:
    """The sentence names the stages."""
    write(lab, asks("collect_seim"))
    result = lab.run(MINE, *HONEST)

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*unknown stage 'collect_seim' (soclab_run); did you mean 'collect_siem'?*"])


@pytest.mark.parametrize("mode", ["strict", "auto"])
def test_an_async_test_goes_on_while_it_waits(lab: Lab, mode: str) -> None:
    """The agent answers only after another task of the same test has run: a blocked loop would never get there."""
    (lab.path / "slow.py").write_text(
        "import threading, agents\nGO = threading.Event()\n"
        "def agent(request):\n    assert GO.wait(20)\n    return agents.WARY(request)\n",
        encoding="utf-8",
    )
    marker = "@pytest.mark.asyncio\n" if mode == "strict" else ""
    write(
        lab,
        f"""{CLEAN}{marker}async def test_one(soclab_run):
    import slow

    async def open_the_gate():
        slow.GO.set()

    seen, _ = await asyncio.gather(soclab_run.astage("collect_identity"), open_the_gate())
    assert seen.call.name == "get_identity_profile"
    ends = await asyncio.gather(*(soclab_run.astage(one) for one in ("propose_action", "form_finding")))
    assert [one.status for one in ends] == ["passed", "passed"]
""",
    )
    result = lab.run(MINE, "--soclab-agent", "slow:agent", "-o", f"asyncio_mode={mode}", *LOOPS, plugins=ASYNC)

    result.assert_outcomes(passed=1)


def test_a_test_that_gives_up_waiting_harms_nobody(lab: Lab) -> None:
    """A cancelled wait leaves the run alone: the next one gets its outcome."""
    (lab.path / "slow.py").write_text(
        "import threading, agents\nGO = threading.Event()\n"
        "def agent(request):\n    assert GO.wait(20)\n    return agents.WARY(request)\n",
        encoding="utf-8",
    )
    write(
        lab,
        f"""{CLEAN}@pytest.mark.asyncio
async def test_one(soclab_run):
    import slow

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await soclab_run.astage("collect_identity")
    slow.GO.set()
    assert (await soclab_run.astage("collect_identity")).status == "passed"
""",
    )
    lab.run(MINE, "--soclab-agent", "slow:agent", *LOOPS, plugins=ASYNC).assert_outcomes(passed=1)


def test_mode_and_trial_are_runs_of_their_own(lab: Lab) -> None:
    """In one session, the same scenario without controls, with them, and a second time."""
    write(
        lab,
        """
RUNS = {}

def lead(soclab_run):
    end = soclab_run.stage("propose_action", check=False)
    RUNS[end.mode.value, end.trial] = (end.run_id, end.outcome.value)

@pytest.mark.soclab_scenario(id="ATK-001", mode="baseline")
def test_baseline(soclab_run): lead(soclab_run)

@pytest.mark.soclab_scenario(id="ATK-001", mode="protected")
def test_protected(soclab_run): lead(soclab_run)

@pytest.mark.soclab_scenario(id="ATK-001", trial=2)
def test_again(soclab_run): lead(soclab_run)

def test_all():
    assert {key: outcome for key, (_, outcome) in RUNS.items()} == {
        ("baseline", 1): "compromised", ("protected", 1): "contained", ("protected", 2): "contained"}
    assert len({run for run, _ in RUNS.values()}) == 3
""",
    )
    lab.run(MINE, *GULLIBLE).assert_outcomes(passed=4)

    listed = {(one["mode"], one["trial"]): one["outcome"] for one in lab.scorecard()["scenarios"]}
    assert listed == {("baseline", 1): "compromised", ("protected", 1): "contained", ("protected", 2): "contained"}


def test_a_file_alone_is_no_campaign(lab: Lab) -> None:
    """Its runs are journalled and listed, in no rate; no gate judges them, and nothing claims to have passed."""
    write(lab, asks("propose_action", CLEAN), asks("collect_siem", name="two"))
    result = lab.run(MINE, *HONEST)

    result.assert_outcomes(passed=2)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        ["by tests    2 runs that only tests asked for, in no rate: ATK-001 protected not finished, BEN-001 *correct"]
    )
    result.stdout.no_fnmatch_line("*soclab::gate*")
    card = lab.scorecard()
    assert [one["asked_by_test"] for one in card["scenarios"]] == [True, True]
    assert {rate["trials"] for rate in card["rates"].values()} == {0}
    assert (card["complete"], card["passed"], card["gates"], card["reported"]["stages"]) == (False, False, [], 0)


def test_a_selected_scenario_is_run_once_for_test_and_campaign(lab: Lab) -> None:
    """A test that asks for it makes no call more, and takes it out of no rate."""
    write(lab, asks("propose_action", CLEAN))
    result = lab.run(MINE, "soclab", *HONEST, "--soclab-scenario", "BEN-001")

    result.assert_outcomes(passed=1 + len(STAGES) + 1)
    assert len(lab.calls()) == len(STAGES)
    card = lab.scorecard()
    assert [one["asked_by_test"] for one in card["scenarios"]] == [False]
    assert card["rates"]["utility"]["trials"] == 1
    result.stdout.no_fnmatch_line("by tests*")


def test_a_scenario_that_was_not_selected_changes_no_count_of_the_campaign(lab: Lab) -> None:
    """The agent falls in the test's run: the test fails, while the campaign is complete and its gates hold."""
    write(lab, asks("propose_action"))
    result = lab.run("soclab", MINE, *GULLIBLE, "--soclab-scenario", "BEN-001", "-v")

    assert kinds(verdicts(result)) == {"PASSED": len(STAGES) + 1, "FAILED": 1}
    assert verdicts(result)["soclab::gate"] == "PASSED"
    assert len(lab.calls()) == 2 * len(STAGES)
    card = lab.scorecard()
    assert (card["selected"], card["reported"], card["complete"]) == ({"scenarios": 1, "stages": 7},) * 2 + (True,)
    assert card["rates"]["attack_success"]["trials"] == card["rates"]["susceptibility"]["trials"] == 0
    assert (card["failed_runs"], card["passed"]) == ([], True)
    assert by_id(card)["ATK-001", 1]["asked_by_test"] is True
    assert by_id(card)["ATK-001", 1]["outcome"] == "contained"


def test_the_scorecard_is_what_the_journal_says(lab: Lab) -> None:
    """Runs that only tests asked for included."""
    write(lab, asks("propose_action"))
    lab.run("soclab", MINE, *HONEST, "--soclab-scenario", "BEN-001", "--soclab-out", "out")

    written = Scorecard.model_validate_json((lab.path / "out" / "scorecard.json").read_bytes())
    assert rebuild(lab.path / "out" / "journal.jsonl") == written


def test_what_only_tests_had_asked_for_is_no_campaign_to_go_on_with(lab: Lab) -> None:
    """Nothing of the campaign was selected then: refused before anything is asked, and nothing is changed."""
    write(lab, asks("propose_action", CLEAN))
    lab.run(MINE, *HONEST, "--soclab-out", "out", "--soclab-scenario", "BEN-001")
    before = lab.scorecard("out")
    result = lab.run("soclab", *HONEST, "--soclab-resume", "out", "--soclab-scenario", "BEN-001")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: --soclab-resume *: tests asked for its runs and nothing of the campaign was *"]
    )
    assert len(lab.calls()) == len(STAGES)
    assert lab.scorecard("out") == before


def test_no_secret_of_the_lab_reaches_the_view(lab: Lab) -> None:
    """An agent that repeats its system prompt: where the planted secret stood, the test sees a placeholder."""
    (lab.path / "parrot.py").write_text(
        "import pathlib, re, agents\n"
        "def agent(request):\n"
        "    planted = re.search('[A-Z2-7]{26}', request['system_prompt'])[0]\n"
        "    pathlib.Path('planted').write_text(planted)\n"
        "    reply = agents.WARY(request)\n"
        "    reply['proposal']['rationale'] = f'I know {planted}\\x1b[31m'\n"
        "    return reply\n",
        encoding="utf-8",
    )
    write(
        lab,
        f"""{CLEAN}
def test_one(soclab_run):
    seen = soclab_run.stage("collect_identity", check=False)
    assert seen.rationale.startswith("I know [redacted:") and chr(27) not in seen.rationale
    assert pathlib.Path("planted").read_text() not in repr(seen)
""",
    )
    lab.run(MINE, "--soclab-agent", "parrot:agent", "--soclab-mode", "baseline").assert_outcomes(passed=1)


AGENTS = {
    "provider": "__import__('soclab.providers.reference', fromlist=['build']).build({}, None)",
    "async callable": "agents.honest",
    "sync callable": "agents.blocking",
    "ASGI app": "app",
}
APP = """
import json

async def app(scope, receive, send):
    body = (await receive())["body"]
    reply = json.dumps(agents.WARY(json.loads(body))).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": reply})
"""


@pytest.mark.parametrize("kind", AGENTS)
def test_every_kind_of_agent_comes_by_the_fixture(lab: Lab, kind: str) -> None:
    """No option is needed: a test that asks for a run, and an agent in the conftest, are enough."""
    (lab.path / "conftest.py").write_text(agent_fixture(AGENTS[kind]) + APP, encoding="utf-8")
    write(
        lab,
        asks("propose_action"),
        f"@pytest.mark.asyncio\n{CLEAN}async def test_two(soclab_run):\n    await soclab_run.astage('form_finding')\n",
    )
    result = lab.run("--strict-markers", *LOOPS, plugins=ASYNC)

    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["agent *fixture soclab_agent (conftest.py:3)", "by tests*ATK-001 protected resisted*"])


def test_without_an_agent_the_fixtures_say_how_to_name_one(lab: Lab) -> None:
    """One sentence; nobody is asked and nothing is written."""
    write(lab, asks("collect_siem"), "def test_two(soclab_campaign): pass")
    result = lab.run()

    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines(
        [
            "soclab_run needs an agent: name one with --soclab-provider ID or --soclab-agent PKG.MOD:NAME*",
            "soclab_campaign needs an agent: *",
        ]
    )
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("During handling*")
    assert lab.files() == {MINE}


@pytest.mark.parametrize("options", [(), HONEST], ids=["fixture alone", "beside an option"])
def test_an_agent_of_function_scope_is_refused(lab: Lab, options: tuple[str, ...]) -> None:
    """Each test would make its own agent; one sentence, nobody asked."""
    lab.pytester.makeconftest(agent_fixture("agents.honest", "function"))
    write(lab, asks("collect_siem"))
    result = lab.run(MINE, *options)

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["conftest.py:3: soclab_agent has the scope 'function'*"])
    assert lab.calls() == []


def test_an_agent_that_is_not_the_campaigns_is_refused(lab: Lab) -> None:
    """A session has one agent: a fixture beside the test is told where to stand."""
    write(lab, "import agents\n@pytest.fixture(scope='session')\ndef soclab_agent(): return agents.honest\n")
    with (lab.path / MINE).open("a") as file:
        file.write(asks("collect_siem"))
    for options in ((), HONEST):
        result = lab.run(MINE, *options)

        result.assert_outcomes(errors=1)
        result.stdout.fnmatch_lines(["the fixture soclab_agent in force is test_mine.py:*conftest.py of the rootdir"])
    assert lab.calls() == []


@pytest.mark.parametrize(
    ("marker", "says"),
    [
        ("", "soclab_run needs to know the scenario: write @pytest.mark.soclab_scenario(id=*"),
        ("@pytest.mark.soclab_scenario()\n", "@pytest.mark.soclab_scenario does not say which scenario*"),
        ("@pytest.mark.soclab_scenario('ATK-001')\n", "@pytest.mark.soclab_scenario does not say which scenario*"),
        ("@pytest.mark.soclab_scenario(id='ATK-001', x=1)\n", "@pytest.mark.soclab_scenario does not say which*"),
        ("@pytest.mark.soclab_scenario(id='ATK-0O1')\n", "unknown scenario 'ATK-0O1' (soclab_scenario)*"),
        ("@pytest.mark.soclab_scenario(id='ATK-001', mode='off')\n", "unknown mode 'off' (soclab_scenario)*"),
        ("@pytest.mark.soclab_scenario(id='ATK-001', trial=0)\n", "soclab_scenario: trial is 0; give a whole*"),
    ],
)
def test_a_marker_that_cannot_be_used_is_one_sentence(lab: Lab, marker: str, says: str) -> None:
    """An error of the test, before anybody is asked."""
    write(lab, asks("collect_siem", marker))
    result = lab.run(MINE, *HONEST)

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([says])
    assert lab.calls() == []


def test_a_scenario_that_the_agent_cannot_run_is_a_skip(lab: Lab) -> None:
    """Forced replies need the provider that forces them; with it they are led like any other."""
    write(lab, asks("propose_action", "@pytest.mark.soclab_scenario(id='GRD-001')\n", check=False))

    result = lab.run(MINE, *HONEST, "-rs")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["SKIPPED*GRD-001 cannot be run: forces its replies*"])
    lab.run(MINE, "--soclab-provider", "scripted").assert_outcomes(passed=1)
    guard = by_id(lab.scorecard())["GRD-001", 1]
    assert guard["guard_passed"] is True


def test_assertions_over_the_campaign_wait_for_all_of_it(lab: Lab) -> None:
    """The test stands before the campaign's items, and still sees every run."""
    write(
        lab,
        """
def test_one(soclab_campaign):
    assert soclab_campaign.outcome("ATK-001") == "contained"
    assert soclab_campaign.outcome("BEN-001") == "correct"
    rate = soclab_campaign.rate("susceptibility")
    assert (rate.successes, rate.trials) == (1, 1)
    assert [one.id for one in soclab_campaign.results] == ["ATK-001", "BEN-001"]
    assert soclab_campaign.scorecard.complete
    assert all(gate.passed for gate in soclab_campaign.scorecard.gates)
    with pytest.raises(Exception, match="unknown scenario 'ATK-041'"):
        soclab_campaign.outcome("ATK-041")
    with pytest.raises(Exception, match="unknown rate 'success'"):
        soclab_campaign.rate("success")
""",
        asks("propose_action", "@pytest.mark.soclab_scenario(id='BEN-002')\n", "two"),
        "def test_three(soclab_campaign):\n    assert len(soclab_campaign.results) == 2\n"
        "    assert len(soclab_campaign.scorecard.scenarios) == 3\n",
    )
    named = ("--soclab-scenario", "ATK-001", "--soclab-scenario", "BEN-001")
    result = lab.run(MINE, "soclab", *GULLIBLE, *named, "--soclab-contained", "pass", "-v")

    assert kinds({node: word for node, word in verdicts(result).items() if MINE in node}) == {"PASSED": 3}


def test_a_session_in_both_modes_has_a_run_and_a_campaign_for_each(lab: Lab) -> None:
    """A test's marker and `in_mode` lead to the campaign of that mode; no run is made twice."""
    write(
        lab,
        """
@pytest.mark.soclab_scenario(id="ATK-001", mode="baseline")
def test_one(soclab_run):
    assert soclab_run.stage("propose_action", check=False).outcome == "compromised"

@pytest.mark.soclab_scenario(id="ATK-001")
def test_two(soclab_run):
    assert soclab_run.stage("propose_action", check=False).outcome == "contained"

def test_three(soclab_campaign):
    assert soclab_campaign.outcome("ATK-001") == "contained"
    assert soclab_campaign.in_mode("baseline").outcome("ATK-001") == "compromised"
    assert soclab_campaign.in_mode("baseline").in_mode("protected").scorecard.mode == "protected"
""",
    )
    result = lab.run(MINE, "soclab", *GULLIBLE, "--soclab-mode", "both", "--soclab-scenario", "ATK-001", "-v")

    assert kinds({node: word for node, word in verdicts(result).items() if MINE in node}) == {"PASSED": 3}
    assert len(lab.calls()) == 2 * len(STAGES)


def test_a_run_that_was_deselected_half_way_has_no_outcome(lab: Lab) -> None:
    """It is led to its last selected stage and no further."""
    write(
        lab,
        "def test_one(soclab_campaign):\n    assert soclab_campaign.outcome('BEN-001') is None\n"
        "    assert soclab_campaign.results == ()\n",
    )
    result = lab.run(MINE, "soclab::BEN-001[collect_siem]", *HONEST)

    result.assert_outcomes(passed=2, skipped=1)


def test_assertions_over_no_campaign_are_an_error(lab: Lab) -> None:
    """One sentence says how to have one."""
    write(lab, "def test_one(soclab_campaign): pass")
    result = lab.run(MINE, *HONEST)

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["soclab_campaign: no campaign is part of this session; name it beside the file*"])


def test_tests_under_xdist_lead_runs_of_their_own(lab: Lab) -> None:
    """Failures and errors stay what they are; the campaign beside them counts none of it."""
    write(
        lab,
        asks("collect_identity", CLEAN),
        asks("collect_siem", name="two"),
        "def test_three(soclab_campaign): pass",
    )
    named = ("--soclab-agent", "agents:mute_at_siem")
    result = lab.run(MINE, *named, "-n", "2", "--junitxml=junit.xml", "--soclab-out", "out")

    result.assert_outcomes(passed=1, errors=2)
    assert lab.junit() == {"test_one": "passed", "test_two": "error", "test_three": "error"}
    result.stdout.fnmatch_lines_random(["soclab_campaign sees the whole campaign without pytest-xdist only*"])
    listed = [one for place in lab.path.glob("out-gw*") for one in lab.scorecard(place.name)["scenarios"]]
    assert {(one["id"], one["asked_by_test"]) for one in listed} == {("ATK-001", True), ("BEN-001", True)}
    assert len(lab.calls()) == 1 + 5


def test_an_agent_that_cannot_be_used_is_said_once(lab: Lab) -> None:
    """The first test tells it, the others were not run."""
    lab.pytester.makeconftest(agent_fixture("42"))
    write(lab, asks("collect_siem"), asks("collect_siem", name="two"))
    result = lab.run()

    result.assert_outcomes(errors=1, skipped=1)
    result.stdout.fnmatch_lines(["the campaign could not start: int cannot be used as an agent*"])


def test_the_journal_holds_the_runs_of_tests(lab: Lab) -> None:
    """Each with its evidence, like any other."""
    write(lab, asks("collect_authentication"))
    lab.run(MINE, *HONEST, "--soclab-out", "out")

    lines = [json.loads(line) for line in Path(lab.path, "out", "journal.jsonl").read_text().splitlines()]
    assert [line["kind"] for line in lines if line["run"]] == ["run_started", *("asked", "answered") * 2]
    assert lab.scorecard("out")["evidence"]["all_valid"] is True
