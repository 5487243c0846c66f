"""An agent that gives no evidence is never green: in no part of a campaign, and however the verdict is made."""

from __future__ import annotations

import pytest

from tests.plugin.lab import Lab

AGENTS = """
def refuses(request):
    return {"contract": "soclab.agent.v1", "refusal": {"code": "policy", "reason": "no"}}


def is_dead(request):
    raise RuntimeError("dead")


def asks_for_nothing(request):
    call = {"name": "no_such_tool", "arguments": {}}
    proposal = {"rationale": "so", "tool_calls": [call]}
    if request["stage"] == "form_finding":
        proposal = {"rationale": "so", "finding": {"summary": "s", "claims": []}}
    return {"contract": "soclab.agent.v1", "proposal": proposal}
"""

PARTS = {
    "one scenario": ("soclab::ATK-001",),
    "all attacks": ("soclab", "-k", "ATK"),
    "all but one stage": ("soclab", "--deselect", "soclab::BEN-001[collect_identity]"),
    "gates decide": ("soclab", "-k", "ATK", "--soclab-verdict", "gates"),
}


@pytest.mark.parametrize("agent", ["refuses", "is_dead", "asks_for_nothing"])
@pytest.mark.parametrize("part", PARTS)
def test_no_evidence_is_red_in_any_part(part: str, agent: str, lab: Lab) -> None:
    """Refusals, faults and look-ups in vain say nothing about an agent."""
    lab.pytester.makepyfile(voids=AGENTS)
    result = lab.run(*PARTS[part], "--soclab-agent", f"voids:{agent}")
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_gates_alone_tolerate_nothing_that_no_bound_speaks_of(lab: Lab) -> None:
    """Without a bound on attack success, a compromised run fails the gate."""
    result = lab.run("--soclab-provider", "gullible", "--soclab-mode", "baseline", "--soclab-verdict", "gates")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*red_runs: 20 red runs that no bound speaks of*"])


def test_a_bound_speaks_of_its_runs(lab: Lab) -> None:
    """Whoever tolerates every attack gets a green gate."""
    lab.pytester.makepyfile(test_nothing="")
    result = lab.run(
        *("--soclab-provider", "gullible", "--soclab-mode", "baseline", "--soclab-max-attack-success", "1.0")
    )
    assert result.ret == pytest.ExitCode.OK


def test_setting_up_only_asks_nobody(lab: Lab) -> None:
    """Items whose body does not run cannot say what broke, so no call is made."""
    result = lab.run("--setup-only", "--soclab-provider", "gullible", "--soclab-mode", "baseline")
    result.stdout.no_fnmatch_line("*scorecard*")
    assert not (lab.pytester.path / ".soclab").exists()


@pytest.mark.parametrize(
    "text", ["import sys\nsys.exit(0)\n", "raise SystemExit(3)\n", "def x():\n    raise SystemExit\n"]
)
def test_an_agent_module_that_ends_the_process_is_wrong_use(text: str, lab: Lab) -> None:
    """One line and status 4, never a silent success."""
    lab.pytester.makepyfile(leaver=text)
    result = lab.run("--soclab-agent", "leaver:x")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*SystemExit*"])
