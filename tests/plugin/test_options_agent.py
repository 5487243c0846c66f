"""--soclab-provider, --soclab-agent, --soclab-model, and the agent of a fixture."""

from __future__ import annotations

import pytest

from tests.plugin.lab import GULLIBLE, HONEST, STAGES, Lab

ONE = ("--soclab-scenario", "BEN-001")


def agent_line(result: pytest.RunResult) -> str:
    """The header's line on the agent."""
    return next(line for line in result.outlines if line.startswith("soclab: "))


def test_a_provider_runs_without_any_set_up(lab: Lab) -> None:
    """In an empty folder `--soclab-provider reference` is all there is to type."""
    result = lab.run("--soclab-provider", "reference", *ONE)

    result.assert_outcomes(passed=len(STAGES) + 1)
    assert result.ret == pytest.ExitCode.OK
    assert agent_line(result).startswith(
        "soclab: provider reference, model agent | mode protected, level L4 | 1 scenarios, 7 calls"
    )
    assert lab.files() == {".soclab"}


@pytest.mark.parametrize("name", ["honest", "blocking"])
def test_an_agent_by_its_name_is_asked_once_a_stage(lab: Lab, name: str) -> None:
    """Async or not, it gets one call for each stage of the scenario and no other."""
    result = lab.run("--soclab-agent", f"agents:{name}", *ONE)

    assert [stage for _, stage in lab.calls()] == list(STAGES)
    assert len({run for run, _ in lab.calls()}) == 1
    assert f"agent agents:{name}" in agent_line(result)


def test_the_model_label_is_recorded(lab: Lab) -> None:
    """It stands on the scorecard, in the header and on every stage."""
    result = lab.run("--soclab-provider", "reference", "--soclab-model", "soc-7b", *ONE)
    card = lab.scorecard()

    assert card["provider"]["model"] == "soc-7b"
    assert "model soc-7b" in agent_line(result)
    assert {stage["model"] for stage in card["scenarios"][0]["stages"]} == {"soc-7b"}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--soclab-provider", "nope"), "ERROR: unknown provider 'nope'* Allowed: http, reference, *"),
        (("--soclab-provider", ""), "ERROR: unknown provider ''*"),
        (("--soclab-provider", "refrence"), "ERROR: unknown provider 'refrence'; did you mean 'reference'?*"),
        (("--soclab-provider", "http"), "ERROR: provider 'http' is not configured: set SOCLAB_HTTP_AGENT_URL"),
        (("--soclab-agent", "agents"), "ERROR: --soclab-agent 'agents': write it as package.module:factory"),
        (("--soclab-agent", "agents:nobody"), "ERROR: --soclab-agent 'agents:nobody': AttributeError: *nobody*"),
        (("--soclab-agent", "no_such_module:x"), "ERROR: --soclab-agent *ModuleNotFoundError: *no_such_module*"),
        (("--soclab-agent", "agents:STRAY"), "ERROR: --soclab-agent 'agents:STRAY': AttributeError: *"),
        (("--soclab-agent", "agents:CALLS"), "ERROR: *cannot be used as an agent*"),
        ((*HONEST, "--soclab-provider", "reference"), "ERROR: both a provider and an agent are named*"),
        (("--soclab-mode", "baseline"), "ERROR: no agent is named: give --soclab-provider * or --soclab-agent"),
    ],
)
def test_an_agent_that_cannot_be_had_is_wrong_use(lab: Lab, arguments: tuple[str, ...], says: str) -> None:
    """One line that says what to do, exit 4, no collection, nothing written."""
    lab.pytester.makepyfile(test_mine="raise SystemExit('collected')")
    result = lab.run(*arguments)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([says])
    assert len([line for line in result.errlines if line.strip()]) == 1
    assert lab.files() == {"test_mine.py"}


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("127.0.0.1:8765", "*SOCLAB_HTTP_AGENT_URL*"),
        ("http://user:secret-word@127.0.0.1/", "*SOCLAB_HTTP_AGENT_URL*"),
    ],
)
def test_a_url_that_cannot_be_used_is_wrong_use(lab: Lab, monkeypatch: pytest.MonkeyPatch, url: str, says: str) -> None:
    """The variable is named, the value is not shown."""
    monkeypatch.setenv("SOCLAB_HTTP_AGENT_URL", url)
    result = lab.run("--soclab-provider", "http")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([says])
    assert "secret-word" not in result.stderr.str() + result.stdout.str()


def test_a_token_that_cannot_be_sent_is_never_shown(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """Control characters in it are wrong use; the value stands in no message."""
    monkeypatch.setenv("SOCLAB_HTTP_AGENT_URL", "http://127.0.0.1:9/")
    monkeypatch.setenv("SOCLAB_HTTP_AGENT_TOKEN", "hidden-part\x07rest-of-it")
    result = lab.run("--soclab-provider", "http")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*SOCLAB_HTTP_AGENT_TOKEN*"])
    assert "hidden-part" not in result.stderr.str() + result.stdout.str()


def test_the_stronger_source_names_the_agent(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent on the command line wins over a provider in the environment, and that over the ini file."""
    lab.pytester.makeini("[pytest]\nsoclab_provider = nope\n")
    monkeypatch.setenv("SOCLAB_PROVIDER", "gullible")

    assert "provider gullible" in agent_line(lab.run("--collect-only"))
    assert "agent agents:honest" in agent_line(lab.run(*HONEST, "--collect-only"))


def test_another_agent_is_another_campaign(lab: Lab) -> None:
    """With one seed, ids follow from the agent's name too."""
    seed = ("--soclab-seed", "1", *ONE)
    lab.run(*HONEST, *seed)
    lab.run(*GULLIBLE, *seed)

    assert len({run for run, _ in lab.calls()}) == 2


@pytest.mark.parametrize(("approved", "status"), [("gpt-* other-?", pytest.ExitCode.OK), ("gpt-*", 1), (None, 1)])
def test_further_model_labels_are_approved_by_globs(lab: Lab, approved: str | None, status: int) -> None:
    """An agent that reports another model than the label is red unless the ini file approves of it."""
    (lab.path / "other.py").write_text(
        "from agents import honest\n"
        "async def agent(request):\n"
        "    return {**await honest(request), 'model': 'other-7'}\n",
        encoding="utf-8",
    )
    if approved:
        lab.pytester.makeini(f"[pytest]\nsoclab_approved_models = {approved}\n")

    assert lab.run("--soclab-agent", "other:agent", *ONE).ret == status


@pytest.mark.parametrize("label", ["", " ", "a\nb", "a\tb", "soc\u202e7b"])
def test_a_label_that_cannot_be_shown_is_no_label(lab: Lab, label: str) -> None:
    """It would never be equal to what is recorded of the agent."""
    result = lab.run("--soclab-provider", "reference", "--soclab-model", label, *ONE)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "ERROR: --soclab-model" in result.stderr.str() + result.stdout.str()
    assert lab.files() == set()
