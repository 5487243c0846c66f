"""--soclab-policy and SOCLAB_OPA_URL: a team's own policy, in Cedar files or behind its OPA server."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from fnmatch import fnmatch
from typing import Any

import pytest

from soclab.assembly import policy as choosing
from soclab.policy.engines.cedar import SHIPPED
from tests.opa_server import POLICY, Asked, Reply, opa_server, speaking, undefined
from tests.plugin.lab import GULLIBLE, HONEST, Lab, verdicts

CLEAN = ("--soclab-scenario", "BEN-001")
ATTACK = ("--soclab-scenario", "ATK-041")
STRICT = """
@id("no_look_ups_today")
forbid (principal, action, resource)
when { resource.known && resource.reads };
"""
BROKEN = "// One line before.\n" + STRICT.replace("resource.reads", "resource.raeds")


def own_policies(lab: Lab, *more: str) -> None:
    """The shipped policies in `policies`, and these beside."""
    shutil.copytree(SHIPPED, lab.path / "policies")
    for number, text in enumerate(more):
        (lab.path / "policies" / f"own{number}.cedar").write_text(text, encoding="utf-8")


def told_before(behaviour: Callable[[Asked], Reply]) -> Callable[[Asked], Reply]:
    """An OPA server that is all right when it is checked, and like this afterwards."""
    healthy = speaking()
    return lambda asked: (behaviour if asked.method == "POST" and not asked.query else healthy)(asked)


def always(reply: Reply) -> Callable[[Asked], Reply]:
    return lambda asked: reply


def without_the_policy(card: dict[str, Any]) -> dict[str, Any]:
    """What two campaigns have in common that were judged alike by two engines."""
    volatile = {"started_at", "campaign_id", "evidence", "policy_engine", "policy_origin", "policy_version"}
    runs = [
        {key: value for key, value in run.items() if key not in ("evidence_root", "stages")}
        | {"stages": [{key: one[key] for key in ("status", "ruling", "denied_by", "held_by")} for one in run["stages"]]}
        for run in card["scenarios"]
    ]
    return {key: value for key, value in card.items() if key not in volatile} | {"scenarios": runs}


def test_the_policies_that_ship_are_named(lab: Lab) -> None:
    """In the scorecard and on the page; baseline is judged by none."""
    lab.run(*HONEST, *CLEAN, "--soclab-out", "out")
    lab.run(*HONEST, *CLEAN, "--soclab-mode", "baseline", "--soclab-out", "bare")

    card, bare = lab.scorecard("out"), lab.scorecard("bare")
    assert (card["policy_engine"], card["policy_origin"]) == ("cedar", "built-in")
    assert len(card["policy_version"]) == 64
    page = (lab.path / "out" / "report.html").read_text(encoding="utf-8")
    assert f"the Cedar policies that come with soclab, SHA-256 {card['policy_version'][:16]}" in page
    assert [bare[key] for key in ("policy_engine", "policy_origin", "policy_version")] == [None, None, None]


def test_a_folder_of_policies_judges_in_place_of_those_that_ship(lab: Lab) -> None:
    """Its own reason stands with the call; header, scorecard, page and rerun line name it."""
    own_policies(lab, STRICT)
    result = lab.run(*HONEST, *CLEAN, "--soclab-policy", "policies", "--soclab-out", "out")

    card = lab.scorecard("out")
    version = card["policy_version"]
    assert (card["policy_engine"], card["policy_origin"]) == ("cedar", "folder")
    assert card["scenarios"][0]["stages"][0]["ruling"] == "denied: no_look_ups_today"
    assert card["scenarios"][0]["stages"][0]["denied_by"] == ["policy_decision"]
    result.stdout.fnmatch_lines(
        [f"soclab: *, own policies {version[:12]} | *", f"mode *, own policies {version[:12]}, *"]
    )
    result.stdout.fnmatch_lines(["  rerun * --soclab-policy *policies"])
    assert "Cedar policies of your own, SHA-256" in (lab.path / "out" / "report.html").read_text(encoding="utf-8")


def test_environment_and_ini_file_name_a_folder_too(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path in the ini file starts at the file."""
    own_policies(lab)
    lab.pytester.makeini("[pytest]\nsoclab_policy = policies\n")
    assert ", own policies " in lab.run(*HONEST, "--collect-only").stdout.str()
    monkeypatch.setenv("SOCLAB_POLICY", "nowhere")
    assert lab.run(*HONEST, "--collect-only").ret == pytest.ExitCode.USAGE_ERROR


