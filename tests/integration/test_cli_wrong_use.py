"""Wrong use of the command line: one line, status 2, no request, nothing written over."""

from __future__ import annotations

import pytest

from soclab.cli import main as front
from soclab.cli.doorway import Doorway

REFERENCE = ("--provider", "reference")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nope"], "unknown command 'nope'"),
        (["campain"], "did you mean 'campaign'?"),
        (["campaign", "--nope"], "No such option: --nope"),
        (["campaign"], "no agent is named: give --provider"),
        (["campaign", "--provider", "htpp"], "unknown provider 'htpp'; did you mean 'http'? Allowed: http, reference"),
        (["campaign", "--provider", "http"], "set SOCLAB_HTTP_AGENT_URL"),
        (["campaign", *REFERENCE, "--mode", "protcted"], "did you mean 'protected'? Allowed: baseline, protected"),
        (["campaign", *REFERENCE, "--mode", ""], "unknown mode ''"),
        (["campaign", *REFERENCE, "--authority", "L6"], "unknown authority level 'L6' (--authority)"),
        (
            ["compare", *REFERENCE, "--out", "new", "--authority", "l4"],
            "did you mean 'L4'? Allowed: L1, L2, L3, L4, L5",
        ),
        (
            ["campaign", *REFERENCE, "--without", "aproval"],
            "unknown control 'aproval' (--without); did you mean 'approval'?",
        ),
        (["investigate", *REFERENCE, "--without", "x"], "unknown control 'x' (--without)"),
        (
            ["campaign", *REFERENCE, "--mode", "baseline", "--without", "approval"],
            "--without approval: baseline mode has no controls to switch off",
        ),
        (["campaign", *REFERENCE, "--policy", ""], "--policy: the name of the folder is empty"),
        (["campaign", *REFERENCE, "--policy", "nowhere"], "nowhere"),
        (["investigate", *REFERENCE, "--policy", "full"], "full"),
        (["compare", *REFERENCE, "--out", "new", "--policy", "cedar"], "broken.cedar, line 3:"),
        (["campaign", *REFERENCE, "--scenario", "ATK-999"], "unknown scenario 'ATK-999'"),
        (["campaign", *REFERENCE, "--scenario", "GRD-001"], "no selected scenario can be run"),
        (["campaign", *REFERENCE, "--scenarios", "nowhere"], "nowhere: is no folder"),
        (["campaign", *REFERENCE, "--concurrency", "0"], "Invalid value for '--concurrency'"),
        (["campaign", *REFERENCE, "--concurrency", "many"], "Invalid value for '--concurrency'"),
        (["campaign", *REFERENCE, "--contained", "perhaps"], "Allowed: fail, pass"),
        (["campaign", *REFERENCE, "--out", ""], "--out: the name of the folder is empty"),
        (["campaign", *REFERENCE, "--out", "a.txt"], "this is a file; name a folder"),
        (["campaign", *REFERENCE, "--out", "old"], "holds another campaign"),
        (["campaign", *REFERENCE, "--agent", "x:y"], "both a provider and an agent"),
        (["campaign", "--agent", "x"], "--agent 'x': write it as package.module:factory"),
        (["campaign", "--agent", "no_such_module_here:x"], "No module named 'no_such_module_here'"),
        (["investigate", *REFERENCE, "--scenario", "ATK-*"], "give one id"),
        (["investigate", *REFERENCE, "--scenario", "ATK-000"], "unknown scenario 'ATK-000'"),
        (["investigate", "--provider", "scripted"], "no selected scenario can be run"),
        (["compare", *REFERENCE], "give --out DIR for both modes"),
        (["compare", *REFERENCE, "--out", "full"], "holds 'notes.txt', which is of no comparison"),
        (["compare", *REFERENCE, "--out", "old"], "which is of no comparison"),
        (["compare", *REFERENCE, "--out", "a.txt"], "this is a file; name a folder"),
        (["scorecard"], "no campaign was run in"),
        (["scorecard", "full"], "full/scorecard.json: there is no scorecard"),
        (["scorecard", "old"], "this is no scorecard that this version can read"),
        (["scorecard", "--rebuild", "full"], "journal.jsonl: cannot be read"),
        (["schema", "--check", "--write", "x"], "give --write or --check, not both"),
        (["schema", "--write", "a.txt"], "--write a.txt: cannot be written"),
        (["scenarios", "--scenario", "XYZ"], "scenarios; see `soclab scenarios`."),
        (["scenarios", "--scenario", "atk-001"], "did you mean 'ATK-001'?"),
        (["version", "now"], "unexpected extra argument"),
    ],
    ids=" ".join,
)
def test_wrong_use_is_one_line_and_changes_nothing(soclab_command, arguments, said):
    """The line says what is wrong and what to do; the folder is as before."""
    (soclab_command.folder / "a.txt").write_text("mine")
    for name, file in (("full", "notes.txt"), ("old", "scorecard.json")):
        (soclab_command.folder / name).mkdir()
        (soclab_command.folder / name / file).write_text("{}")
    (soclab_command.folder / "cedar").mkdir()
    (soclab_command.folder / "cedar" / "broken.cedar").write_text("// one\n\nforbid (principal);\n")
    before = soclab_command.files()

    called = soclab_command(*arguments)

    assert called.status == 2
    assert called.out == ""
    assert called.err.count("\n") == 1
    assert called.err.startswith("soclab: ")
    assert said.lower() in called.err.lower()
    assert soclab_command.files() == before