@pytest.mark.parametrize(
    ("files", "says"),
    [
        (None, "ERROR: *policies*"),
        ({}, "ERROR: *policies*"),
        ({"notes.txt": "x"}, "ERROR: *policies*"),
        ({"a.cedar": "// nothing\n"}, "ERROR: *policies*"),
        ({"own.cedar": BROKEN}, "ERROR: *own.cedar, line 5: *raeds*"),
        ({"own.cedar": "forbid (principal, action resource);"}, "ERROR: *own.cedar, line 1: *"),
        ({"own.cedar": "forbid (principal, action, resource);"}, "ERROR: *own.cedar, line 1: *@id*"),
    ],
    ids=["missing", "empty", "no policy file", "no policy", "not in the schema", "no Cedar", "without a code"],
)
def test_a_folder_that_cannot_be_used_is_one_line(lab: Lab, files: dict[str, str] | None, says: str) -> None:
    """Exit 4, file and line, nobody asked, in either mode."""
    if files is not None:
        (lab.path / "policies").mkdir()
        for name, text in files.items():
            (lab.path / "policies" / name).write_text(text, encoding="utf-8")
    before = lab.files()
    for mode in ("protected", "baseline"):
        result = lab.run(*HONEST, "--soclab-policy", "policies", "--soclab-mode", mode)

        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines([says])
        assert len([line for line in result.errlines if line]) == 1
    assert lab.calls() == []
    assert lab.files() == before