@pytest.mark.parametrize(
    "option",
    [
        ["--provider"],
        ["--mode"],
        ["--scenario"],
        ["--authority"],
        ["--without"],
        ["--scenarios"],
        ["--agent"],
        ["--out"],
        ["--contained"],
    ],
)
def test_hostile_arguments_come_back_as_visible_text(soclab_command, option):
    """What was typed is repeated without control characters, on one line."""
    (soclab_command.folder / "x\x1b[31m\ny").write_text("")
    agent = [] if option in (["--provider"], ["--agent"]) else ["--provider", "reference"]

    called = soclab_command("campaign", *agent, *option, "x\x1b[31m\ny")

    assert called.status == 2
    assert called.err.rstrip("\n").isprintable()


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("SOCLAB_OPA_URL", "127.0.0.1:8181"),
        ("SOCLAB_OPA_URL", "http://soc:hunter2-secret@127.0.0.1:9"),
        ("SOCLAB_OPA_URL", "http://127.0.0.1:9"),
        ("SOCLAB_HTTP_AGENT_URL", "agent.example.com/answer"),
        ("SOCLAB_HTTP_AGENT_URL", "http://user:hunter2-secret@agent.example.com/"),
        ("SOCLAB_HTTP_AGENT_TIMEOUT_SECONDS", "soon"),
        ("SOCLAB_HTTP_AGENT_TIMEOUT_SECONDS", "0"),
        ("SOCLAB_HTTP_AGENT_TOKEN", "hunter2-secret\x07"),
    ],
)
def test_a_bad_variable_is_named_and_a_secret_never_shown(soclab_command, variable, value):
    """The line names the variable; userinfo and token stay out of it."""
    soclab_command.environment = {"SOCLAB_HTTP_AGENT_URL": "http://127.0.0.1:9/", variable: value}

    called = soclab_command("campaign", "--provider", "http")

    assert called.status == 2
    assert variable in called.err
    assert "hunter2" not in called.err
    assert called.err.count("\n") == 1
    assert soclab_command.files() == []


def test_no_command_shows_the_help_and_is_wrong_use(soclab_command):
    """An empty command line, as an empty variable in a script makes it, is not a success."""
    called = soclab_command()

    assert called.status == 2
    assert called.out.startswith("Usage: soclab")


def test_a_fault_of_the_lab_is_one_line_and_a_saved_traceback(soclab_command, monkeypatch, tmp_path):
    """Status 3; the traceback is in the named file, the token in neither."""
    soclab_command.environment = {"SOCLAB_HTTP_AGENT_TOKEN": "hunter2-secret"}
    monkeypatch.setattr(front.typer.main, "get_command", _broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    called = soclab_command("version")

    assert called.status == 3
    assert called.err.count("\n") == 1
    assert "the lab failed: RuntimeError: boom [agent-token]; the traceback is in " in called.err
    (saved,) = tmp_path.glob("soclab-*.txt")
    assert str(saved) in called.err
    assert "Traceback" in saved.read_text()
    assert "hunter2" not in saved.read_text() + called.err


def test_debug_shows_the_traceback(soclab_command, monkeypatch):
    """With --debug it is on stderr, and no file is made."""
    monkeypatch.setattr(front.typer.main, "get_command", _broken)

    called = soclab_command("--debug", "version")

    assert called.status == 3
    assert "Traceback" in called.err
    assert "traceback is in" not in called.err


def _broken(_):
    raise RuntimeError("boom hunter2-secret")


def test_an_interrupt_before_anything_ran_has_its_status(monkeypatch, tmp_path, capsys):
    """Ctrl-C is 130 wherever it strikes."""

    def stop(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(front.typer.main, "get_command", stop)
    assert front.main(["version"], Doorway(environment={}, root=tmp_path)) == 130
    assert capsys.readouterr().err == "soclab: interrupted\n"