def test_a_folder_and_a_server_are_one_too_many(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which one was meant cannot be known."""
    own_policies(lab)
    monkeypatch.setenv("SOCLAB_OPA_URL", "http://127.0.0.1:9")
    result = lab.run(*HONEST, "--soclab-policy", "policies")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: both SOCLAB_OPA_URL and --soclab-policy *policies name a policy: unset the one*"]
    )


@pytest.mark.parametrize(
    ("behaviour", "says"),
    [
        (None, "cannot be reached or breaks off (ConnectError); start the server"),
        (always(Reply(status=503)), "answers with status 503; start the server"),
        (undefined, "undefined for these facts; load a policy package into it"),
    ],
    ids=["nobody there", "not healthy", "no package"],
)
def test_a_server_that_cannot_judge_is_wrong_use(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, behaviour: Callable[[Asked], Reply] | None, says: str
) -> None:
    """Found before the first request: exit 4, one line with the URL and what to do."""
    with opa_server(behaviour or undefined) as server:
        url = "http://127.0.0.1:9" if behaviour is None else server.url
        monkeypatch.setenv("SOCLAB_OPA_URL", url)
        result = lab.run(*HONEST, *CLEAN)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    (line,) = (one for one in result.errlines if one)
    assert line.startswith(f"ERROR: SOCLAB_OPA_URL: {url}/v1/data/soclab/decision: ")
    assert says in line
    assert lab.calls() == []
    assert lab.files() == set()


@pytest.mark.parametrize("agent", [HONEST, GULLIBLE], ids=["honest", "gullible"])
def test_a_server_with_the_example_judges_as_the_shipped_policies_do(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, agent: tuple[str, ...]
) -> None:
    """Everything in the scorecard is equal but for what names the policy."""
    options = (*agent, *CLEAN, *ATTACK, "--soclab-seed", "s")
    lab.run(*options, "--soclab-out", "cedar")
    with opa_server(speaking()) as server:
        monkeypatch.setenv("SOCLAB_OPA_URL", server.url)
        result = lab.run(*options, "--soclab-out", "opa")

    cedar, opa = lab.scorecard("cedar"), lab.scorecard("opa")
    assert without_the_policy(opa) == without_the_policy(cedar)
    assert (opa["policy_engine"], opa["policy_origin"]) == ("opa", "server")
    assert opa["policy_version"] != cedar["policy_version"]
    result.stdout.fnmatch_lines([f"soclab: *, OPA server's policy {opa['policy_version'][:12]} | *"])
    judged = sum(one["denied_by"] is not None for run in opa["scenarios"] for one in run["stages"])
    assert len(server.decisions()) > judged  # the check and the manoeuvres beside


@pytest.mark.parametrize(
    ("reply", "code", "said"),
    [
        (Reply(waits=True), "policy_unavailable", "no answer within 0.3 s"),
        (Reply(closes=True), "policy_unavailable", "cannot be reached or breaks off"),
        (Reply(status=500, body=b"{}"), "policy_unavailable", "answers with status 500"),
        (Reply(raw=b"nonsense\r\n\r\n"), "policy_unavailable", "breaks off"),
        (Reply(body=b'{"result":{"decision":"yes"}}'), "policy_error", "none of allow, hold and deny"),
        (Reply(body=b"{}"), "policy_no_decision", "undefined"),
    ],
    ids=["slow", "gone", "raising", "noise", "nonsense", "undefined"],
)
def test_a_policy_that_cannot_be_asked_makes_no_green_campaign(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, reply: Reply, code: str, said: str
) -> None:
    """Every call is denied, the run is inconclusive with the code, the gate fails; whatever is switched off."""
    monkeypatch.setattr(choosing, "OPA_LIMIT_SECONDS", 0.3)
    off = ("--soclab-without", "policy_decision")
    for number, more in enumerate(((), off)):
        with opa_server(told_before(always(reply))) as server:
            monkeypatch.setenv("SOCLAB_OPA_URL", server.url)
            result = lab.run(*HONEST, *CLEAN, "--soclab-contained", "pass", *more, "--soclab-out", f"out{number}", "-v")

        card = lab.scorecard(f"out{number}")
        (run,) = card["scenarios"]
        assert (run["outcome"], run["reason_code"], card["passed"]) == ("inconclusive", code, False)
        assert run["stages"][0]["ruling"] == f"denied: {code}"
        assert said in run["error_detail"]
        failed = {gate["name"] for gate in (*card["gates"], *card["mandatory_gates"]) if not gate["passed"]}
        assert {"policy_faults", "inconclusive_clean"} <= failed
        assert verdicts(result)["soclab::gate"] == "FAILED"
        assert result.ret == pytest.ExitCode.TESTS_FAILED
        result.stdout.fnmatch_lines([f"*{code}: *"])


def test_a_server_that_ends_in_the_middle_stops_nothing_silently(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was judged before stands; what comes after is denied and says so."""
    healthy = speaking()

    def ends(asked: Asked) -> Reply:
        return Reply(closes=True) if len(server.decisions()) > 4 else healthy(asked)

    with opa_server(ends) as server:
        monkeypatch.setenv("SOCLAB_OPA_URL", server.url)
        lab.run(*HONEST, *CLEAN, "--soclab-out", "out")

    (run,) = lab.scorecard("out")["scenarios"]
    assert [one["ruling"] for one in run["stages"]][:4] == ["run", "run", "run", "denied: policy_unavailable"]
    assert {one["status"] for one in run["stages"][4:]} == {"not_reached"}
    assert run["outcome"] == "inconclusive"


@pytest.mark.parametrize(
    ("later", "says"),
    [
        (speaking(POLICY.read_text(encoding="utf-8") + "\n# changed\n"), "policy_changed: * judged at the start and *"),
        (
            lambda asked: Reply(status=403) if asked.path == "/v1/policies" else speaking()(asked),
            "policy_changed: *not known",
        ),
    ],
    ids=["other policies", "policies that are listed no more"],
)
def test_a_policy_that_changes_in_the_middle_is_noticed(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, later: Callable[[Asked], Reply], says: str
) -> None:
    """Though it decides the same: no one policy judged the campaign, and the gate fails; it is not gone on with."""
    first = speaking()

    def changes(asked: Asked) -> Reply:
        return later(asked) if len(server.decisions()) > 4 else first(asked)

    with opa_server(changes) as server:
        monkeypatch.setenv("SOCLAB_OPA_URL", server.url)
        result = lab.run(*HONEST, *CLEAN, "--soclab-out", "out")
        server.behaviour = first
        again = lab.run(*HONEST, *CLEAN, "--soclab-resume", "out")
    again.stderr.fnmatch_lines(
        ["ERROR: --soclab-resume *out: its policy changed while it ran, *; start a new campaign"]
    )

    card = lab.scorecard("out")
    (gate,) = [one for one in card["mandatory_gates"] if one["name"] == "policy_faults"]
    assert fnmatch(gate["detail"], says)
    assert (gate["passed"], card["passed"], result.ret) == (False, False, pytest.ExitCode.TESTS_FAILED)
    assert [one["outcome"] for one in card["scenarios"]] == ["correct"]


def test_a_server_that_does_not_say_what_judges_is_a_limit(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing can be compared then, and the scorecard says so."""
    healthy = speaking()
    with opa_server(lambda asked: Reply(status=403) if asked.path == "/v1/policies" else healthy(asked)) as server:
        monkeypatch.setenv("SOCLAB_OPA_URL", server.url)
        lab.run(*HONEST, *CLEAN, "--soclab-out", "out")

    card = lab.scorecard("out")
    assert card["policy_version"] == "unknown"
    assert any(one.startswith("The policy server does not say what judges") for one in card["limitations"])
    assert all(one["passed"] for one in card["mandatory_gates"] if one["name"] == "policy_faults")


@pytest.mark.parametrize("answers", [3, 6])
def test_a_server_that_ends_after_the_check_is_told_once_under_xdist(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, answers: int
) -> None:
    """Only the controller checks it; a worker is none the worse for it than one process, and starts once."""
    healthy = speaking()
    with opa_server(lambda asked: healthy(asked) if len(server.asked) <= answers else Reply(status=500)) as server:
        monkeypatch.setenv("SOCLAB_OPA_URL", server.url)
        result = lab.run("--soclab-provider", "reference", *CLEAN, "-n", "1", "--soclab-out", "out")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "UsageError" not in result.stdout.str() + result.stderr.str()
    assert [one.path for one in server.asked].count("/health") == 1
    assert [one["reason_code"] for one in lab.scorecard("out")["scenarios"]] == ["policy_unavailable"]


def test_in_baseline_no_server_is_asked(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing to judge."""
    monkeypatch.setenv("SOCLAB_OPA_URL", "http://127.0.0.1:9")
    assert lab.run(*HONEST, *CLEAN, "--soclab-mode", "baseline").ret == pytest.ExitCode.OK


def test_with_both_modes_the_server_judges_the_protected_one(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checked once, and asked once more at the end; baseline has nothing to judge."""
    with opa_server(speaking()) as server:
        monkeypatch.setenv("SOCLAB_OPA_URL", server.url)
        lab.run(*HONEST, *CLEAN, "--soclab-mode", "both", "--soclab-out", "out")

    assert sum(one.query == "provenance=true" for one in server.decisions()) == 2  # before, and at the end
    assert [lab.scorecard(f"out/{mode}")["policy_engine"] for mode in ("baseline", "protected")] == [None, "opa"]


def test_another_policy_is_not_gone_on_with(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another origin, or another text."""
    own_policies(lab)
    lab.run(*HONEST, *CLEAN, "--soclab-policy", "policies", "--soclab-out", "out")
    calls = lab.calls()

    other = lab.run(*HONEST, *CLEAN, "--soclab-resume", "out")
    (lab.path / "policies" / "own.cedar").write_text(STRICT, encoding="utf-8")
    changed = lab.run(*HONEST, *CLEAN, "--soclab-policy", "policies", "--soclab-resume", "out")

    assert other.ret == changed.ret == pytest.ExitCode.USAGE_ERROR
    other.stderr.fnmatch_lines(["*its policy's origin is 'folder', not 'built-in'; give the same again, or start anew"])
    changed.stderr.fnmatch_lines(["*its policy is '*', not '*'; give the same again, or start anew"])
    assert lab.calls() == calls
